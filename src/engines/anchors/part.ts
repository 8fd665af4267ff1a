/** Finds what a part of a text became, given what the whole became. */
import { diffSequences, internTokens } from '../text/index.ts';
import type { TextComparison } from './compare-texts.ts';
import { copiesOf, mostSimilarCopy } from './literal.ts';
import type { Range } from './range.ts';
import { firstEndingAfter } from './segments.ts';
import { type Word, wordsOf } from './words.ts';

/** The same words if they are still there, otherwise the words now in their place; undefined if there are none. */
export function partOf(
  range: Range,
  whole: Range,
  now: Range,
  { before, after }: TextComparison,
): Range | undefined {
  const mapped = mapByWords(
    range,
    wordsOf(before, whole.start, whole.end),
    wordsOf(after, now.start, now.end),
  );
  const copies = copiesOf(before, range, after, now.start, now.end);
  if (copies.length === 0) return mapped;
  return (
    copies.find(({ start }) => start === mapped?.start) ??
    mostSimilarCopy(before, range, after, copies, mapped?.start ?? now.start)?.copy
  );
}

function mapByWords(range: Range, before: Word[], after: Word[]): Range | undefined {
  const first = firstEndingAfter(before, range.start);
  let last = first;
  while (last + 1 < before.length && before[last + 1]!.start < range.end) last += 1;
  if (first >= before.length || before[first]!.start >= range.end) return undefined;
  const [left, right] = internTokens(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  // Equal words shift by the size of the changes before them; a changed word at an edge includes everything it became.
  let [from, to] = [first, last + 1];
  let [fromShift, toShift] = [0, 0];
  for (const hunk of diffSequences(left!, right!)) {
    const shift = hunk.afterEnd - hunk.beforeEnd;
    if (hunk.beforeEnd <= first) fromShift = shift;
    else if (hunk.beforeStart <= first) [from, fromShift] = [hunk.afterStart, 0];
    if (hunk.beforeEnd <= last || (hunk.beforeEnd === last + 1 && hunk.beforeStart === hunk.beforeEnd)) {
      if (hunk.beforeEnd <= last) toShift = shift;
    } else if (hunk.beforeStart <= last) [to, toShift] = [hunk.afterEnd, 0];
  }
  const start = from + fromShift;
  const end = to + toShift;
  if (start >= end || end > after.length) return undefined;
  return { start: after[start]!.start, end: after[end - 1]!.end };
}
