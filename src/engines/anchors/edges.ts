/** Sets the edges of a changed quote's successor, so that it reads as the quote did: from a sentence's start to its end. */
import type { Region, TextComparison } from './compare-texts.ts';
import type { Range } from './range.ts';
import { firstEndingAfter, type Segment } from './segments.ts';
import { findSimilar, type Likeness } from './similar.ts';
import type { Slot } from './slot.ts';
import { type Word, weigh, wordsOf } from './words.ts';

/** A place in the new text that is like the quote, with the words around it. */
export interface Candidate extends Likeness {
  words: Word[];
  region: Region;
}

/** How many words beyond those that changed may be taken in to reach the edge of a sentence. */
const MAX_ADDED = 4;

/** What part of a sentence must match for it to belong to the successor, when it is not the only one. */
const MIN_MATCHED = 0.3;

/** How like an old sentence words must be to come from it. */
const MIN_SAID = 0.5;

const MARKER = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+(?:\[.\]\s+)?$/;

export function fitEdges(
  candidate: Candidate,
  range: Range,
  { before }: TextComparison,
  region: Region,
  slot: Slot,
): Range {
  const { words } = candidate;
  const old = region.sentences().before;
  const sentences = candidate.region.sentences().after;
  // With nothing else between the neighbours every sentence there is the quote's.
  const isAlone = slot.above === slot.first - 1 && slot.below === slot.last + 1;
  const startsSentence = range.start <= old[slot.first]!.start;
  const endsSentence = range.end >= old[slot.last]!.end;
  const { first, last, leading, trailing } = withoutStrays(
    candidate,
    sentences,
    !isAlone && startsSentence,
    !isAlone && endsSentence,
  );
  const head = sentences[firstEndingAfter(sentences, words[first]!.start)]!;
  const tail = sentences[firstEndingAfter(sentences, words[last]!.start)]!;
  /** Whether words next to the match are the quote's: a few are, more are unless another old sentence has them. */
  const isOwn = (added: Word[], missing: number) =>
    added.length <= 2 * missing + MAX_ADDED || !isSaidBeside(added, before, old, slot);

  let from = first;
  // A match in the marker before the sentence is left to who looks for markers.
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

/** Leaves off sentences at the edges of the match of which only a word or two match. */
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

/** Whether the words come from a changed sentence next to the quote, with which it was made one. */
function isSaidBeside(words: Word[], before: string, old: readonly Segment[], slot: Slot): boolean {
  for (let index = slot.above + 1; index < slot.below; index += 1) {
    if (index >= slot.first && index <= slot.last) continue;
    const { start, end } = old[index]!;
    if ((findSimilar(words, wordsOf(before, start, end))?.score ?? 0) >= MIN_SAID) return true;
  }
  return false;
}

/** A part of a path or a word with a hyphen is not taken in. */
function isJoined(left: Word | undefined, right: Word | undefined): boolean {
  return left !== undefined && right !== undefined && left.end === right.start;
}

/** Where the marker of a list item or heading begins, for a quote that took its own along. */
export function markerStart(text: string, start: number): number {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  const marker = text.slice(lineStart, start);
  return MARKER.test(marker) ? start - marker.trimStart().length : start;
}
