/** Splits Markdown into the pieces that people comment on: sentences, list items, headings, table rows, lines of code. */
import type { Block } from '../text/index.ts';

export interface Segment {
  start: number;
  end: number;
  /** The text with each run of white space replaced by one space, so that rewrapping a sentence doesn't change it. */
  key: string;
}

/**
 * Sentence-ending punctuation with any closing quotes and brackets, before white space; in Chinese and Japanese without
 * white space. It matches only at the start of a run of punctuation, because otherwise a long run takes quadratic time.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]*_`]*(?=\s)|[。！？｡]+["'”’」』）)\]*_`]*/g;
const LINE_END = /\n/g;

/** Anything shorter ("e.g.", "1.", a row of dots) belongs to what follows it. */
const SHORTEST = 5;

const UNEVEN_SPACE = /\s\s|[^\S ]/;
const WHITE_SPACE = /\s+/g;
/** In a block quote, a line break includes the marker of the next line. */
const QUOTE_WHITE_SPACE = /\s+(?:>[>\s]*)?/g;

const BY_LINE = new Set<Block['kind']>(['code', 'table', 'html', 'front-matter']);

/** The segments of the blocks that overlap `[start, end)`, clipped to it. */
export function segmentsOf(text: string, blocks: readonly Block[], start: number, end: number): Segment[] {
  const segments: Segment[] = [];
  for (let index = firstEndingAfter(blocks, start); index < blocks.length; index += 1) {
    const block = blocks[index]!;
    if (block.start >= end) break;
    // A fence with its info string is a line of its own; other markers are not part of the text.
    const from = Math.max(BY_LINE.has(block.kind) ? block.start : block.textStart, start);
    const to = Math.min(BY_LINE.has(block.kind) ? block.end : block.textEnd, end);
    if (from >= to) continue;
    const ends = BY_LINE.has(block.kind) ? LINE_END : SENTENCE_END;
    const spaces = block.kind === 'quote' ? QUOTE_WHITE_SPACE : WHITE_SPACE;
    cut(text.slice(from, to), from, ends, spaces, segments);
  }
  return segments;
}

/** The index of the first item that ends after the position; items are ordered and don't overlap. */
export function firstEndingAfter<Item extends { end: number }>(items: readonly Item[], place: number): number;
export function firstEndingAfter<Item>(
  items: readonly Item[],
  place: number,
  endOf: (item: Item) => number,
): number;
export function firstEndingAfter(
  items: ReadonlyArray<{ end: number }>,
  place: number,
  endOf = (item: { end: number }) => item.end,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(items[middle]!) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cut(part: string, offset: number, ends: RegExp, spaces: RegExp, segments: Segment[]): void {
  let at = 0;
  ends.lastIndex = 0;
  for (let match = ends.exec(part); match; match = ends.exec(part)) {
    const end = match.index + match[0].length;
    if (ends === SENTENCE_END && end - at < SHORTEST) continue;
    add(part, at, end, offset, spaces, segments);
    at = end;
  }
  add(part, at, part.length, offset, spaces, segments);
}

function add(
  part: string,
  from: number,
  to: number,
  offset: number,
  spaces: RegExp,
  segments: Segment[],
): void {
  const rest = part.slice(from, to).trimStart();
  const text = rest.trimEnd();
  if (text === '') return;
  const start = offset + to - rest.length;
  const key = UNEVEN_SPACE.test(text) ? text.replace(spaces, ' ') : text;
  segments.push({ start, end: start + text.length, key });
}
