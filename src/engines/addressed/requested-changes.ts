/** Evidence that a change was made as the comment says: a suggestion, "rename x to y", "remove", "typo". */
import { isName, tokensOf, withoutFormat } from './code-words.ts';
import { type Evidence, NEAR, type Scene } from './scene.ts';
import { changesWith, hasToken } from './tokens-in-lines.ts';
import { wordChanges } from './word-changes.ts';

/** A suggestion that was applied with other words counts if this share of its changes was made. */
const MIN_APPLIED = 0.8;

export function suggestionApplied({ request, code, near, region }: Scene): Evidence | undefined {
  if (request.suggestions.length === 0 || near.length === 0) return undefined;
  const from = Math.max(0, Math.min(...near.map(({ afterStart }) => afterStart)) - NEAR);
  const to = Math.max(...near.map(({ afterEnd }) => afterEnd)) + NEAR;
  const now = withoutFormat(code.after.slice(from, to));
  const old = withoutFormat(code.before.slice(Math.max(0, code.start - NEAR), code.end + NEAR));
  const close = near.filter(({ distance }) => distance <= 3);
  const made = wordChanges(close);
  for (const lines of request.suggestions) {
    const text = withoutFormat(lines);
    const wanted = wordChanges([{ removed: region, added: lines }]);
    const share = Math.min(shareOf(wanted.gained, made.gained), shareOf(wanted.lost, made.lost));
    const isThere = text.length > 2 && now.includes(text) && !old.includes(text);
    const isMade = wanted.gained.size + wanted.lost.size > 0 && close.length > 0 && share >= MIN_APPLIED;
    if (isThere || isMade) {
      const changes = close.length > 0 ? close : near;
      return { kind: 'suggestion', found: [], share: 1, isCertain: true, changes };
    }
  }
  return undefined;
}

function shareOf(wanted: Map<string, number>, made: Map<string, number>): number {
  let [met, all] = [0, 0];
  for (const [token, count] of wanted) {
    all += count;
    met += Math.min(count, made.get(token) ?? 0);
  }
  return all === 0 ? 1 : met / all;
}

export function replaced({ request, here, file, near }: Scene): Evidence | undefined {
  for (const { from, to } of request.replacements) {
    const [old, fresh] = [tokensOf(from), tokensOf(to)];
    const gone = old.filter((token) => !fresh.includes(token));
    const come = fresh.filter((token) => !old.includes(token));
    const isMade =
      gone.length + come.length > 0 &&
      gone.every((token) => here.lost.has(token) && file.lost.has(token)) &&
      come.every((token) => here.gained.has(token) && file.gained.has(token));
    if (isMade) {
      const changes = changesWith(near, [...gone, ...come]);
      return { kind: 'replaced', found: [from, to], share: 1, isCertain: true, changes };
    }
  }
  return undefined;
}

/** The commented lines went without a successor, or the name in the comment did. */
export function removed({ request, touching, here, file, region }: Scene): Evidence | undefined {
  if (!request.asks.has('remove')) return undefined;
  const old = new Set(region.flatMap(tokensOf));
  const names = [...request.names].filter((name) => isName(name) && old.has(name));
  const gone = names.filter((name) => here.lost.has(name) && file.lost.has(name) && !here.gained.has(name));
  const deleted = touching.filter(({ removed, added }) => removed.length > 0 && added.length === 0);
  const changes = gone.length > 0 ? changesWith(touching, gone) : names.length === 0 ? deleted : [];
  return changes.length > 0
    ? { kind: 'removed', found: gone, share: 1, isCertain: true, changes }
    : undefined;
}

/** A name of the commented lines that is gone from the whole file, and a new one that took its place. */
export function renamed({ request, code, touching }: Scene): Evidence | undefined {
  if (!request.asks.has('rename')) return undefined;
  const { gained, lost } = wordChanges(touching);
  const isLong = (name: string) => isName(name) && name.length > 1;
  const from = [...lost.keys()].filter((name) => isLong(name) && !hasToken(code.after, name));
  const to = [...gained.keys()].find(
    (name) =>
      isLong(name) && from.some((old) => lost.get(old) === gained.get(name)) && !hasToken(code.before, name),
  );
  const named = from.find((name) => request.names.has(name));
  if (from.length === 0 || to === undefined) return undefined;
  const found = [named ?? from[0]!, to];
  const isCertain = named !== undefined && request.names.has(to);
  return { kind: 'renamed', found, share: 1, isCertain, changes: changesWith(touching, found) };
}

/** A word of a commented line that is spelled differently now. */
export function spelled({ request, touching }: Scene): Evidence | undefined {
  if (!request.asks.has('spell')) return undefined;
  const { gained, lost } = wordChanges(touching);
  const fresh = [...gained.keys()].filter(isName).slice(0, 50);
  for (const old of [...lost.keys()].filter(isName).slice(0, 50)) {
    const now = fresh.find((word) => isRespelled(old, word));
    if (now === undefined) continue;
    const changes = changesWith(touching, [old, now]);
    return { kind: 'spelled', found: [old, now], share: 1, isCertain: true, changes };
  }
  return undefined;
}

/** Whether two words differ in case only, or in one place by at most two letters. */
function isRespelled(left: string, right: string): boolean {
  if (left.toLowerCase() === right.toLowerCase()) return true;
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  if (shorter.length < 3 || longer.length - shorter.length > 2) return false;
  let start = 0;
  while (start < shorter.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return longer.length - start - end <= 2;
}
