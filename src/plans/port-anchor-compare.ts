/** Two versions of a text, compared once: by line at first, and by sentence where that is asked for. */
import {
  type Block,
  diffSequences,
  type Hunk,
  internTokens,
  numberLines,
  splitBlocks,
} from '../text/index.ts';
import { firstEndingAfter, type Segment, segmentsOf } from './port-anchor-segments.ts';

export interface TextComparison {
  before: string;
  after: string;
  /** The parts that changed, as places in the two texts, whole lines each; what lies between is literally equal. */
  regions: Region[];
  beforeBlocks(): Block[];
  afterBlocks(): Block[];
}

/** A changed part, `before[beforeStart..beforeEnd)` and `after[afterStart..afterEnd)`, and how its sentences correspond. */
export interface Region extends Hunk {
  sentences(): Sentences;
}

export interface Sentences {
  before: Segment[];
  after: Segment[];
  /** For each sentence of `before` its index in `after`, and the other way round; -1 for one that has no equal. */
  toAfter: Int32Array;
  toBefore: Int32Array;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

export function compareTexts(before: string, after: string): TextComparison {
  const beforeBlocks = once(() => splitBlocks(before));
  const afterBlocks = once(() => splitBlocks(after));
  const comparison: TextComparison = { before, after, regions: [], beforeBlocks, afterBlocks };
  for (const hunk of changedLines(before, after)) {
    const last = comparison.regions.at(-1);
    // Blank lines, fences and rules that happen to be equal do not part what changed around them.
    if (last && !SAYS_SOMETHING.test(before.slice(last.beforeEnd, hunk.beforeStart))) {
      comparison.regions.pop();
      hunk.beforeStart = last.beforeStart;
      hunk.afterStart = last.afterStart;
    }
    comparison.regions.push(makeRegion(comparison, hunk));
  }
  return comparison;
}

export function makeRegion(comparison: TextComparison, hunk: Hunk): Region {
  return { ...hunk, sentences: once(() => compareSentences(comparison, hunk)) };
}

/** The changed part that a place of the new text lies in, or the next one after it. */
export function regionAt({ regions }: TextComparison, place: number): Region | undefined {
  return regions[firstEndingAfter(regions, place, (region) => region.afterEnd)];
}

function changedLines(before: string, after: string): Hunk[] {
  const [left, right] = numberLines(before, after);
  return diffSequences(left.numbers, right.numbers).map((hunk) => ({
    beforeStart: left.starts[hunk.beforeStart]!,
    beforeEnd: left.starts[hunk.beforeEnd]!,
    afterStart: right.starts[hunk.afterStart]!,
    afterEnd: right.starts[hunk.afterEnd]!,
  }));
}

function compareSentences(comparison: TextComparison, hunk: Hunk): Sentences {
  const before = segmentsOf(comparison.before, comparison.beforeBlocks(), hunk.beforeStart, hunk.beforeEnd);
  const after = segmentsOf(comparison.after, comparison.afterBlocks(), hunk.afterStart, hunk.afterEnd);
  const [left, right] = internTokens(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  const toAfter = new Int32Array(before.length).fill(-1);
  const toBefore = new Int32Array(after.length).fill(-1);
  let [from, to] = [0, 0];
  const end = { beforeStart: before.length, beforeEnd: 0, afterStart: 0, afterEnd: 0 };
  for (const changed of [...diffSequences(left!, right!), end]) {
    // Brackets and rules alone are equal by chance; beside something that is said they belong to it.
    const telling = before.slice(from, changed.beforeStart).some(({ key }) => SAYS_SOMETHING.test(key));
    for (; from < changed.beforeStart; from += 1, to += 1) {
      if (!telling) continue;
      toAfter[from] = to;
      toBefore[to] = from;
    }
    [from, to] = [changed.beforeEnd, changed.afterEnd];
  }
  return { before, after, toAfter, toBefore };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
