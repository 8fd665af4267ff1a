/** Whether an advisory is about a version, and which version fixes it. */
import { compareVersions } from './compare-versions.ts';
import type { Advisory, RangeEvent } from './read-advisory.ts';

/** Null if it isn't affected, or if that can't be told. `fixedIn` is null while there is no fixed version. */
export function isAffected(
  { ecosystem, ranges, versions }: Pick<Advisory, 'ecosystem' | 'ranges' | 'versions'>,
  version: string,
): { fixedIn: string | null } | null {
  for (const events of ranges) {
    const found = isInRange(ecosystem, events, version);
    if (found) return found;
  }
  return versions.includes(version) || versions.includes(`v${version}`) ? { fixedIn: null } : null;
}

function isInRange(
  ecosystem: Advisory['ecosystem'],
  events: RangeEvent[],
  version: string,
): { fixedIn: string | null } | null {
  // Also where everything is affected: a folder or a branch is not.
  if (compareVersions(ecosystem, version, version) === undefined) return null;
  const compare = (one: string, other: string) =>
    one === '0' || other === '0'
      ? Number(other === '0') - Number(one === '0')
      : compareVersions(ecosystem, one, other);
  const at = ({ fixed, introduced, last_affected: last }: RangeEvent) => introduced ?? fixed ?? last;
  const known = events.filter((event) => at(event) !== undefined);
  const orders = new Map(known.map((event) => [event, compare(at(event)!, version)] as const));
  // One event that can't be placed could be the fix.
  if ([...orders.values()].includes(undefined)) return null;
  const inOrder = known.toSorted((one, other) => compare(at(one)!, at(other)!) ?? 0);
  let affected = false;
  for (const event of inOrder) {
    const order = orders.get(event)!;
    if (event.introduced !== undefined && order <= 0) affected = true;
    else if (event.fixed !== undefined && order <= 0) affected = false;
    else if (event.last_affected !== undefined && order < 0) affected = false;
    else if (affected && event.fixed !== undefined) return { fixedIn: event.fixed };
  }
  return affected ? { fixedIn: null } : null;
}
