/** Finds what a changed sentence became: the most similar new text, preferably in its old place. */
import type { Region, TextComparison } from './compare-texts.ts';
import { type Candidate, fitEdges } from './edges.ts';
import type { ExpectedRange } from './expected-range.ts';
import { likelyWindows } from './probes.ts';
import type { Found, Range } from './range.ts';
import { remainingSentences, sameLabel } from './remaining.ts';
import { firstEndingAfter } from './segments.ts';
import { findSimilar } from './similar.ts';
import { SIGNIFICANT_WORD, type Word, weigh, wholeCharacters, wordsOf } from './words.ts';

/**
 * The minimum similarity of a successor: when nothing else changed between its neighbors and it begins with the same
 * word; when nothing else changed between them; next to the same neighbor; somewhere between the neighbors; elsewhere
 * next to a neighbor that moved along; elsewhere. Tuned on samples of real histories.
 */
const MIN_BEGUN_ALIKE = 0.2;
const MIN_ALONE = 0.3;
const MIN_BESIDE = 0.35;
const MIN_IN_PLACE = 0.5;
const MIN_TOGETHER = 0.45;
const MIN_ELSEWHERE = 0.65;
/** For a long sentence: two unrelated sentences don't have half of it in common by chance. */
const MIN_ELSEWHERE_LONG = 0.52;
const LONG_WEIGHT = 15;

/** How much more similar to another old sentence a candidate must be to belong to that one. */
const RIVAL_MARGIN = 0.1;

/** The maximum number of symbols that a quote begins with, such as a marker or a bracket. */
const FEW_MATCHES = 4;

/** A longer quote is not compared word by word; comparing its sentences is enough. */
const MAX_WORDS = 400;
const MAX_CHARACTERS = 5_000;

export function findMostSimilar(
  range: Range,
  comparison: TextComparison,
  region: Region,
  expected: ExpectedRange,
): Found | undefined {
  const quote = wordsOf(comparison.before, range.start, range.end);
  // Symbols alone occur everywhere.
  if (weigh(quote) < SIGNIFICANT_WORD) return undefined;
  const remaining = remainingSentences(range, comparison, region, expected);
  if (remaining?.isMost || quote.length > MAX_WORDS) return remaining?.found;
  for (const candidate of inSlot(expected, region, quote, comparison)) {
    const least = remaining ? MIN_ALONE : minInSlot(candidate, quote, region, expected);
    if (candidate.score < least) break;
    if (hasRival(candidate, range, quote, comparison)) continue;
    const { start, end } = fitEdges(candidate, range, comparison, region, expected);
    const kept = remaining?.found ?? { start, end };
    const apart = Math.max(kept.start - end, start - kept.end);
    if (apart > range.end - range.start) continue;
    return { start: Math.min(start, kept.start), end: Math.max(end, kept.end), inPlace: true };
  }
  const left = remaining?.found ?? sameLabel(range, region, expected);
  if (left) return left;
  for (const candidate of inNewText(quote, comparison)) {
    const alone = weigh(quote) >= LONG_WEIGHT ? MIN_ELSEWHERE_LONG : MIN_ELSEWHERE;
    const least = cameTogether(candidate, region, expected) ? MIN_TOGETHER : alone;
    if (candidate.score < least || hasRival(candidate, range, quote, comparison)) continue;
    return { ...fitEdges(candidate, range, comparison, region, expected), inPlace: false };
  }
  return undefined;
}

function minInSlot(
  { words, matches }: Candidate,
  quote: Word[],
  region: Region,
  expected: ExpectedRange,
): number {
  const { after } = region.sentences();
  const head = firstEndingAfter(after, words[matches[0]!]!.start);
  const tail = firstEndingAfter(after, words[matches.at(-1)!]!.start);
  const besideAbove = expected.above === expected.first - 1 && expected.newAbove === head - 1;
  const besideBelow = expected.below === expected.last + 1 && expected.newBelow === tail + 1;
  if (!besideAbove || !besideBelow) return besideAbove || besideBelow ? MIN_BESIDE : MIN_IN_PLACE;
  const begin = quote.find(({ weight }) => weight >= SIGNIFICANT_WORD)?.key;
  const beginsAlike = matches.slice(0, FEW_MATCHES).some((match) => words[match]!.key === begin);
  return beginsAlike ? MIN_BEGUN_ALIKE : MIN_ALONE;
}

/** Whether the sentence before or after the quote is also before or after the candidate. */
function cameTogether(
  { words, first, last, region: newRegion }: Candidate,
  region: Region,
  expected: ExpectedRange,
): boolean {
  const { before } = region.sentences();
  const { after } = newRegion.sentences();
  const head = firstEndingAfter(after, words[first]!.start);
  const tail = firstEndingAfter(after, words[last]!.start);
  const [above, below] = [before[expected.first - 1]?.key, before[expected.last + 1]?.key];
  return (
    (above !== undefined && above === after[head - 1]?.key) ||
    (below !== undefined && below === after[tail + 1]?.key)
  );
}

/** The most similar ranges between the quote's neighbors, best first. */
function inSlot(
  expected: ExpectedRange,
  region: Region,
  quote: Word[],
  comparison: TextComparison,
): Candidate[] {
  return windowsIn(expected, quote, comparison.before, comparison.after)
    .flatMap((window) => compare(quote, wholeCharacters(comparison.after, window), region, comparison))
    .sort(byScore);
}

/** The most similar ranges in the sentences that are only in the new text, best first. */
function inNewText(quote: Word[], comparison: TextComparison): Candidate[] {
  const { text, runs } = comparison.newText();
  const candidates: Candidate[] = [];
  for (const window of windowsIn({ start: 0, end: text.length }, quote, comparison.before, text)) {
    for (let index = firstEndingAfter(runs, window.start, endInNewText); index < runs.length; index += 1) {
      const { at, end, region, start } = runs[index]!;
      if (at >= window.end) break;
      const from = Math.max(start, start + window.start - at);
      const to = Math.min(end, start + window.end - at);
      candidates.push(
        ...compare(quote, wholeCharacters(comparison.after, { start: from, end: to }), region, comparison),
      );
    }
  }
  return candidates.sort(byScore);
}

function endInNewText({ at, start, end }: { at: number; start: number; end: number }): number {
  return at + end - start;
}

function windowsIn(area: Range, quote: Word[], before: string, text: string): Range[] {
  return area.end - area.start <= MAX_CHARACTERS ? [area] : likelyWindows(before, quote, text, area);
}

function compare(
  quote: Word[],
  { start, end }: Range,
  region: Region,
  { after }: TextComparison,
): Candidate[] {
  const words = wordsOf(after, start, end);
  const similarity = findSimilar(quote, words);
  return similarity ? [{ ...similarity, words, region }] : [];
}

function byScore(left: Candidate, right: Candidate): number {
  return right.score - left.score;
}

/** Whether the candidate is much more similar to another old sentence that is gone: then it is the successor of that one. */
function hasRival(candidate: Candidate, range: Range, quote: Word[], { before }: TextComparison): boolean {
  const place = candidate.words.slice(candidate.first, candidate.last + 1);
  const own = findSimilar(place, quote)?.score ?? 0;
  const { before: sentences, toAfter } = candidate.region.sentences();
  let compared = 0;
  for (const [index, sentence] of sentences.entries()) {
    if (toAfter[index]! >= 0 || (sentence.start < range.end && sentence.end > range.start)) continue;
    compared += sentence.end - sentence.start;
    if (compared > MAX_CHARACTERS) return false;
    const rival = findSimilar(place, wordsOf(before, sentence.start, sentence.end));
    if (rival && rival.score > own + RIVAL_MARGIN) return true;
  }
  return false;
}
