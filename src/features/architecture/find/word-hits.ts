/** Where the words of a search are, as PostgreSQL sends it: for each hit the 16 bytes of the repository's ID, then a number of 4 bytes. */
import { endianness } from 'node:os';
import { DOMAINS } from '../contract.ts';

export interface WordHits {
  /** How many repositories were searched. */
  searched: number;
  /** The number of repositories with hits; they are numbered from 0. */
  repositories: number;
  idOf(repository: number): string;
  /** The order of two repositories by their IDs. */
  compare(a: number, b: number): number;
  /**
   * For each word lists of pairs of numbers: a repository, and three sets of its domains, of `BITS` bits each: from the lowest, those
   * with the word, those with it as a main word, and those with the whole word or its stem. A repository may occur more than once.
   */
  ofWords: Int32Array[][];
  /** The same for words of code. */
  ofCode: CodeHits[][];
}

/** Words of code in a range: more repositories have a word that tells nothing apart than are read, so it's left out. */
export interface CodeHits extends WordRange {
  /** Pairs of numbers: a repository, and the place of its domain in the lowest four bits with the weight above them. */
  pairs: Int32Array;
  isTooCommon: boolean;
}

export interface WordRange {
  first: string;
  last: string;
}

export interface HitBytes extends WordRange {
  isCode: boolean;
  /** Whether more repositories have words of code in the range than were read. */
  isCut: boolean;
  /** The number of the word. */
  word: number;
  /** Whether it's the whole word or its stem. */
  isWhole: boolean;
  hits: Buffer | null;
}

/** In numbers of 32 bits. */
const ID_SIZE = 4;
const HIT_SIZE = 5;
/** Three sets fit into a number: at most ten domains. */
export const BITS = DOMAINS.length;
export const ALL_DOMAINS = 2 ** BITS - 1;

/** Repositories are numbered with a hash table over the numbers of their IDs: strings would take longer than the rest of the search. */
export function readHits(
  parts: readonly HitBytes[],
  { searched, words }: { searched: number; words: number },
): WordHits {
  const hits = numbersIn(parts);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2((2 * hits.length) / HIT_SIZE + 1))).fill(-1);
  const firsts: number[] = [];
  const numberOf = (place: number): number => {
    // The end of an ID is random.
    let slot = hits[place + ID_SIZE - 1]! & (slots.length - 1);
    for (; slots[slot] !== -1; slot = (slot + 1) & (slots.length - 1)) {
      if (compareIds(hits, firsts[slots[slot]!]!, place) === 0) return slots[slot]!;
    }
    slots[slot] = firsts.length;
    return firsts.push(place) - 1;
  };
  const ofWords = Array.from({ length: words }, (): Int32Array[] => []);
  const ofCode = Array.from({ length: words }, (): CodeHits[] => []);
  let place = 0;
  for (const { first, hits: bytes, isCode, isCut, isWhole, last, word } of parts) {
    const pairs = new Int32Array((2 * (bytes?.length ?? 0)) / HIT_SIZE / Uint32Array.BYTES_PER_ELEMENT);
    for (let at = 0; at < pairs.length; at += 2, place += HIT_SIZE) {
      const domains = hits[place + ID_SIZE]!;
      pairs[at] = numberOf(place);
      pairs[at + 1] = isWhole && !isCode ? domains | ((domains & ALL_DOMAINS) << (2 * BITS)) : domains;
    }
    if (isCode) ofCode[word]!.push({ first, last, pairs, isTooCommon: isCut });
    else ofWords[word]!.push(pairs);
  }
  return {
    searched,
    repositories: firsts.length,
    idOf: (repository) => uuidAt(hits, firsts[repository]!),
    compare: (a, b) => compareIds(hits, firsts[a]!, firsts[b]!),
    ofWords,
    ofCode,
  };
}

/** PostgreSQL sends the highest byte first. */
function numbersIn(parts: readonly HitBytes[]): Uint32Array {
  const bytes = Buffer.from(new ArrayBuffer(parts.reduce((sum, { hits }) => sum + (hits?.length ?? 0), 0)));
  let from = 0;
  for (const { hits } of parts) from += hits?.copy(bytes, from) ?? 0;
  if (endianness() === 'LE') bytes.swap32();
  return new Uint32Array(bytes.buffer);
}

function compareIds(hits: Uint32Array, a: number, b: number): number {
  for (let at = 0; at < ID_SIZE; at += 1) {
    if (hits[a + at] !== hits[b + at]) return hits[a + at]! < hits[b + at]! ? -1 : 1;
  }
  return 0;
}

function uuidAt(hits: Uint32Array, from: number): string {
  const [a, b, c, d] = [0, 1, 2, 3].map((at) => hits[from + at]!.toString(16).padStart(8, '0'));
  return `${a}-${b!.slice(0, 4)}-${b!.slice(4)}-${c!.slice(0, 4)}-${c!.slice(4)}${d}`;
}
