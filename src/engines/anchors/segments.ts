/** Cuts Markdown into the pieces that people comment on: sentences, list items, headings, table rows, lines of code. */
import type { Block } from '../text/index.ts';

export interface Segment {
  start: number;
  end: number;
  /** The text with each run of white space as one space: equal for a sentence that was only rewrapped. */
  key: string;
}

/**
 * A full stop and the like with what closes after it, before white space; in Chinese and Japanese without it. It may
 * begin only where a run of stops begins: else a million of them would be gone through a million times.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]*_`]*(?=\s)|[。！？｡]+["'”’」』）)\]*_`]*/g;
const LINE_END = /\n/g;

/** What is shorter ("e.g.", "1.", a row of dots) goes with what follows it. */
const SHORTEST = 5;

const UNEVEN_SPACE = /\s\s|[^\S ]/;
const WHITE_SPACE = /\s+/g;
/** In a block quote a line break takes the marker of the next line with it. */
const QUOTE_WHITE_SPACE = /\s+(?:>[>\s]*)?/g;

const BY_LINE = new Set<Block['kind']>(['code', 'table', 'html', 'front-matter']);

/** The segments of the blocks that reach into `[start, end)`, cut off at its edges. */
export function segmentsOf(text: string, blocks: readonly Block[], start: number, end: number): Segment[] {
  const segments: Segment[] = [];
  for (let index = firstEndingAfter(blocks, start); index < blocks.length; index += 1) {
    const block = blocks[index]!;
    if (block.start >= end) break;
    // A fence and what follows it are a line of their own; other markers are not part of what is said.
    const from = Math.max(BY_LINE.has(block.kind) ? block.start : block.textStart, start);
    const to = Math.min(BY_LINE.has(block.kind) ? block.end : block.textEnd, end);
    if (from >= to) continue;
    const ends = BY_LINE.has(block.kind) ? LINE_END : SENTENCE_END;
    const spaces = block.kind === 'quote' ? QUOTE_WHITE_SPACE : WHITE_SPACE;
    cut(text.slice(from, to), from, ends, spaces, segments);
  }
  return segments;
}

/** The first item that ends after the place; items are in order and do not overlap. */
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
