/**
 * Splits a keyword into what is looked up: each of its words, as the beginning of a word or by its stem; or all of them written
 * as one word.
 */
import { namesIn, splitName } from './split-words.ts';

/** Words of a longer keyword beyond this number are not looked for. */
const MAX_WORDS_PER_KEYWORD = 12;
const MAX_WORD_LENGTH = 100;
/** Shorter words in Latin letters are only found whole: `go` is not meant to find `google`. */
const MIN_PREFIX_LENGTH = 3;
/** `page views` also finds `pageviews`. */
const MAX_JOINED_NAMES = 3;

/** These say nothing when they stand beside other words. */
const STOP_WORDS = new Set(
  'a an and any are as at be by can do does for from has have how i in into is it its me my no not of on or our so that the their them there these they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

export interface LookedUpWord {
  word: string;
  /** Whether words that begin with it are found too. */
  isPrefix: boolean;
}

export interface Keywords {
  /** Each once. */
  words: LookedUpWord[];
  /** For each keyword its alternatives: the numbers of the words that must all be found. */
  alternatives: number[][][];
}

/** Keywords without any letter or digit look for nothing; the same keyword counts once. */
export function readKeywords(keywords: readonly string[]): Keywords {
  const read = keywords.map(alternativesOf).filter(({ length }) => length > 0);
  const distinct = [...new Map(read.map((each) => [JSON.stringify(each), each])).values()];
  const words = [...new Set(distinct.flat(2))];
  return {
    words: words.map((word) => ({ word, isPrefix: isPrefix(word) })),
    alternatives: distinct.map((each) => each.map((some) => some.map((word) => words.indexOf(word)))),
  };
}

function alternativesOf(text: string): string[][] {
  const names = meaningful(namesIn(text.normalize('NFKC'))).slice(0, MAX_WORDS_PER_KEYWORD);
  if (names.length === 0) return [];
  const split = names.map(splitName);
  const parts = [...new Set(split.flatMap((name) => name.parts))].slice(0, MAX_WORDS_PER_KEYWORD);
  const joined = split.map(({ whole }) => whole).join('');
  const fits = (word: string) => word.length <= MAX_WORD_LENGTH;
  const alternatives = [parts.filter(fits), names.length <= MAX_JOINED_NAMES ? [joined].filter(fits) : []];
  const isSame = parts.length === 1 && parts[0] === joined;
  return alternatives.slice(0, isSame ? 1 : 2).filter(({ length }) => length > 0);
}

function meaningful(names: string[]): string[] {
  const kept = names.filter((name) => !STOP_WORDS.has(name.toLowerCase()));
  return kept.length > 0 ? kept : names;
}

function isPrefix(word: string): boolean {
  return word.length >= MIN_PREFIX_LENGTH || !/^[\p{Script=Latin}\p{N}]+$/u.test(word);
}
