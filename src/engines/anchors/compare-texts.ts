/** Compares two versions of a text once: by line first, and by sentence on request. */
import { type Block, diffSequences, type Hunk, internTokens, splitBlocks } from '../text/index.ts';
import { makeBlockReader } from './blocks.ts';
import { headingTexts } from './headings.ts';
import { firstEndingAfter, type Segment, segmentsOf } from './segments.ts';

export interface TextComparison {
  before: string;
  after: string;
  /** The changed parts as ranges of whole lines in both texts; everything between them is identical. */
  regions: Region[];
  beforeBlocks(): Block[];
  afterBlocks(): Block[];
  newText(): NewText;
  /** How the sentences of a range of the old text correspond to those of a range of the new text. */
  sentencesOf(hunk: Hunk): Sentences;
  /** The texts of the headings in the new text. */
  newHeadings(): Set<string>;
}

/** The sentences that are only in the new text, concatenated, so that a search covers nothing else. */
export interface NewText {
  text: string;
  /** The ranges it consists of: `text` at `at` is `after[start..end)`. */
  runs: Array<{ at: number; start: number; end: number; region: Region }>;
}

/** A changed part, `before[beforeStart..beforeEnd)` and `after[afterStart..afterEnd)`, and how its sentences correspond. */
export interface Region extends Hunk {
  sentences(): Sentences;
}

export interface Sentences {
  before: Segment[];
  after: Segment[];
  /** For each sentence of `before`, its index in `after`, and vice versa; -1 if there is no identical sentence. */
  toAfter: Int32Array;
  toBefore: Int32Array;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

export function compareTexts(before: string, after: string): TextComparison {
  const beforeBlocks = once(() => splitBlocks(before));
  const afterBlocks = once(() => splitBlocks(after));
  const newText = once(() => collectNewText(comparison));
  const newHeadings = once(() => headingTexts(after, afterBlocks()));
  const readBefore = makeBlockReader(before, beforeBlocks);
  const readAfter = makeBlockReader(after, afterBlocks);
  const sentencesOf = (hunk: Hunk) =>
    compareSentences(
      segmentsOf(before, readBefore(hunk.beforeStart, hunk.beforeEnd), hunk.beforeStart, hunk.beforeEnd),
      segmentsOf(after, readAfter(hunk.afterStart, hunk.afterEnd), hunk.afterStart, hunk.afterEnd),
    );
  const comparison: TextComparison = {
    before,
    after,
    regions: [],
    beforeBlocks,
    afterBlocks,
    newText,
    newHeadings,
    sentencesOf,
  };
  for (const hunk of changedLines(before, after)) {
    const last = comparison.regions.at(-1);
    // Blank lines, fences and rules that happen to be equal don't separate the changes around them.
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
  return { ...hunk, sentences: once(() => comparison.sentencesOf(hunk)) };
}

/** The changed part that contains a position in the new text, or the next one after it. */
export function regionAt({ regions }: TextComparison, place: number): Region | undefined {
  return regions[firstEndingAfter(regions, place, (region) => region.afterEnd)];
}

function changedLines(before: string, after: string): Hunk[] {
  if (before === after) return [];
  // Most of a text doesn't change, and comparing long pieces is much cheaper than comparing lines.
  const start = commonLines(before, after);
  const rest = Math.min(before.length, after.length) - start;
  const tail = commonEnd(before, after, rest);
  const beforeLines = before.slice(start, before.length - tail).split('\n');
  const afterLines = after.slice(start, after.length - tail).split('\n');
  const [left, right] = internTokens(beforeLines, afterLines);
  const beforeStarts = lineStarts(beforeLines, start, before.length - tail);
  const afterStarts = lineStarts(afterLines, start, after.length - tail);
  return diffSequences(left!, right!).map((hunk) => ({
    beforeStart: beforeStarts[hunk.beforeStart]!,
    beforeEnd: beforeStarts[hunk.beforeEnd]!,
    afterStart: afterStarts[hunk.afterStart]!,
    afterEnd: afterStarts[hunk.afterEnd]!,
  }));
}

const MAX_PIECE_LENGTH = 1 << 16;

/** The length of the common beginning, in whole lines. */
function commonLines(before: string, after: string): number {
  let length = 0;
  for (let piece = MAX_PIECE_LENGTH; piece > 0; ) {
    const next = length + piece;
    if (next <= before.length && before.slice(length, next) === after.slice(length, next)) length = next;
    else piece >>= 1;
  }
  return length === 0 ? 0 : before.lastIndexOf('\n', length - 1) + 1;
}

/** The length of the common end, in whole lines, and at most `most`. */
function commonEnd(before: string, after: string, most: number): number {
  let length = 0;
  for (let piece = MAX_PIECE_LENGTH; piece > 0; ) {
    const next = length + piece;
    const same =
      next <= most &&
      before.slice(before.length - next, before.length - length) ===
        after.slice(after.length - next, after.length - length);
    if (same) length = next;
    else piece >>= 1;
  }
  const lineEnd = before.indexOf('\n', before.length - length);
  return length === 0 || lineEnd < 0 ? 0 : before.length - lineEnd - 1;
}

/** The start of each line, plus one entry for the end. */
function lineStarts(lines: string[], start: number, end: number): Int32Array {
  const starts = new Int32Array(lines.length + 1);
  let at = start;
  for (let index = 0; index < lines.length; index += 1) {
    starts[index] = at;
    at += lines[index]!.length + 1;
  }
  starts[lines.length] = end;
  return starts;
}

function compareSentences(before: Segment[], after: Segment[]): Sentences {
  const [left, right] = internTokens(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  const toAfter = new Int32Array(before.length).fill(-1);
  const toBefore = new Int32Array(after.length).fill(-1);
  let [from, to] = [0, 0];
  const end = { beforeStart: before.length, beforeEnd: 0, afterStart: 0, afterEnd: 0 };
  for (const changed of [...diffSequences(left!, right!), end]) {
    // Brackets and rules alone are equal by chance; next to words or unchanged text they belong to it.
    const isSignificant =
      from === 0 ||
      changed === end ||
      before.slice(from, changed.beforeStart).some(({ key }) => SAYS_SOMETHING.test(key));
    for (; from < changed.beforeStart; from += 1, to += 1) {
      if (!isSignificant) continue;
      toAfter[from] = to;
      toBefore[to] = from;
    }
    [from, to] = [changed.beforeEnd, changed.afterEnd];
  }
  return { before, after, toAfter, toBefore };
}

function collectNewText({ after, regions }: TextComparison): NewText {
  const runs: NewText['runs'] = [];
  let at = 0;
  for (const region of regions.slice(0, MAX_REGIONS)) {
    let open = -1;
    const { after: sentences, toBefore } = region.sentences();
    for (const [index, { start, end }] of sentences.entries()) {
      if (toBefore[index]! >= 0) open = -1;
      else if (open < 0) open = runs.push({ at: 0, start, end, region }) - 1;
      else runs[open]!.end = end;
    }
  }
  const pieces = runs.map((run) => {
    run.at = at;
    at += run.end - run.start + RUN_BREAK.length;
    return after.slice(run.start, run.end);
  });
  return { text: pieces.join(RUN_BREAK), runs };
}

const RUN_BREAK = '\n\n';

/** No real revision changes more places. Beyond this limit, changes are not searched for text that moved there. */
const MAX_REGIONS = 20_000;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
