/** Derives a repository's name from its URL: the last two path segments, without `.git`. */

export function nameFromUrl(url: string): string {
  const path = url
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
    // The scp-like form: git@host:owner/name.git
    .replace(/^[^/:]+:(?!\/\/)/, '');
  const parts = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  return parts
    .slice(-2)
    .join('/')
    .replace(/\.git$/, '');
}
