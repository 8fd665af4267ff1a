/** The name that a repository gets from where it is fetched from: the last two parts of the path, without `.git`. */

export function nameFromUrl(url: string): string {
  const path = url
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
    // As ssh writes it: git@host:owner/name.git
    .replace(/^[^/:]+:(?!\/\/)/, '');
  const parts = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  return parts
    .slice(-2)
    .join('/')
    .replace(/\.git$/, '');
}
