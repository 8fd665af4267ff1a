/** Sets the edges of the text that a changed quote became, so that it starts and ends where sentences do, like the quote. */
import type { Region, TextComparison } from './compare-texts.ts';
import type { ExpectedRange } from './expected-range.ts';
import type { Range } from './range.ts';
import { firstEndingAfter, type Segment } from './segments.ts';
import { findSimilar, type Similarity } from './similar.ts';
import { type Word, weigh, wordsOf } from './words.ts';

/** A range in the new text that is similar to the quote, with the words around it. */
export interface Candidate extends Similarity {
  words: Word[];
  region: Region;
}

/** How many words beyond the changed ones may be included to reach the edge of a sentence. */
const MAX_ADDED = 4;

/** The share of a sentence that must match for it to be part of the successor, if it is not the only one. */
const MIN_MATCHED = 0.3;

/** How similar words must be to an old sentence to have come from it. */
const MIN_SAID = 0.5;

const MARKER = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+(?:\[.\]\s+)?$/;

export function fitEdges(
  candidate: Candidate,
  range: Range,
  { before }: TextComparison,
  region: Region,
  expected: ExpectedRange,
): Range {
  const { words } = candidate;
  const old = region.sentences().before;
  const sentences = candidate.region.sentences().after;
  // If there is nothing else between the neighbors, every sentence there belongs to the quote.
  const isAlone = expected.above === expected.first - 1 && expected.below === expected.last + 1;
  const startsSentence = range.start <= old[expected.first]!.start;
  const endsSentence = range.end >= old[expected.last]!.end;
  const { first, last, leading, trailing } = withoutStrays(
    candidate,
    sentences,
    !isAlone && startsSentence,
    !isAlone && endsSentence,
  );
  const head = sentences[firstEndingAfter(sentences, words[first]!.start)]!;
  const tail = sentences[firstEndingAfter(sentences, words[last]!.start)]!;
  /** Whether words next to the match belong to the quote: a few do, and more do unless another old sentence has them. */
  const isOwn = (added: Word[], missing: number) =>
    added.length <= 2 * missing + MAX_ADDED || !isSaidBeside(added, before, old, expected);

  let from = first;
  // `markerStart` handles a match in the marker before the sentence.
  while (from < last && words[from]!.start < head.start) from += 1;
  while (from > 0 && words[from - 1]!.start >= head.start) from -= 1;
  if (!startsSentence || !isOwn(words.slice(from, first), leading)) {
    from = Math.max(from, first - leading);
    while (from < first && isJoined(words[from - 1], words[from]!)) from += 1;
  }
  let to = last;
  while (to + 1 < words.length && words[to + 1]!.end <= tail.end) to += 1;
  if (!endsSentence || !isOwn(words.slice(last + 1, to + 1), trailing)) {
    to = Math.min(to, last + trailing);
    while (to > last && isJoined(words[to], words[to + 1])) to -= 1;
  }
  return { start: words[from]!.start, end: words[to]!.end };
}

/** Drops sentences at the edges of the match in which only a word or two match. */
function withoutStrays(
  { words, matches, leading, trailing }: Candidate,
  sentences: readonly Segment[],
  atStart: boolean,
  atEnd: boolean,
) {
  const sentenceOf = (match: number) => firstEndingAfter(sentences, words[match]!.start);
  const isStray = (group: number[]) => {
    const { start, end } = sentences[sentenceOf(group[0]!)]!;
    const all = words.filter((word) => word.start >= start && word.end <= end);
    return weigh(group.map((match) => words[match]!)) < MIN_MATCHED * weigh(all);
  };
  const groups = [...Map.groupBy(matches, sentenceOf).values()];
  let [missingBefore, missingAfter] = [leading, trailing];
  while (atStart && groups.length > 1 && isStray(groups[0]!)) missingBefore += groups.shift()!.length;
  while (atEnd && groups.length > 1 && isStray(groups.at(-1)!)) missingAfter += groups.pop()!.length;
  return {
    first: groups[0]![0]!,
    last: groups.at(-1)!.at(-1)!,
    leading: missingBefore,
    trailing: missingAfter,
  };
}

/** Whether the words come from a changed sentence next to the quote, and the two were merged. */
function isSaidBeside(
  words: Word[],
  before: string,
  old: readonly Segment[],
  expected: ExpectedRange,
): boolean {
  for (let index = expected.above + 1; index < expected.below; index += 1) {
    if (index >= expected.first && index <= expected.last) continue;
    const { start, end } = old[index]!;
    if ((findSimilar(words, wordsOf(before, start, end))?.score ?? 0) >= MIN_SAID) return true;
  }
  return false;
}

/** A part of a path or of a hyphenated word is not included. */
function isJoined(left: Word | undefined, right: Word | undefined): boolean {
  return left !== undefined && right !== undefined && left.end === right.start;
}

/** The start of the marker of a list item or heading, for a quote that included its own. */
export function markerStart(text: string, start: number): number {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  const marker = text.slice(lineStart, start);
  return MARKER.test(marker) ? start - marker.trimStart().length : start;
}
