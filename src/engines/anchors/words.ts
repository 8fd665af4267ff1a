/** Words of a text with their positions and weights, so that sentences are compared mainly by significant words. */
import { splitWords } from '../text/index.ts';
import type { Range } from './range.ts';

export interface Word {
  start: number;
  end: number;
  /** In lower case, so that a word that now begins a sentence is still the same word. */
  key: string;
  weight: number;
  /** Whether a blank line precedes it. */
  afterBlankLine: boolean;
}

/** Words of less weight are symbols or occur in every sentence. */
export const SIGNIFICANT_WORD = 0.5;

const GAP = /^\s/;
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u;
/** Scripts in which one character is about half a word. */
const HALF_A_WORD = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** All URLs look alike ("https", "github", "com"), so their words count less than the text of the link. */
const ADDRESS_SHARE = 0.25;
const ADDRESS_END = /^[)>\]"'`|]/;

/** The words and symbols of `text[start..end)`, without white space. */
export function wordsOf(text: string, start: number, end: number): Word[] {
  const words: Word[] = [];
  let at = start;
  let newlines = 0;
  let insideAddress = false;
  for (const piece of splitWords(text.slice(start, end))) {
    if (GAP.test(piece)) {
      insideAddress = false;
      if (piece.includes('\n')) newlines += 1;
    } else {
      const key = piece.toLowerCase();
      insideAddress = insideAddress ? !ADDRESS_END.test(key) : text.startsWith('://', at + piece.length);
      const weight = weightOf(key) * (insideAddress ? ADDRESS_SHARE : 1);
      words.push({ start: at, end: at + piece.length, key, weight, afterBlankLine: newlines > 1 });
      newlines = 0;
    }
    at += piece.length;
  }
  return words;
}

/** Short words and punctuation occur in every sentence, so they say little about which one it is. */
function weightOf(key: string): number {
  if (!LETTER_OR_DIGIT.test(key)) return 0.1;
  if (HALF_A_WORD.test(key)) return 0.5;
  return key.length >= 4 ? 1 : key.length === 3 ? 0.5 : 0.3;
}

export function weigh(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Whether a position is between words: "on" inside "once" is not the word "on", and "## Usage" inside "### Usage" is not
 * the same heading.
 */
export function isBetweenWords(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (text[at] === '#' && text[at - 1] === '#') return false;
  return !(WORD_END.test(text.slice(Math.max(0, at - 2), at)) && WORD_START.test(text.slice(at, at + 2)));
}

const WORD_END = /[\p{L}\p{M}\p{N}_]$/u;
const WORD_START = /^[\p{L}\p{M}\p{N}_]/u;

/** Whether a cut here would split a surrogate pair. */
export function cutsCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Clipped to the text, in order, and widened where an edge would split a character. */
export function wholeCharacters(text: string, { start, end }: Range): Range {
  const from = Math.min(Math.max(0, Math.trunc(start) || 0), text.length);
  const to = Math.min(Math.max(from, Math.trunc(end) || 0), text.length);
  return { start: cutsCharacter(text, from) ? from - 1 : from, end: cutsCharacter(text, to) ? to + 1 : to };
}
