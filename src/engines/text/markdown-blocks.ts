/**
 * Splits Markdown into blocks in one pass over the lines, without recursion, so that adversarial text costs no more than
 * plain text. Follows CommonMark and GFM for which line belongs to which block; doesn't parse inside block quotes.
 */
import {
  type Before,
  cellCount,
  closesFence,
  columnAt,
  delimiterColumns,
  fenceLength,
  type HtmlEnding,
  headingLevel,
  htmlEnding,
  isSpace,
  lineKind,
  markerWidth,
  skipSpace,
  underlineLevel,
} from './markdown-lines.ts';
import { findFrontMatter, SourceLines } from './source-lines.ts';

export type BlockKind =
  | 'front-matter'
  | 'heading'
  | 'paragraph'
  | 'list-item'
  | 'code'
  | 'table'
  | 'quote'
  | 'html'
  | 'rule';

/** Whole lines of the source, without the line break at the end; blocks come in order and leave out only blank lines. */
export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** The range of its text without markers: the text of a heading or list item, the lines between fences. */
  textStart: number;
  textEnd: number;
  /** 1 to 6 for a heading, otherwise 0. */
  level: number;
  /** How many list items enclose it. */
  depth: number;
  /** Whether the checkbox of an item is checked; null if it has none. */
  task: boolean | null;
}

/** Lists nested deeper than this are treated as text of the deepest one. */
const MAX_DEPTH = 50;

/** Everything after this many blocks is one paragraph. No real plan has so many, and callers can rely on the limit. */
export const MAX_BLOCKS = 50_000;

const LEFT_PARAGRAPH: Before = 'paragraph of an item that the line left';

/** How following lines can extend the open block. */
type Open = 'nothing' | 'paragraph' | 'empty-item' | 'fence' | 'indented' | 'table' | 'quote' | 'html';

export function splitBlocks(content: string): Block[] {
  return new BlockScanner(content).scan();
}

/** The info string after the opening fence of a code block (`ts title="a.ts"`); null if the block has no fence. */
export function fenceInfo(content: string, block: Block): string | null {
  if (block.kind !== 'code' || block.textStart === block.start) return null;
  const line = content.slice(block.start, block.textStart).trim();
  return line.slice(fenceLength(line, 0, line.length)).trim();
}

class BlockScanner {
  readonly #content: string;
  readonly #lines: SourceLines;
  readonly #blocks: Block[] = [];
  /** The column where the text of each open list item starts, outermost first. */
  readonly #items: number[] = [];
  #open: Open = 'nothing';
  #block!: Block;
  #fence = '';
  /** Where the line after the opening fence starts. */
  #fenceText = 0;
  #html: HtmlEnding = { until: '', heading: false };
  /** Whether a line without `>` would still continue the open quote. */
  #quoteEndsInText = false;
  #quoteFenceOpen = false;

  constructor(content: string) {
    this.#content = content;
    this.#lines = new SourceLines(content);
  }

  scan(): Block[] {
    const content = this.#content;
    let start = content.charCodeAt(0) === 0xfeff ? 1 : 0;
    start = this.#frontMatter(start);
    while (start < content.length) {
      const end = this.#lines.end(start);
      const next = this.#lines.next(end);
      const at = skipSpace(content, start, end);
      if (at === end) this.#blankLine();
      else this.#line(start, at, end, next);
      start = next;
      if (this.#blocks.length > MAX_BLOCKS) {
        const rest = this.#blocks.pop()!.start;
        this.#items.length = 0;
        this.#add('paragraph', rest, Math.max(end, content.trimEnd().length), 'nothing');
        break;
      }
    }
    return this.#blocks;
  }

  #frontMatter(start: number): number {
    const found = findFrontMatter(this.#content, start, this.#lines);
    if (!found) return start;
    this.#add('front-matter', start, found.end, 'nothing', found.textStart);
    this.#block.textEnd = found.textEnd;
    return this.#lines.next(found.end);
  }

  #blankLine(): void {
    const stays =
      this.#open === 'fence' ||
      this.#open === 'indented' ||
      (this.#open === 'html' && this.#html.until !== '');
    if (!stays) this.#open = 'nothing';
  }

  #line(start: number, at: number, end: number, next: number): void {
    const indent = columnAt(this.#content, start, at, 0);
    let matched = this.#items.length;
    while (matched > 0 && indent < this.#items[matched - 1]!) matched -= 1;
    const allMatched = matched === this.#items.length;
    const relative = indent - (matched > 0 ? this.#items[matched - 1]! : 0);
    if (this.#open !== 'nothing' && this.#continues(start, at, end, next, relative, allMatched)) return;
    this.#items.length = matched;
    this.#begin(start, at, end, next, relative, indent);
  }

  /** Adds the line to the open block; false if the line starts a new block. */
  #continues(
    start: number,
    at: number,
    end: number,
    next: number,
    relative: number,
    allMatched: boolean,
  ): boolean {
    switch (this.#open) {
      case 'fence':
        if (!allMatched) return false;
        if (this.#block.kind === 'code') this.#block.textStart = this.#fenceText;
        if (relative <= 3 && closesFence(this.#content, at, end, this.#fence)) {
          const textEnd = this.#block.kind === 'code' ? start : end;
          this.#block.end = end;
          this.#block.textEnd = textEnd;
          this.#open = 'nothing';
        } else this.#extend(end);
        return true;
      case 'indented':
        if (!allMatched || relative < 4) return false;
        this.#extend(end);
        return true;
      case 'html':
        if (!allMatched || (this.#html.heading && headingLevel(this.#content, at, end) > 0)) return false;
        this.#extend(end);
        if (this.#htmlIsOver(start, end)) this.#open = 'nothing';
        return true;
      case 'quote':
        if (allMatched && relative <= 3 && this.#content[at] === '>') this.#readQuoteLine(at, end);
        else if (
          !this.#quoteEndsInText ||
          this.#beginsSomething(at, end, relative, allMatched ? 'paragraph' : LEFT_PARAGRAPH)
        )
          return false;
        this.#extend(end);
        return true;
      case 'table':
        if (!allMatched || this.#beginsSomething(at, end, relative, LEFT_PARAGRAPH)) return false;
        this.#extend(end);
        return true;
      case 'empty-item':
        if (!allMatched || relative > 3 || this.#beginsSomething(at, end, relative, LEFT_PARAGRAPH))
          return false;
        this.#extend(end);
        this.#open = 'paragraph';
        return true;
      default:
        return this.#continuesParagraph(at, end, next, relative, allMatched);
    }
  }

  #continuesParagraph(at: number, end: number, next: number, relative: number, allMatched: boolean): boolean {
    if (allMatched && relative <= 3 && this.#block.kind === 'paragraph') {
      const level = underlineLevel(this.#content, at, end);
      if (level > 0) {
        this.#block.kind = 'heading';
        this.#block.level = level;
        this.#block.end = end;
        this.#open = 'nothing';
        return true;
      }
    }
    if (this.#beginsSomething(at, end, relative, allMatched ? 'paragraph' : LEFT_PARAGRAPH)) return false;
    if (allMatched && relative <= 3 && this.#beginsTable(at, end, next)) return false;
    this.#extend(end);
    return true;
  }

  #beginsSomething(at: number, end: number, relative: number, before: Before): boolean {
    return relative <= 3 && lineKind(this.#content, at, end, before) !== 'text';
  }

  #begin(start: number, at: number, end: number, next: number, relative: number, indent: number): void {
    if (relative > 3) {
      this.#add('code', start, end, 'indented');
      return;
    }
    const kind = lineKind(this.#content, at, end, 'nothing');
    if (kind === 'text') {
      if (this.#beginsTable(at, end, next)) this.#add('table', start, end, 'table');
      else this.#add('paragraph', start, end, 'paragraph', at);
    } else if (kind === 'heading') this.#beginHeading(start, at, end);
    else if (kind === 'list-item') this.#beginItem(start, at, end, indent);
    else if (kind === 'rule') this.#add('rule', start, end, 'nothing');
    else if (kind === 'fence') {
      this.#add('code', start, end, 'fence', end);
      this.#fenceText = next;
      this.#fence = this.#content.slice(at, at + fenceLength(this.#content, at, end));
    } else if (kind === 'quote') {
      this.#add('quote', start, end, 'quote', at);
      this.#quoteFenceOpen = false;
      this.#readQuoteLine(at, end);
    } else {
      this.#add('html', start, end, 'html', at);
      this.#html = htmlEnding(this.#content, at, end, false)!;
      if (this.#htmlIsOver(start, end)) this.#open = 'nothing';
    }
  }

  #beginHeading(start: number, at: number, end: number): void {
    const content = this.#content;
    this.#add('heading', start, end, 'nothing');
    this.#block.level = headingLevel(content, at, end);
    const textStart = skipSpace(content, at + this.#block.level, end);
    let textEnd = trimEnd(content, textStart, end);
    let hashes = textEnd;
    while (hashes > textStart && content[hashes - 1] === '#') hashes -= 1;
    if (hashes < textEnd && (hashes === textStart || isSpace(content.charCodeAt(hashes - 1)))) {
      textEnd = trimEnd(content, textStart, hashes);
    }
    this.#block.textStart = textStart;
    this.#block.textEnd = textEnd;
  }

  /** One line can open several items (`- 1. text`). They are one block, but following lines can belong to any of them. */
  #beginItem(start: number, at: number, end: number, indent: number): void {
    const content = this.#content;
    this.#add('list-item', start, end, 'paragraph');
    let place = at;
    let column = indent;
    while (this.#items.length < MAX_DEPTH || place === at) {
      const width = markerWidth(content, place, end, false);
      const text = skipSpace(content, place + width, end);
      const textColumn = columnAt(content, place + width, text, column + width);
      const isFar = textColumn - column - width > 4;
      column = isFar || text === end ? column + width + 1 : textColumn;
      if (this.#items.length < MAX_DEPTH) this.#items.push(column);
      place = text;
      if (isFar || place === end || lineKind(content, place, end, 'nothing') !== 'list-item') break;
    }
    if (hasCheckbox(content, place, end)) {
      this.#block.task = content[place + 1] !== ' ';
      place = skipSpace(content, place + 3, end);
    }
    this.#block.textStart = place;
    const kind = place === end ? 'text' : lineKind(content, place, end, 'nothing');
    if (place === end) this.#open = 'empty-item';
    else if (kind === 'fence') {
      this.#open = 'fence';
      this.#fence = content.slice(place, place + fenceLength(content, place, end));
    } else if (kind !== 'text') this.#open = 'nothing';
  }

  #beginsTable(at: number, end: number, next: number): boolean {
    const content = this.#content;
    if (next >= content.length) return false;
    let second = next;
    while (second < content.length && isSpace(content.charCodeAt(second))) second += 1;
    const first = content[second];
    if (first !== '|' && first !== '-' && first !== ':') return false;
    const columns = delimiterColumns(content, second, this.#lines.end(second));
    return columns > 0 && columns === cellCount(content, at, end);
  }

  #readQuoteLine(at: number, end: number): void {
    let place = at;
    while (place < end && (this.#content[place] === '>' || isSpace(this.#content.charCodeAt(place)))) {
      place += 1;
    }
    const kind = place === end ? null : lineKind(this.#content, place, end, 'nothing');
    if (kind === 'fence') this.#quoteFenceOpen = !this.#quoteFenceOpen;
    this.#quoteEndsInText = !this.#quoteFenceOpen && (kind === 'text' || kind === 'list-item');
  }

  #htmlIsOver(start: number, end: number): boolean {
    const { until } = this.#html;
    return until !== '' && this.#content.slice(start, end).toLowerCase().includes(until);
  }

  #add(kind: BlockKind, start: number, end: number, open: Open, textStart = start): void {
    const depth = this.#items.length;
    this.#block = { kind, start, end, textStart, textEnd: end, level: 0, depth, task: null };
    this.#blocks.push(this.#block);
    this.#open = open;
  }

  #extend(end: number): void {
    this.#block.end = end;
    this.#block.textEnd = end;
  }
}

function hasCheckbox(content: string, at: number, end: number): boolean {
  if (content[at] !== '[' || content[at + 2] !== ']' || at + 3 > end) return false;
  const mark = content[at + 1];
  if (mark !== ' ' && mark !== 'x' && mark !== 'X') return false;
  return at + 3 === end || isSpace(content.charCodeAt(at + 3));
}

function trimEnd(content: string, start: number, end: number): number {
  let place = end;
  while (place > start && isSpace(content.charCodeAt(place - 1))) place -= 1;
  return place;
}
