/** Where a reviewer applies, in a few words. */

interface Scope {
  repoName: string | null;
  paths: string[];
}

export function describeScopes(scopes: Scope[]): string {
  const [first, ...others] = scopes;
  if (!first) return 'No repository';
  const place = first.repoName ?? 'All repositories';
  if (others.length > 0) return `${scopes.length} scopes`;
  return first.paths.length === 0 ? place : `${place}, some paths`;
}
