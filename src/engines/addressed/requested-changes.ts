/** Evidence that a change was made as the comment says: a suggestion, "rename x to y", "remove", "typo". */
import { isName, partsOf, tokensOf, withoutFormat } from './code-words.ts';
import { type CommentContext, type Evidence, NEAR } from './comment-context.ts';
import type { Change, CodeComparison } from './compare-code.ts';
import { shareOf, withoutContinued } from './lost-code.ts';
import { changesWith } from './tokens-in-lines.ts';
import { wordChanges } from './word-changes.ts';

/** A suggestion that was applied in part, or with more, counts if these shares of the changes agree. */
const MIN_APPLIED = 0.8;
const MIN_SUGGESTED = 0.5;

export function suggestionApplied({ request, code, near, region }: CommentContext): Evidence | undefined {
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
    const isMade =
      wanted.gained.size + wanted.lost.size > 0 &&
      close.length > 0 &&
      share >= MIN_APPLIED &&
      shareOf(made.gained, wanted.gained) >= MIN_SUGGESTED;
    if (isThere || isMade) {
      const changes = close.length > 0 ? close : near;
      return { kind: 'suggestion', found: [], share: 1, isCertain: true, changes };
    }
  }
  return undefined;
}

export function replaced({ request, here, file, near }: CommentContext): Evidence | undefined {
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
export function removed({
  request,
  code,
  touching,
  here,
  file,
  region,
}: CommentContext): Evidence | undefined {
  if (!request.asks.has('remove')) return undefined;
  const old = new Set(region.flatMap(tokensOf));
  const names = [...request.names].filter((name) => isName(name) && old.has(name));
  const gone = names.filter((name) => here.lost.has(name) && file.lost.has(name));
  const bare = touching.filter((change) => change.removed.length > 0 && !hasGainedName(change));
  const deleted = bare.filter(
    (change) => change.added.length === 0 && hasName(change.removed) && !isContinued(change, code),
  );
  const changes = gone.length > 0 ? changesWith(bare, gone) : names.length === 0 ? deleted : [];
  return changes.length > 0
    ? { kind: 'removed', found: gone, share: 1, isCertain: true, changes }
    : undefined;
}

function isContinued({ removed }: Change, { changes }: CodeComparison): boolean {
  const lines = removed.slice(0, 40);
  return withoutContinued(lines, changes).length < lines.length;
}

function hasName(lines: readonly string[]): boolean {
  return lines.some((line) => tokensOf(line).some(isName));
}

function hasGainedName(change: Change): boolean {
  return [...wordChanges([change]).gained.keys()].some(isName);
}

/** A name of the commented lines that is gone from the whole file, and a new one that the comment's words suggest; any, if it names none. */
export function renamed({ request, code, touching }: CommentContext): Evidence | undefined {
  if (!request.asks.has('rename')) return undefined;
  const { gained, lost } = wordChanges(touching);
  const isLong = (name: string) => isName(name) && name.length > 1;
  const [before, after] = [code.before, code.after].map((lines) => new Set(lines.flatMap(tokensOf)));
  const from = [...lost.keys()].filter((name) => isLong(name) && !after!.has(name));
  const isTold = [...request.names].some((name) => isName(name) && !before!.has(name));
  const to = [...gained.keys()].find(
    (name) =>
      isLong(name) &&
      (!isTold || request.names.has(name) || partsOf(name).some((part) => request.words.has(part))) &&
      from.some((old) => lost.get(old) === gained.get(name)) &&
      !before!.has(name),
  );
  const named = from.find((name) => request.names.has(name));
  if (from.length === 0 || to === undefined) return undefined;
  const found = [named ?? from[0]!, to];
  const isCertain = request.names.has(to) && (named !== undefined || from.length === 1);
  return { kind: 'renamed', found, share: 1, isCertain, changes: changesWith(touching, found) };
}

/** A word of a commented line that is spelled differently now, where the comment doesn't say how. */
export function spelled({ request, touching }: CommentContext): Evidence | undefined {
  if (!request.asks.has('spell') || request.replacements.length > 0) return undefined;
  const { gained, lost } = wordChanges(touching);
  const fresh = [...gained.keys()].filter(isName).slice(0, 50);
  for (const old of [...lost.keys()].filter(isName).slice(0, 50)) {
    const now = fresh.find((word) => isRespelled(old, word));
    if (now === undefined) continue;
    const changes = changesWith(touching, [old, now]);
    const isNamed = request.marked.has(old) || request.marked.has(now);
    return {
      kind: 'spelled',
      found: [old, now],
      share: 1,
      isCertain: isNamed || request.marked.size === 0,
      changes,
    };
  }
  return undefined;
}

/** Whether two words differ in case only, or in one place by at most two letters. */
function isRespelled(left: string, right: string): boolean {
  if (left.toLowerCase() === right.toLowerCase()) return true;
  if (/\p{N}/u.test(left + right)) return false;
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  if (shorter.length < 3 || longer.length - shorter.length > 2) return false;
  let start = 0;
  while (start < shorter.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return longer.length - start - end <= 2;
}
