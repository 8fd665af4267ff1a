/** The range in the new text where the successor of a quote is expected: between its unchanged neighbors. */
import type { Region } from './compare-texts.ts';
import type { Range } from './range.ts';
import { firstEndingAfter } from './segments.ts';

export interface ExpectedRange extends Range {
  /** The indexes of the region's first and last sentence that the quote overlaps. */
  first: number;
  last: number;
  /** The nearest unchanged sentences around it, and their indexes in the new text; one past the edge if there is none. */
  above: number;
  below: number;
  newAbove: number;
  newBelow: number;
}

/** Undefined if the quote overlaps no sentence because it is only a marker or white space. */
export function expectedRangeOf({ start, end }: Range, region: Region): ExpectedRange | undefined {
  const { before, after, toAfter } = region.sentences();
  const first = firstEndingAfter(before, start);
  if (first >= before.length || before[first]!.start >= end) return undefined;
  let last = first;
  while (last + 1 < before.length && before[last + 1]!.start < end) last += 1;
  let [above, below] = [first - 1, last + 1];
  while (above >= 0 && toAfter[above]! < 0) above -= 1;
  while (below < before.length && toAfter[below]! < 0) below += 1;
  const newAbove = above < 0 ? -1 : toAfter[above]!;
  const newBelow = below < before.length ? toAfter[below]! : after.length;
  return {
    first,
    last,
    above,
    below,
    newAbove,
    newBelow,
    start: newAbove < 0 ? region.afterStart : after[newAbove]!.end,
    end: newBelow < after.length ? after[newBelow]!.start : region.afterEnd,
  };
}

export function wholeSentences(region: Region, { first, last }: ExpectedRange): Range {
  const { before } = region.sentences();
  return { start: before[first]!.start, end: before[last]!.end };
}
