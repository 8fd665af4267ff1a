/** The visible text of inline Markdown, without the markup for emphasis, code and links. */

export interface CodeSpan {
  start: number;
  end: number;
  /** The text between the backticks. */
  textStart: number;
  textEnd: number;
}

/** The code spans of a text, in order. Each run of backticks is visited once, even if none of them match. */
export function findCodeSpans(text: string): CodeSpan[] {
  const runs: Array<{ start: number; length: number; closedBy: number }> = [];
  const first = text.indexOf('`');
  if (first < 0) return [];
  for (let at = first; at >= 0; ) {
    let end = at + 1;
    while (text.charCodeAt(end) === 0x60) end += 1;
    runs.push({ start: at, length: end - at, closedBy: -1 });
    at = text.indexOf('`', end);
  }
  const nextOfLength = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index]!;
    run.closedBy = nextOfLength.get(run.length) ?? -1;
    nextOfLength.set(run.length, index);
  }
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]!;
    if (run.closedBy < 0 || isEscaped(text, run.start)) continue;
    const close = runs[run.closedBy]!;
    const textStart = run.start + run.length;
    spans.push({ start: run.start, end: close.start + close.length, textStart, textEnd: close.start });
    index = run.closedBy;
  }
  return spans;
}

/** Removes emphasis and code markup, replaces links and images with their text, and collapses white space. */
export function plainText(markdown: string): string {
  const pieces = new InlineReader(markdown).read();
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

const SPECIAL = /[`\\![\]<&*_~]/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const KNOWN_TAG =
  /^\/?(?:a|abbr|b|big|br|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul|var|video)(?=[\s/]|$)/i;
const AUTOMATIC_LINK = /^[a-z][a-z0-9+.-]{1,31}:\S*$/i;
const ENTITY = /^&(amp|lt|gt|quot|apos|nbsp|#39);/;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
};

/** A run of `*`, `_` or `~` that may be emphasis. */
interface Delimiter {
  piece: number;
  left: number;
  length: number;
  opens: boolean;
  closes: boolean;
}

class InlineReader {
  readonly #text: string;
  readonly #pieces: string[] = [];
  readonly #openBrackets: number[] = [];
  /** For each character, the opening runs that have no closing run yet. */
  readonly #waiting: Record<string, Delimiter[]> = { '*': [], _: [], '~': [] };
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string[] {
    const text = this.#text;
    const spans = findCodeSpans(text);
    let span = 0;
    while (this.#at < text.length) {
      SPECIAL.lastIndex = this.#at;
      const found = SPECIAL.exec(text);
      const special = found ? found.index : text.length;
      if (special > this.#at) this.#take(special);
      if (!found) break;
      while (span < spans.length && spans[span]!.start < special) span += 1;
      if (spans[span]?.start === special) this.#code(spans[span]!);
      else this.#mark(found[0]);
    }
    return this.#pieces;
  }

  /** Adds everything before `end` as text. */
  #take(end: number): void {
    this.#pieces.push(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #replace(end: number, words: string): void {
    this.#pieces.push(words);
    this.#at = end;
  }

  #code(span: CodeSpan): void {
    const code = this.#text.slice(span.textStart, span.textEnd);
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#replace(span.end, isPadded ? code.slice(1, -1) : code);
  }

  #mark(mark: string): void {
    const text = this.#text;
    const at = this.#at;
    const next = text[at + 1];
    if (mark === '\\' && next !== undefined && ESCAPABLE.test(next)) this.#replace(at + 2, next);
    else if (mark === '[' || (mark === '!' && next === '[')) {
      this.#openBrackets.push(this.#pieces.length);
      this.#take(at + (mark === '[' ? 1 : 2));
    } else if (mark === ']') this.#closeBracket();
    else if (mark === '<') this.#angle();
    else if (mark === '&') {
      const entity = ENTITY.exec(text.slice(at, at + 7));
      if (entity) this.#replace(at + entity[0].length, ENTITIES[entity[1]!]!);
      else this.#take(at + 1);
    } else if (mark === '*' || mark === '_' || mark === '~') this.#delimiter(mark);
    else this.#take(at + 1);
  }

  #closeBracket(): void {
    const opening = this.#openBrackets.pop();
    const end = opening === undefined ? -1 : this.#endOfDestination(this.#at + 1);
    if (opening === undefined || end < 0) {
      this.#take(this.#at + 1);
      return;
    }
    this.#pieces[opening] = '';
    this.#replace(end, '');
  }

  /** The index after `(address "title")`, or -1. Stops where another link begins, so that no part is read twice. */
  #endOfDestination(from: number): number {
    const text = this.#text;
    if (text[from] !== '(') return -1;
    let depth = 0;
    let quote = '';
    let isTitle = false;
    for (let at = from; at < text.length; at += 1) {
      const char = text[at]!;
      if (char === ']' && text[at + 1] === '(') return -1;
      if (char === '\\') at += 1;
      else if (quote !== '') {
        if (char === quote) quote = '';
      } else if (isTitle && (char === '"' || char === "'")) quote = char;
      else if (char === '(') depth += 1;
      else if (char === ')') {
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if (/\s/.test(char)) isTitle = true;
      else if (isTitle && depth === 1) return -1;
    }
    return -1;
  }

  #angle(): void {
    const text = this.#text;
    const from = this.#at + 1;
    let end = from;
    while (end < text.length && text[end] !== '>' && text[end] !== '<') end += 1;
    const inner = text[end] === '>' ? text.slice(from, end) : '';
    if (inner.startsWith('!--')) this.#replace(end + 1, '');
    else if (KNOWN_TAG.test(inner)) this.#replace(end + 1, inner.startsWith('br') ? ' ' : '');
    else if (AUTOMATIC_LINK.test(inner)) this.#replace(end + 1, inner);
    else this.#take(from);
  }

  #delimiter(mark: string): void {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    while (text[end] === mark) end += 1;
    const before = neighbor(text.slice(Math.max(0, start - 2), start), -1);
    const after = neighbor(text.slice(end, end + 2), 0);
    const opens = after === 'symbol' ? before !== 'word' : after === 'word';
    const closes = before === 'symbol' ? after !== 'word' : before === 'word';
    this.#take(end);
    if (mark === '~' && end - start !== 2) return;
    const isUnderscore = mark === '_';
    const delimiter: Delimiter = {
      piece: this.#pieces.length - 1,
      left: end - start,
      length: end - start,
      opens: opens && (!isUnderscore || before !== 'word'),
      closes: closes && (!isUnderscore || after !== 'word'),
    };
    const waiting = this.#waiting[mark]!;
    if (delimiter.closes) this.#match(delimiter, waiting);
    if (delimiter.left > 0 && delimiter.opens) waiting.push(delimiter);
  }

  #match(closing: Delimiter, waiting: Delimiter[]): void {
    while (closing.left > 0 && waiting.length > 0) {
      const opening = waiting.at(-1)!;
      // CommonMark's rule of three: in `a**b*c`, `b` is not emphasized.
      const isOdd = (opening.length + closing.length) % 3 === 0 && opening.length % 3 !== 0;
      if (isOdd && (opening.closes || closing.opens)) return;
      const used = Math.min(opening.left, closing.left);
      for (const delimiter of [opening, closing]) {
        delimiter.left -= used;
        this.#pieces[delimiter.piece] = this.#pieces[delimiter.piece]!.slice(used);
      }
      if (opening.left === 0) waiting.pop();
    }
  }
}

/** The kind of character next to a run, for the emphasis rules. */
function neighbor(two: string, at: -1 | 0): 'space' | 'symbol' | 'word' {
  const character = at === 0 ? two.slice(0, two.codePointAt(0)! > 0xffff ? 2 : 1) : lastCharacter(two);
  if (character === '' || /^\s/u.test(character)) return 'space';
  return /^[\p{P}\p{S}]/u.test(character) ? 'symbol' : 'word';
}

function lastCharacter(two: string): string {
  return two.length === 2 && two.codePointAt(0)! > 0xffff ? two : two.slice(-1);
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
