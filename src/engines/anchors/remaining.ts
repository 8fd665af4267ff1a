/** Finds the rest of a changed quote: sentences that still exist, or the label of its line. */
import type { Region, TextComparison } from './compare-texts.ts';
import type { ExpectedRange } from './expected-range.ts';
import { partOf } from './part.ts';
import type { Found, Range } from './range.ts';
import type { Segment } from './segments.ts';
import { SIGNIFICANT_WORD, weigh, wordsOf } from './words.ts';

/** How much of a quote must remain for it not to be orphaned: about one word. */
const SIGNIFICANT_WEIGHT = 1;

/** The share of a quote, by length, that counts as most of it. */
const MIN_MOST = 0.5;

/** One to four words and a colon at the start of a line. */
const LABEL = /^\W{0,4}\p{L}[\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+){0,3}\W{0,2}:(?=\W)/u;

const FENCE = /^(?:```|~~~)/;

/** A line such as "Status: accepted" became the only line there with the same label, whatever its value is now. */
export function sameLabel(range: Range, region: Region, expected: ExpectedRange): Found | undefined {
  const { before, after, toBefore } = region.sentences();
  const old = before[expected.first]!;
  const label = LABEL.exec(old.key)?.[0];
  if (!label || expected.first !== expected.last || range.start > old.start || range.end < old.end)
    return undefined;
  const hasLabel = ({ key }: Segment) => LABEL.exec(key)?.[0] === label;
  const others = before.slice(expected.above + 1, expected.below).filter(hasLabel);
  const now = after.slice(expected.newAbove + 1, expected.newBelow).filter(hasLabel);
  if (others.length !== 1 || now.length !== 1 || toBefore[after.indexOf(now[0]!)]! >= 0) return undefined;
  return { start: now[0]!.start, end: now[0]!.end, inPlace: true };
}

/**
 * For a quote of several sentences: from the first to the last sentence that still exists. `isMost` if these are most of
 * the quote, including its first and last sentence; otherwise the changes should be followed word by word.
 */
export function remainingSentences(
  range: Range,
  comparison: TextComparison,
  region: Region,
  expected: ExpectedRange,
) {
  const { before, after, toAfter } = region.sentences();
  const quoted = before.slice(expected.first, expected.last + 1);
  const kept = quoted.filter((_, index) => toAfter[expected.first + index]! >= 0);
  const significant = kept.filter(
    (sentence) => !FENCE.test(sentence.key) && weightOf([sentence], comparison) >= SIGNIFICANT_WORD,
  );
  if (weightOf(significant, comparison) < SIGNIFICANT_WEIGHT) return undefined;
  const isWhole = kept[0] === quoted[0] && kept.at(-1) === quoted.at(-1);
  const isMost = isWhole && lengthOf(kept) >= lengthOf(quoted) * MIN_MOST;
  const [first, last] = isMost ? [kept[0]!, kept.at(-1)!] : [significant[0]!, significant.at(-1)!];
  const head = after[toAfter[expected.first + quoted.indexOf(first)]!]!;
  const tail = after[toAfter[expected.first + quoted.indexOf(last)]!]!;
  const start = partOf({ start: range.start, end: first.end }, first, head, comparison)?.start ?? head.start;
  const end = partOf({ start: last.start, end: range.end }, last, tail, comparison)?.end ?? tail.end;
  return { isMost, found: { start, end, inPlace: true } };
}

function weightOf(sentences: readonly Segment[], { before }: TextComparison): number {
  return sentences.reduce((sum, { start, end }) => sum + weigh(wordsOf(before, start, end)), 0);
}

function lengthOf(sentences: readonly Segment[]): number {
  return sentences.reduce((sum, { key }) => sum + key.length, 0);
}
