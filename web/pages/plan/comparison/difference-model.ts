/** A comparison of two versions as the page shows it: changes with some context, the rest folded. Pure. */
import { compareLines, compareWords, type WordPiece } from '../../../../src/engines/text/index.ts';
import type { CallOutput } from '../../../api/client.ts';
import { type Line, linesBetween } from './lines-between.ts';

export type Difference = CallOutput<'compare-plan-versions'>;
type Block = Difference['blocks'][number];
type Change = Exclude<Block['change'], 'same'>;

export type Part = PartText &
  (
    | { type: 'same' }
    | { type: 'folded'; count: number }
    | { type: 'change'; change: Change; isCode: boolean; words: WordPiece[] | undefined }
  );

interface PartText {
  key: string;
  before: string;
  after: string;
  lines: LineNumbers;
  /** The blank lines before it; only the source shows them. */
  blankLines: Line[];
}

/** The number of the first line on each side. */
interface LineNumbers {
  before: number;
  after: number;
}

/** How many unchanged blocks are shown on each side of a change. */
const AROUND = 1;
/** Fewer blocks than this aren't worth folding. */
const MIN_FOLDED = 3;

export function partsOf(difference: Difference): Part[] {
  const runs = runsOf(difference.blocks);
  const lineOf = { before: lineCounter(difference.from.content), after: lineCounter(difference.to.content) };
  const blankLinesBefore = linesBetween(difference.from.content, difference.to.content);
  let numbers: LineNumbers = { before: 1, after: 1 };
  return runs.flatMap((blocks, index): Part[] => {
    const { change } = blocks[0]!;
    const part = (some: Block[]): PartText => {
      const [before, after] = [spanOf(some, 'before'), spanOf(some, 'after')];
      numbers = {
        before: before ? lineOf.before(before.start) : numbers.before,
        after: after ? lineOf.after(after.start) : numbers.after,
      };
      return {
        key: `${change}-${before?.start ?? ''}-${after?.start ?? ''}`,
        before: before ? difference.from.content.slice(before.start, before.end) : '',
        after: after ? difference.to.content.slice(after.start, after.end) : '',
        lines: numbers,
        blankLines: blankLinesBefore({ before, after }, change === 'moved', numbers),
      };
    };
    if (change !== 'same') {
      const isCode = blocks.length === 1 && ['code', 'html', 'front-matter'].includes(blocks[0]!.kind);
      return [{ type: 'change', change, isCode, words: blocks[0]!.words, ...part(blocks) }];
    }
    const [head, folded, tail] = fold(blocks, index === 0, index === runs.length - 1);
    return [
      ...(head.length > 0 ? [{ type: 'same' as const, ...part(head) }] : []),
      ...(folded.length > 0 ? [{ type: 'folded' as const, count: folded.length, ...part(folded) }] : []),
      ...(tail.length > 0 ? [{ type: 'same' as const, ...part(tail) }] : []),
    ];
  });
}

/** The service numbers the changes; unchanged blocks between two changes are grouped. */
function runsOf(blocks: readonly Block[]): Block[][] {
  const runs: Block[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run && run[0]!.changeNumber === block.changeNumber && follows(run, block)) run.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** Nothing else is between them on either side. */
function follows(run: readonly Block[], block: Block): boolean {
  const last = run.at(-1)!;
  return (
    (!last.before || !block.before || last.before.end <= block.before.start) &&
    (!last.after || !block.after || last.after.end <= block.after.start)
  );
}

function fold(blocks: Block[], isFirst: boolean, isLast: boolean): [Block[], Block[], Block[]] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  if (blocks.length - head - tail < MIN_FOLDED) return [blocks, [], []];
  return [
    blocks.slice(0, head),
    blocks.slice(head, blocks.length - tail),
    blocks.slice(blocks.length - tail),
  ];
}

function spanOf(blocks: readonly Block[], side: 'before' | 'after') {
  const [first, last] = [blocks[0]![side], blocks.at(-1)![side]];
  return first && last && { start: first.start, end: last.end };
}

/** Offsets usually increase from call to call, so counting continues from the last one. */
function lineCounter(content: string): (place: number) => number {
  let [at, line] = [0, 1];
  return (place) => {
    if (place < at) [at, line] = [0, 1];
    for (let next = content.indexOf('\n', at); next >= 0 && next < place; next = content.indexOf('\n', at)) {
      at = next + 1;
      line += 1;
    }
    return line;
  };
}

/** Removes the indentation that would make a nested item, shown alone, look like code: as much from each line as from the first. */
export function withoutIndent(text: string): string {
  const indent = /^[ \t]*/.exec(text)![0].length;
  if (indent === 0) return text;
  return text
    .split('\n')
    .map((line) => line.slice(Math.min(indent, /^[ \t]*/.exec(line)![0].length)))
    .join('\n');
}

const TASK = /^(\s*(?:[-+*]|\d{1,9}[.)])[ \t]+)\[([ xX])\](.*)$/s;

/** The new state of a checkbox, if nothing else changed. */
export function changedCheckbox(before: string, after: string): 'done' | 'not done' | undefined {
  const [old, now] = [TASK.exec(before), TASK.exec(after)];
  if (!old || !now || old[2] === now[2] || old[1] !== now[1] || old[3] !== now[3]) return undefined;
  return now[2] === ' ' ? 'not done' : 'done';
}

interface Painted {
  content: string;
  highlights: { id: string; start: number; end: number; tone: 'added' | 'removed' }[];
}

/** How to format a changed block: inline, side by side, or as source when formatting would hide the change. */
export type FormattedChange =
  | { kind: 'merged'; text: Painted }
  | { kind: 'sides'; before: Painted; after: Painted }
  | { kind: 'source' };

/** Formatting characters; a change to these alone is marked on the word beside them. */
const MARKUP = /[\\`*_[\]()<>#|~!&\n]/;
/** Link addresses and definitions, which formatted text doesn't show. */
const HIDDEN = /(?<=\]\()[^)\n]*(?=\))|^ {0,3}\[[^\]\n]+\]:.*$/gm;

export function formatChange(before: string, after: string, words: readonly WordPiece[]): FormattedChange {
  const sides = { before: sideOf(words, 'removed'), after: sideOf(words, 'added') };
  if (isHidden(sides.before) || isHidden(sides.after)) return { kind: 'source' };
  const isPlain = words.every(({ change, text }) => change === 'same' || !MARKUP.test(text));
  // The mark in a checkbox isn't a word.
  const isSameBox = TASK.exec(before)?.[2] === TASK.exec(after)?.[2];
  if (!isPlain || !isSameBox) {
    return { kind: 'sides', before: withVisibleMarks(sides.before), after: withVisibleMarks(sides.after) };
  }
  return { kind: 'merged', text: withoutIndentOf(paintWords(words)) };
}

function sideOf(words: readonly WordPiece[], change: 'added' | 'removed'): Painted {
  const other = change === 'added' ? 'removed' : 'added';
  return paintWords(words.filter((word) => word.change !== other));
}

function paintWords(words: readonly WordPiece[]): Painted {
  let content = '';
  const highlights = words.flatMap(({ change, text }, index) => {
    const start = content.length;
    content += text;
    return change === 'same' ? [] : [{ id: String(index), start, end: content.length, tone: change }];
  });
  return { content, highlights };
}

function isHidden({ content, highlights }: Painted): boolean {
  return Array.from(content.matchAll(HIDDEN)).some(({ 0: text, index }) =>
    highlights.some(({ end, start }) => start < index + text.length && index < end),
  );
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** A highlight that covers only markup, such as `**`, is extended to the word that it formats. */
function withVisibleMarks(side: Painted): Painted {
  const { content } = side;
  const isWord = (at: number) => WORD.test(content[at] ?? '');
  const highlights = side.highlights.map((highlight) => {
    let { end, start } = highlight;
    if (WORD.test(content.slice(start, end))) return highlight;
    if (isWord(end)) while (isWord(end)) end += 1;
    else while (isWord(start - 1)) start -= 1;
    return { ...highlight, start, end };
  });
  return withoutIndentOf({ content, highlights });
}

/** Only the first line: indented lines after it belong to the same block anyway. */
function withoutIndentOf({ content, highlights }: Painted): Painted {
  const indent = /^[ \t]*/.exec(content)![0].length;
  return {
    content: content.slice(indent),
    highlights: highlights.map(({ end, start, ...rest }) => ({
      ...rest,
      start: start - indent,
      end: end - indent,
    })),
  };
}

/** The source lines of a part, with the words that differ between a line and its replacement. */
export function linesOf(part: Part): Line[] {
  let { after, before } = part.lines;
  const compared = part.before === '' ? [] : compareLines(part.before, part.after);
  const changes =
    part.before === '' || part.after === ''
      ? (part.before || part.after)
          .split(/\r?\n/)
          .map((text): WordPiece => ({ change: part.before === '' ? 'added' : 'removed', text }))
      : compared;
  const pairs = pairLines(changes);
  return changes.map(({ change, text }, index) => ({
    change,
    before: change === 'added' ? undefined : before++,
    after: change === 'removed' ? undefined : after++,
    words: pairs.get(index) ?? [{ change: 'same', text }],
  }));
}

/** Removed lines followed by the same number of added lines, paired up. */
function pairLines(changes: readonly WordPiece[]): Map<number, WordPiece[]> {
  const pairs = new Map<number, WordPiece[]>();
  for (let start = 0; start < changes.length; start += 1) {
    if (changes[start]!.change !== 'removed') continue;
    let middle = start;
    while (changes[middle]?.change === 'removed') middle += 1;
    let end = middle;
    while (changes[end]?.change === 'added') end += 1;
    if (end - middle === middle - start) {
      for (let offset = 0; offset < middle - start; offset += 1) {
        const { pieces: words } = compareWords(changes[start + offset]!.text, changes[middle + offset]!.text);
        pairs.set(
          start + offset,
          words.filter(({ change }) => change !== 'added'),
        );
        pairs.set(
          middle + offset,
          words.filter(({ change }) => change !== 'removed'),
        );
      }
    }
    start = end - 1;
  }
  return pairs;
}
