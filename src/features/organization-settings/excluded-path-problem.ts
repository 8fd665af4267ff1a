/** Why a glob makes no sense as an excluded path: paths in a repository start at its root and have no empty, `.` or `..` parts. */

/** Undefined if it does make sense, and for a blank one, which is refused anyway. */
export function problemOfExcludedPath(pattern: string): string | undefined {
  const parts = pattern
    .trim()
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/');
  if (pattern.trim() === '') return undefined;
  if (parts.length === 1 && parts[0] === '') return 'names no file or folder; use `**` to exclude every file';
  if (parts.includes('..'))
    return 'uses `..`, but paths start at the root of the repository, so it can never match';
  if (parts.includes('.')) return 'can never match: paths have no `.` between slashes';
  if (parts.includes('')) return 'can never match: paths have no empty parts, as between `//`';
  return undefined;
}
