/**
 * Describes the strings that a part of a pattern matches: all of them, or how each starts and ends and which trigrams it contains (Russ
 * Cox, "Regular Expression Matching with a Trigram Index"). Strings hold bytes, one per character, with A to Z lowercased. A step may
 * lose information, but must never claim more than is true of each match.
 */
import { ALL, NONE, type QueryBuilder, type TrigramQuery } from './trigram-query.ts';

export type KnownStrings = { exact: string[] } | Open;

/**
 * Each match starts with one of `starts`, ends with one of `ends`, and satisfies `holds`. It contains one string of each
 * set in `words`, and ends with one of `lastWord`, which grows while what follows is known.
 */
interface Open {
  exact?: undefined;
  starts: string[];
  ends: string[];
  holds: TrigramQuery;
  words: string[][];
  lastWord: string[];
}

export const NOTHING_KNOWN: Open = { starts: [''], ends: [''], holds: ALL, words: [], lastWord: [''] };
export const EMPTY_STRING: KnownStrings = { exact: [''] };

const MAX_EXACT = 16;
const MAX_EXACT_BYTES = 4096;
/** The largest set of starts or ends to keep. */
const MAX_EDGES = 16;
/** A trigram across the boundary of two parts takes at most two bytes from one of them. */
const EDGE_BYTES = 2;
/** The number of word sets to keep: a few are nearly as selective as all. */
const MAX_WORDS = 8;
/** How many copies of a repeated part are considered: enough for the trigrams across its own boundary. */
const MAX_COPIES = 4;

export function queryOf(builder: QueryBuilder, known: KnownStrings): TrigramQuery {
  return known.exact ? holdsOneOf(builder, known.exact) : known.holds;
}

/** Sets of lowercased strings: each match contains one string of every set. */
export function wordsOf(known: KnownStrings): string[][] {
  return known.exact ? worthKeeping([known.exact]) : worthKeeping([...known.words, known.lastWord]);
}

export function inSequence(builder: QueryBuilder, left: KnownStrings, right: KnownStrings): KnownStrings {
  if (isEmptySet(left) || isEmptySet(right)) return { exact: [] };
  if (builder.exhausted) {
    const holds = builder.and([queryOf(builder, left), queryOf(builder, right)]);
    return { ...NOTHING_KNOWN, holds, words: worthKeeping([...wordsOf(left), ...wordsOf(right)]) };
  }
  if (left.exact && right.exact) {
    const joined = pairs(left.exact, right.exact);
    if (joined) return { exact: joined };
    return inSequence(builder, open(builder, left), open(builder, right));
  }
  const [first, second] = [open(builder, left), open(builder, right)];
  const holds = [first.holds, second.holds];
  const join = (one: string[], other: string[]) => {
    const joined = pairs(one, other);
    if (joined) holds.push(holdsOneOf(builder, joined));
    return joined;
  };
  let { starts } = first;
  let { ends } = second;
  if (left.exact) starts = join(left.exact, second.starts) ?? starts;
  else if (right.exact) ends = join(first.ends, right.exact) ?? ends;
  else join(first.ends, second.starts);
  return {
    starts: shorten(starts, head),
    ends: shorten(ends, tail),
    holds: builder.and(holds),
    ...joinWords(first, right),
  };
}

export function oneOf(builder: QueryBuilder, branches: KnownStrings[]): KnownStrings {
  if (branches.length === 1) return branches[0]!;
  if (branches.every((branch) => branch.exact)) {
    const exact = [...new Set(branches.flatMap((branch) => branch.exact!))];
    if (isSmall(exact.length, totalLength(exact))) return { exact };
  }
  const possible = branches.filter((branch) => !isEmptySet(branch)).map((branch) => open(builder, branch));
  return {
    starts: shorten(
      possible.flatMap((branch) => branch.starts),
      head,
    ),
    ends: shorten(
      possible.flatMap((branch) => branch.ends),
      tail,
    ),
    holds: builder.or(possible.map((branch) => branch.holds)),
    words: [],
    lastWord: [''],
  };
}

/** `most` is infinite for an open count. */
export function repeated(
  builder: QueryBuilder,
  known: KnownStrings,
  least: number,
  most: number,
): KnownStrings {
  if (most === 0) return EMPTY_STRING;
  if (least === 0) return most === 1 ? oneOf(builder, [known, EMPTY_STRING]) : NOTHING_KNOWN;
  const copies = Math.min(least, MAX_COPIES);
  let result = known;
  for (let copy = 1; copy < copies; copy += 1) result = inSequence(builder, result, known);
  // With more copies than were considered, those are at the start and at the end of each match.
  return copies === most || isEmptySet(result) ? result : open(builder, result);
}

function isEmptySet(known: KnownStrings): boolean {
  return known.exact?.length === 0;
}

function open(builder: QueryBuilder, known: KnownStrings): Open {
  if (!known.exact) return known;
  return {
    starts: shorten(known.exact, head),
    ends: shorten(known.exact, tail),
    holds: holdsOneOf(builder, known.exact),
    words: [],
    lastWord: known.exact,
  };
}

function joinWords(left: Open, right: KnownStrings): Pick<Open, 'words' | 'lastWord'> {
  const joined = right.exact && pairs(left.lastWord, right.exact);
  if (joined) return { words: left.words, lastWord: joined };
  const words = worthKeeping([...wordsOf(left), ...(right.exact ? [] : right.words)]);
  return { words, lastWord: right.exact ?? right.lastWord };
}

function worthKeeping(words: string[][]): string[][] {
  return words.filter((some) => some.length > 0 && some.every((one) => one.length >= 3)).slice(0, MAX_WORDS);
}

/** Every string of one set followed by every string of the other, unless there are too many. */
function pairs(left: string[], right: string[]): string[] | undefined {
  const bytes = totalLength(left) * right.length + totalLength(right) * left.length;
  if (!isSmall(left.length * right.length, bytes)) return undefined;
  if (left.length === 1 && right.length === 1) return [left[0]! + right[0]!];
  return [...new Set(left.flatMap((start) => right.map((end) => start + end)))];
}

function isSmall(count: number, bytes: number): boolean {
  return count <= MAX_EXACT && bytes <= MAX_EXACT_BYTES;
}

function totalLength(strings: string[]): number {
  return strings.reduce((sum, one) => sum + one.length, 0);
}

/** A text that contains one of the strings has these trigrams. */
export function holdsOneOf(builder: QueryBuilder, strings: string[]): TrigramQuery {
  if (strings.length === 0) return NONE;
  if (builder.exhausted || strings.some((one) => one.length < 3)) return ALL;
  return builder.or(strings.map((one) => builder.and(trigramsOf(builder, one))));
}

function trigramsOf(builder: QueryBuilder, bytes: string): TrigramQuery[] {
  const trigrams: TrigramQuery[] = [];
  let value = (bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1);
  for (let index = 2; index < bytes.length; index += 1) {
    value = ((value << 8) | bytes.charCodeAt(index)) & 0xff_ff_ff;
    trigrams.push(builder.trigram(value));
  }
  return trigrams;
}

/** Shortens starts or ends until the set is small; an empty string carries no information and makes the others useless. */
function shorten(strings: string[], cut: (text: string, bytes: number) => string): string[] {
  for (let bytes = EDGE_BYTES; bytes > 0; bytes -= 1) {
    const edges = new Set(strings.map((one) => cut(one, bytes)));
    if (edges.has('')) break;
    if (edges.size <= MAX_EDGES) return [...edges];
  }
  return [''];
}

function head(text: string, bytes: number): string {
  return text.slice(0, bytes);
}

function tail(text: string, bytes: number): string {
  return text.slice(-bytes);
}
