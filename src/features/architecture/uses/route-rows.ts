/** Which places of routes and tables count, when other things can have the same name. */
import { MAX_PROVIDERS } from './find-neighbours.ts';
import { type FactName, isLongRoute } from './matching-names.ts';
import type { UseRow } from './use-store.ts';

/**
 * A route with another prefix is the same one where its whole path is served, or in repositories that serve neither. It may be
 * another one in a repository that serves it itself.
 */
export function rowsOfRoute(
  rows: readonly UseRow[],
  written: readonly FactName[],
): { rows: UseRow[]; hasOtherPrefix: boolean } {
  const exact = new Set(written.map(({ kind, name }) => `${kind} ${name}`));
  const isExact = ({ kind, name }: UseRow) => exact.has(`${kind} ${name}`);
  const serving = (isWanted: (row: UseRow) => boolean) =>
    new Set(rows.filter((row) => row.section === 'providers' && isWanted(row)).map(({ repoId }) => repoId));
  const exactly = serving(isExact);
  const long = serving((row) => isLongRoute(row.name));
  // Whoever asks for `/api/users` means the one that serves `/users` if nothing fits better.
  const owners = exactly.size > 0 ? exactly : long.size > 0 ? long : serving(() => true);
  const users = new Set(rows.map(({ repoId }) => repoId));
  // Nobody is known to serve it, and there is only one who can be meant.
  const isAlone = owners.size === 0 && users.size === 1;
  const kept = rows.filter((row) => {
    if (isExact(row) || isAlone) return true;
    if (owners.has(row.repoId))
      return row.section !== 'providers' || isLongRoute(row.name) || exactly.size === 0;
    return row.section === 'outside' && isLongRoute(row.name);
  });
  const left = Map.groupBy(kept, ({ repoId, section }) => `${section} ${repoId}`);
  const before = Map.groupBy(rows, ({ repoId, section }) => `${section} ${repoId}`);
  const counted = kept.map((row) => {
    const key = `${row.section} ${row.repoId}`;
    return { ...row, places: row.places - (before.get(key)!.length - left.get(key)!.length) };
  });
  return { rows: counted, hasOtherPrefix: kept.some((row) => !isExact(row)) };
}

/**
 * More repositories than can share a database have a table of this name: whose uses are meant is known only with the repository.
 * Its own uses count then, and those of repositories without such a table.
 */
export function rowsOfTable(
  rows: readonly UseRow[],
  repository: string | null,
): { rows: UseRow[]; ambiguous: { count: number; repository: string } | null } {
  if (repository !== null) {
    const isOwner = ({ repoName }: UseRow) => repoName.toLowerCase() === repository.toLowerCase();
    const hasOwner = rows.some((row) => row.section === 'providers' && isOwner(row));
    return {
      rows: rows.filter((row) => hasOwner && (isOwner(row) || row.section === 'outside')),
      ambiguous: null,
    };
  }
  const having = rows.filter(({ kind, section }) => kind === 'table' && section === 'providers');
  const count = new Set(having.map(({ repoId }) => repoId)).size;
  if (count <= MAX_PROVIDERS) return { rows: [...rows], ambiguous: null };
  return {
    rows: rows.filter(({ kind, section }) => kind !== 'table' || section === 'providers'),
    ambiguous: { count, repository: having[0]!.repoName },
  };
}
