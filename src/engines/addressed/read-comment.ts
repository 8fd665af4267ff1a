/** Reads the request in a review comment: suggested code, names, words, and the kind of change. */
import { findCodeSpans, splitBlocks, suggestedLines } from '../text/index.ts';
import { type Ask, readAsks } from './asks.ts';
import { isName, pairsOf, partsOf, tokensOf } from './code-words.ts';
import { isCommonWord } from './common-words.ts';
import { type Replacement, readReplacements } from './replacements.ts';

/** Longer comments are read up to here. */
const MAX_COMMENT = 20_000;

export interface Request {
  /** The lines of each suggestion block. */
  suggestions: string[][];
  /** Names in backticks, quotes or code blocks. */
  marked: Set<string>;
  /** These and words of the prose that are written like code. */
  names: Set<string>;
  /** The telling words of the prose, as stems. */
  words: Set<string>;
  /** Each two tokens that follow each other. */
  pairs: Set<string>;
  replacements: Replacement[];
  asks: Set<Ask>;
  /** The prose, without marks around code and without the sign at its end. */
  text: string;
  /** How many words the prose has. */
  length: number;
}

export function readComment(comment: string): Request {
  const { prose, code, suggestions } = splitComment(comment.slice(0, MAX_COMMENT));
  const pieces = proseWords(prose);
  const marked = new Set(code.flatMap(namesOf));
  const written = pieces.filter((word) => looksLikeCode(word) || pieces.length <= 2).flatMap(namesOf);
  const parts = pieces.flatMap(partsOf).filter((part) => part.length >= 3 && !isCommonWord(part));
  const lines = [...suggestions.flat(), ...code, ...prose.split('\n')];
  return {
    suggestions,
    marked,
    names: new Set([...marked, ...written, ...suggestions.flat().flatMap(namesOf)]),
    words: new Set(parts),
    pairs: new Set(lines.flatMap(pairsOf)),
    replacements: readReplacements(prose),
    asks: readAsks(prose),
    text: prose
      .replaceAll(/[`"“”]/g, '')
      .trim()
      .replace(/^(?:nit|nitpick|typo):? /i, '')
      .replace(/[.?!:]{1,3}$/, ''),
    length: pieces.length,
  };
}

/** Quoted lines are someone else's words, and the words of links say nothing. */
function splitComment(text: string) {
  const code: string[] = [];
  const suggestions: string[][] = [];
  const paragraphs: string[] = [];
  for (const block of splitBlocks(text)) {
    const content = text.slice(block.textStart, block.textEnd);
    const suggested = suggestedLines(text, block);
    if (block.kind !== 'code') {
      const own = content.split('\n').filter((line) => !line.trimStart().startsWith('>'));
      paragraphs.push(own.join('\n').replaceAll(/\bhttps?:\/\/\S+/g, ' '));
    } else if (suggested) suggestions.push(suggested);
    else code.push(...content.split('\n'));
  }
  const prose = paragraphs.join('\n');
  for (const span of findCodeSpans(prose)) code.push(prose.slice(span.textStart, span.textEnd));
  for (const [, quoted] of prose.matchAll(/["“]([^"“”\n]{1,100})["”]/g)) code.push(quoted!);
  return { prose, code, suggestions };
}

const PROSE_WORD = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$.()@#'’-]*/gu;

function proseWords(prose: string): string[] {
  return (prose.match(PROSE_WORD) ?? []).map((word) => word.slice(0, 200).replace(/[.'’-]{1,50}$/, ''));
}

/** `getName`, `max_size`, `run()`, `Map.Entry` and `@Nullable` are no words of prose. */
function looksLikeCode(word: string): boolean {
  return /[\p{Ll}\p{N}]\p{Lu}|_|\(\)|^[@$#]\p{L}|\p{L}{2}\.\p{L}{2}/u.test(word);
}

function namesOf(text: string): string[] {
  return tokensOf(text).filter((token) => isName(token) || token.length > 1);
}
