/**
 * Finds the successor of a quote, most reliable method first: unchanged lines, unchanged sentences, the same text between
 * the same neighbors, the same text among new text elsewhere, and finally the most similar text.
 */
import { makeRegion, type Region, regionAt, type TextComparison } from './compare-texts.ts';
import { markerStart } from './edges.ts';
import { type ExpectedRange, expectedRangeOf, wholeSentences } from './expected-range.ts';
import { copiesOf, mostSimilarCopy } from './literal.ts';
import { findMostSimilar } from './most-similar.ts';
import { partOf } from './part.ts';
import type { Found, Range } from './range.ts';
import { firstEndingAfter } from './segments.ts';
import { weigh, wordsOf } from './words.ts';

/** A quote of less weight is treated as part of its sentence and follows it. */
const SMALL_QUOTE = 8;

/** Longer sentences are text without punctuation, whose parts are followed on their own. */
const MAX_SENTENCE_LENGTH = 10_000;

/** Text of less weight can occur by chance, so it has moved only if its context moved too. */
const SIGNIFICANT_QUOTE = 2.5;
const SIGNIFICANT_CONTEXT = 24;

/** A quote of fewer sentences is compared as a whole. */
const FEW_SENTENCES = 3;

export function locate(range: Range, comparison: TextComparison): Found | undefined {
  const shifted = shift(range, comparison);
  if (shifted) return { ...shifted, inPlace: true };
  const region = regionAround(range, comparison);
  const expected = expectedRangeOf(range, region);
  if (!expected) return literally(range, comparison, { start: region.afterStart, end: region.afterEnd });
  const whole = wholeSentences(region, expected);
  // Markers before and after the sentences are part of the quote, but not of the sentences.
  const inside = whole.start <= range.start && range.end <= whole.end;
  const same = inside ? undefined : literally(range, comparison, expected);
  const found = same ?? followSentences(range, whole, region, expected, comparison);
  const hasMarker = found && !same && range.start < whole.start;
  return hasMarker ? { ...found, start: markerStart(comparison.after, found.start) } : found;
}

function followSentences(
  range: Range,
  whole: Range,
  region: Region,
  expected: ExpectedRange,
  comparison: TextComparison,
): Found | undefined {
  const unchanged = unchangedSentences(region, expected);
  const now = unchanged ?? (isSmallPart(range, whole, comparison) ? locate(whole, comparison) : 'on its own');
  if (now !== 'on its own') {
    const part = now && partOf(range, whole, now, comparison);
    return part && { ...part, inPlace: now.inPlace };
  }
  return (
    literally(range, comparison, expected) ??
    elsewhere(range, comparison) ??
    findMostSimilar(range, comparison, region, expected) ??
    betweenEdges(range, region, expected, comparison)
  );
}

/** A long quote in which every sentence changed: from what its first sentence became to what its last became. */
function betweenEdges(
  range: Range,
  region: Region,
  { first, last }: ExpectedRange,
  comparison: TextComparison,
): Found | undefined {
  if (last - first < FEW_SENTENCES) return undefined;
  const { before } = region.sentences();
  const edges = [before[first]!, before[last]!];
  if (edges.some(({ start, end }) => weigh(wordsOf(comparison.before, start, end)) < SIGNIFICANT_QUOTE))
    return undefined;
  const [head, tail] = edges.map(({ start, end }) =>
    locate({ start: Math.max(range.start, start), end: Math.min(range.end, end) }, comparison),
  );
  if (!head?.inPlace || !tail?.inPlace || head.start >= tail.end) return undefined;
  return { start: head.start, end: tail.end, inPlace: true };
}

/** The same position in the other text, if no line of the quote changed. */
function shift({ start, end }: Range, { before, after, regions }: TextComparison): Range | undefined {
  let offset = 0;
  for (const region of regions) {
    if (region.beforeStart >= end) break;
    if (region.beforeEnd > start) return undefined;
    offset = region.afterEnd - region.beforeEnd;
  }
  const moved = { start: start + offset, end: end + offset };
  // The last line break of a text can disappear without changing its line.
  return after.slice(moved.start, moved.end) === before.slice(start, end) ? moved : undefined;
}

/** One region that covers all changes that the quote overlaps, and its whole lines. */
function regionAround({ start, end }: Range, comparison: TextComparison): Region {
  const { before, after, regions } = comparison;
  const touched = regions.filter((region) => region.beforeStart <= end && region.beforeEnd >= start);
  const [first, last] = [touched[0], touched.at(-1)];
  if (!first || !last) {
    const all = { beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length };
    return makeRegion(comparison, all);
  }
  if (first === last && first.beforeStart <= start && first.beforeEnd >= end) return first;
  const beforeStart = Math.min(first.beforeStart, start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1);
  const lineEnd = before.indexOf('\n', end);
  const beforeEnd = Math.max(last.beforeEnd, lineEnd < 0 ? before.length : lineEnd + 1);
  return makeRegion(comparison, {
    beforeStart,
    beforeEnd,
    afterStart: first.afterStart - (first.beforeStart - beforeStart),
    afterEnd: Math.min(after.length, last.afterEnd + (beforeEnd - last.beforeEnd)),
  });
}

/** Every sentence of the quote still exists, in sequence: only its surroundings or white space changed. */
function unchangedSentences(region: Region, { first, last }: ExpectedRange): Found | undefined {
  const { after, toAfter } = region.sentences();
  const head = toAfter[first]!;
  for (let index = first; index <= last; index += 1) {
    if (toAfter[index]! < 0 || toAfter[index] !== head + index - first) return undefined;
  }
  return { start: after[head]!.start, end: after[head + last - first]!.end, inPlace: true };
}

/** A few words of a sentence follow the sentence, because they could occur anywhere. */
function isSmallPart(range: Range, whole: Range, { before }: TextComparison): boolean {
  if (whole.end - whole.start > MAX_SENTENCE_LENGTH) return false;
  const weight = weigh(wordsOf(before, range.start, range.end));
  return weight < SMALL_QUOTE && weigh(wordsOf(before, whole.start, whole.end)) > weight * 1.25;
}

/** The same text between the same neighbors. */
function literally(range: Range, { before, after }: TextComparison, expected: Range): Found | undefined {
  const copies = copiesOf(before, range, after, expected.start, expected.end);
  const found = mostSimilarCopy(before, range, after, copies, expected.start);
  return found && { ...found.copy, inPlace: true };
}

/** The same text among new text. An unchanged copy elsewhere is not the successor. */
function elsewhere(range: Range, comparison: TextComparison): Found | undefined {
  const { before, after } = comparison;
  const copies = copiesOf(before, range, after, 0, after.length).filter((copy) => isNew(copy, comparison));
  const found = mostSimilarCopy(before, range, after, copies, range.start);
  if (!found) return undefined;
  const isSignificant = weigh(wordsOf(before, range.start, range.end)) >= SIGNIFICANT_QUOTE;
  return isSignificant || found.agreement >= SIGNIFICANT_CONTEXT
    ? { ...found.copy, inPlace: false }
    : undefined;
}

function isNew({ start, end }: Range, comparison: TextComparison): boolean {
  const region = regionAt(comparison, start);
  if (!region || region.afterStart >= end) return false;
  const { after, toBefore } = region.sentences();
  for (let index = firstEndingAfter(after, start); index < after.length; index += 1) {
    if (after[index]!.start >= end) break;
    if (toBefore[index]! < 0) return true;
  }
  return false;
}
