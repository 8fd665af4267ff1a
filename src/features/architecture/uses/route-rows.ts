/** Which places of a route count when paths with and without a common prefix were looked up together. */
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
  const kept = rows.filter((row) => {
    if (isExact(row)) return true;
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
