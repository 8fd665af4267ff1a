/**
 * Splits source code into words, strings and symbols, without comments. One pass over the text, for all languages: a few
 * extractors need calls and their literal arguments in thousands of files, and visiting syntax nodes takes far longer.
 */
import { type StringSyntax, type Syntax, syntaxOf } from './syntax.ts';

export interface Token {
  kind: 'word' | 'string' | 'number' | 'symbol';
  /** For a string: its content, with HOLE for each interpolated expression. */
  text: string;
  /** From 1. */
  line: number;
  /** From 0. */
  column: number;
  /** For a string that starts with an interpolated expression: that expression. */
  firstHole?: string;
}

/** Stands for what is only known when the program runs. No source text contains it. */
export const HOLE = '\u0001';
/** The rest of a larger file is not read. */
export const MAX_TOKENS = 400_000;
const MAX_STRING_CHARACTERS = 20_000;
/** Characters that may be read in vain for strings that never end; only hostile files need more. */
const MAX_WASTED_CHARACTERS = 1_000_000;

/** None when the language isn't known here. */
export function readTokens(text: string, language: string | null): Token[] {
  const syntax = syntaxOf(language);
  return syntax ? new Tokenizer(text, syntax).read() : [];
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const OPERATORS = /=>|->|::|\?\.|:=|==|!=|<=|>=|\+=|<-/y;
const HEREDOC = /<<[~-]?(["']?)([A-Z_][A-Z0-9_]{0,40})\1|<<<\s?(["']?)([A-Za-z_]\w{0,40})\3/y;
const BEFORE_REGEX = new Set([
  ...[
    'return',
    'typeof',
    'case',
    'in',
    'of',
    'do',
    'else',
    'if',
    'unless',
    'when',
    'and',
    'or',
    'not',
    'yield',
  ],
]);

class Tokenizer {
  readonly #text: string;
  readonly #syntax: Syntax;
  readonly #tokens: Token[] = [];
  #position = 0;
  #line = 1;
  #lineStart = 0;
  #wasted = 0;
  #nextNewline = -1;

  constructor(text: string, syntax: Syntax) {
    this.#text = text;
    this.#syntax = syntax;
  }

  read(): Token[] {
    if (this.#syntax.startsAfter) this.#skipTo(this.#syntax.startsAfter);
    while (
      this.#position < this.#text.length &&
      this.#tokens.length < MAX_TOKENS &&
      this.#wasted < MAX_WASTED_CHARACTERS
    ) {
      this.#readOne();
    }
    return this.#tokens;
  }

  #readOne(): void {
    const code = this.#text.charCodeAt(this.#position);
    if (code === 10) {
      this.#position += 1;
      this.#startLine();
    } else if (code <= 32) this.#position += 1;
    else if (!this.#skipComment() && !this.#readString() && !this.#readWord()) this.#readSymbol();
  }

  #startLine(): void {
    this.#line += 1;
    this.#lineStart = this.#position;
  }

  #push(
    kind: Token['kind'],
    text: string,
    line = this.#line,
    column = this.#position - this.#lineStart,
  ): void {
    this.#tokens.push({ kind, text, line, column });
  }

  #skipTo(marker: string): void {
    const found = this.#text.indexOf(marker, this.#position);
    this.#moveTo(found === -1 ? this.#text.length : found + marker.length);
  }

  /** Counts the lines on the way. */
  #moveTo(end: number): void {
    if (this.#nextNewline < this.#position) this.#findNewline();
    while (this.#nextNewline < end) {
      this.#position = this.#nextNewline + 1;
      this.#startLine();
      this.#findNewline();
    }
    this.#position = end;
  }

  /** Remembered, since the next one can be a megabyte away. */
  #findNewline(): void {
    const found = this.#text.indexOf('\n', this.#position);
    this.#nextNewline = found === -1 ? Number.POSITIVE_INFINITY : found;
  }

  #skipComment(): boolean {
    for (const marker of this.#syntax.lineComments) {
      if (!this.#text.startsWith(marker, this.#position)) continue;
      if (marker === '#' && this.#syntax.hasHashAttributes && this.#text[this.#position + 1] === '[')
        continue;
      const end = this.#text.indexOf('\n', this.#position);
      this.#position = end === -1 ? this.#text.length : end;
      return true;
    }
    for (const [open, close] of this.#syntax.blockComments) {
      if (!this.#text.startsWith(open, this.#position)) continue;
      if (open === '=begin' && this.#position !== this.#lineStart) continue;
      this.#skipTo(close);
      return true;
    }
    if (this.#syntax.startsAfter && this.#text.startsWith('?>', this.#position)) {
      this.#skipTo('<?');
      return true;
    }
    return false;
  }

  #readString(): boolean {
    if (this.#syntax.hasHeredocs && this.#text.startsWith('<<', this.#position) && this.#readHeredoc())
      return true;
    if (this.#syntax.hasRegexes && this.#text[this.#position] === '/' && this.#skipRegex()) return true;
    for (const string of this.#syntax.strings) {
      const prefix = this.#prefixOf(string);
      if (prefix !== null) return this.#readQuoted(string, prefix);
    }
    return false;
  }

  /** The letters before the quote, such as the `f` of Python; null when no such string starts here. */
  #prefixOf(string: StringSyntax): string | null {
    if (this.#text.startsWith(string.open, this.#position)) return '';
    if (!string.prefix) return null;
    string.prefix.lastIndex = this.#position;
    const prefix = string.prefix.exec(this.#text)?.[0];
    return prefix && this.#text.startsWith(string.open, this.#position + prefix.length) ? prefix : null;
  }

  #readQuoted(string: StringSyntax, prefix: string): boolean {
    const start = this.#position + prefix.length + string.open.length;
    const isRaw = string.isRaw || /[r@]/i.test(prefix);
    const interpolation = string.interpolation?.(prefix) ?? null;
    let value = '';
    let firstHole: string | undefined;
    let from = start;
    let at = start;
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (Number.isNaN(code) || at - start > MAX_STRING_CHARACTERS || (code === 10 && !string.isMultiline)) {
        // No string after all, such as the apostrophe of a text or of a lifetime.
        this.#wasted += at - start;
        this.#push('symbol', string.open);
        this.#moveTo(Math.min(this.#text.length, this.#position + prefix.length + string.open.length));
        return true;
      }
      if (code === 92 && !isRaw) {
        value += this.#text.slice(from, at) + unescaped(this.#text[at + 1] ?? '');
        at += 2;
        from = at;
      } else if (this.#text.startsWith(string.close, at)) break;
      else {
        const end = interpolation ? this.#endOfHole(interpolation, at) : at;
        if (end > at) {
          if (at === start) firstHole = expressionOf(this.#text.slice(at, end));
          value += this.#text.slice(from, at) + HOLE;
          from = end;
        }
        at = Math.max(end, at + (end > at ? 0 : 1));
      }
    }
    value += this.#text.slice(from, at);
    this.#push('string', value);
    if (firstHole !== undefined) this.#tokens.at(-1)!.firstHole = firstHole;
    this.#moveTo(at + string.close.length);
    return true;
  }

  /** Where the interpolated expression ends that starts here; the same place when none does. */
  #endOfHole(interpolation: readonly string[], at: number): number {
    for (const open of interpolation) {
      if (!this.#text.startsWith(open, at)) continue;
      if (!open.includes('{')) {
        WORD.lastIndex = at + 1;
        return at + 1 + (WORD.exec(this.#text)?.[0].length ?? -1);
      }
      if (open === '{' && this.#text[at + 1] === '{') return at;
      let depth = 1;
      const limit = Math.min(this.#text.length, at + 1000);
      for (let end = at + open.length; end < limit; end += 1) {
        const character = this.#text[end];
        if (character === '{') depth += 1;
        else if (character === '}' && --depth === 0) return end + 1;
      }
      this.#wasted += limit - at;
    }
    return at;
  }

  #readHeredoc(): boolean {
    HEREDOC.lastIndex = this.#position;
    const match = HEREDOC.exec(this.#text);
    const name = match?.[2] ?? match?.[4];
    if (!match || !name) return false;
    const firstLineEnd = this.#text.indexOf('\n', this.#position);
    if (firstLineEnd === -1) return false;
    const body = this.#text.slice(firstLineEnd + 1, firstLineEnd + 1 + MAX_STRING_CHARACTERS);
    const end = body.search(new RegExp(`^[ \\t]{0,80}${name}\\b`, 'm'));
    if (end === -1) {
      this.#wasted += body.length;
      return false;
    }
    this.#push('string', body.slice(0, end).replace(/[#$]\{[^}\n]{0,200}\}/g, HOLE));
    const { column } = this.#tokens.at(-1)!;
    // The rest of the first line still belongs to the statement, but is rarely more than closing brackets.
    for (const character of this.#text.slice(this.#position + match[0].length, firstLineEnd)) {
      if (/[()[\]{},;]/.test(character)) this.#push('symbol', character, this.#line, column);
    }
    this.#moveTo(firstLineEnd + 1 + end);
    this.#moveTo(this.#text.indexOf(name, this.#position) + name.length);
    return true;
  }

  /** A slash after a value divides; elsewhere it starts a regular expression. */
  #skipRegex(): boolean {
    const previous = this.#tokens.at(-1);
    if (previous && (previous.kind === 'string' || previous.kind === 'number')) return false;
    if (previous?.kind === 'word' && !BEFORE_REGEX.has(previous.text)) return false;
    if (previous?.kind === 'symbol' && /^[)\]}]$/.test(previous.text)) return false;
    let inClass = false;
    const limit = this.#position + 2000;
    for (let at = this.#position + 1; at < limit; at += 1) {
      const character = this.#text[at];
      if (character === undefined || character === '\n') break;
      if (character === '\\') at += 1;
      else if (character === '[') inClass = true;
      else if (character === ']') inClass = false;
      else if (character === '/' && !inClass) {
        this.#position = at + 1;
        return true;
      }
    }
    this.#wasted += 100;
    return false;
  }

  #readWord(): boolean {
    WORD.lastIndex = this.#position;
    const word = WORD.exec(this.#text)?.[0];
    NUMBER.lastIndex = this.#position;
    const found = word ?? NUMBER.exec(this.#text)?.[0];
    if (found === undefined) return false;
    this.#push(word ? 'word' : 'number', found.slice(0, 300));
    this.#position += found.length;
    return true;
  }

  #readSymbol(): void {
    OPERATORS.lastIndex = this.#position;
    const symbol = OPERATORS.exec(this.#text)?.[0] ?? this.#text[this.#position]!;
    this.#push('symbol', symbol);
    this.#position += symbol.length;
  }
}

/** The text inside `${…}`, `#{…}`, `{…}` or `$name`. */
function expressionOf(hole: string): string {
  return hole.replace(/^(?:[$#]?\{|\$)/, '').replace(/\}$/, '');
}

function unescaped(character: string): string {
  if (character === 'n') return '\n';
  return character === 't' ? '\t' : character === '\n' ? '' : character;
}
