/** Finds which removed block became which added one: the pairs that have the most words in common. */
import { isWord, splitWords } from '../text/index.ts';

export interface Pair {
  before: number;
  after: number;
}

interface Words {
  /** The words of the block as numbers, without white space and symbols. */
  numbers: number[];
  /** Their total length. */
  weight: number;
}

/** Twice the length of the common words, divided by the total length of the words of both. */
const SIMILAR_ENOUGH = 0.5;
/** Sufficient for two blocks that are alone in the same place. */
const SIMILAR_ENOUGH_ALONE = 0.3;

/** Only the beginning of a longer text is compared. */
const MAX_TEXT_LENGTH = 200_000;

/** A word that occurs in more blocks doesn't help to distinguish them. */
const MAX_BLOCKS_OF_WORD = 32;
const MAX_CANDIDATES = 4;

/**
 * `before` and `after` are the unpaired texts of one changed part. Takes time linear in the number of words: blocks are
 * compared only if they share a rare word and have about the same length, because others can't be similar enough.
 */
export function pairBlocks(
  before: string[],
  after: string[],
  mayPair: (before: number, after: number) => boolean,
): Pair[] {
  const isAlone = before.length === 1 && after.length === 1;
  const threshold = isAlone ? SIMILAR_ENOUGH_ALONE : SIMILAR_ENOUGH;
  const numbering = new WordNumbering();
  const added = after.map((text) => numbering.read(text));
  const removed = before.map((text) => numbering.read(text));
  const index = new WordIndex(added, numbering.weights);
  const found: Array<Pair & { similarity: number }> = [];
  for (let place = 0; place < removed.length; place += 1) {
    for (const candidate of index.candidates(removed[place]!, threshold)) {
      if (!mayPair(place, candidate)) continue;
      const similarity = index.similarity(removed[place]!, candidate);
      if (similarity >= threshold) found.push({ before: place, after: candidate, similarity });
    }
  }
  return bestPairs(found, before.length, after.length);
}

/** The added blocks that contain a word, in arrays indexed by the number of the word. */
class WordIndex {
  readonly #blocks: Words[];
  readonly #weights: number[];
  /** The blocks of word `n` are `#entries[#starts[n]..#starts[n + 1])`. */
  readonly #starts: Int32Array;
  readonly #entries: Int32Array;
  readonly #shared: Int32Array;
  readonly #counts: Int32Array;

  constructor(blocks: Words[], weights: number[]) {
    this.#blocks = blocks;
    this.#weights = weights;
    this.#starts = new Int32Array(weights.length + 2);
    this.#shared = new Int32Array(blocks.length);
    this.#counts = new Int32Array(weights.length);
    const last = new Int32Array(weights.length).fill(-1);
    this.#eachWordOnce(last, (word) => {
      this.#starts[word + 2]! += 1;
    });
    for (let word = 2; word < this.#starts.length; word += 1) this.#starts[word]! += this.#starts[word - 1]!;
    this.#entries = new Int32Array(this.#starts.at(-1)!);
    last.fill(-1);
    this.#eachWordOnce(last, (word, block) => {
      this.#entries[this.#starts[word + 1]!] = block;
      this.#starts[word + 1]! += 1;
    });
  }

  #eachWordOnce(last: Int32Array, visit: (word: number, block: number) => void): void {
    for (let block = 0; block < this.#blocks.length; block += 1) {
      for (const word of this.#blocks[block]!.numbers) {
        if (last[word] === block) continue;
        last[word] = block;
        visit(word, block);
      }
    }
  }

  /** The few added blocks that have the most in common with a removed one. */
  candidates(words: Words, threshold: number): number[] {
    const touched: number[] = [];
    for (const word of words.numbers) {
      const [start, end] = [this.#starts[word]!, this.#starts[word + 1]!];
      if (end - start > MAX_BLOCKS_OF_WORD) continue;
      for (let entry = start; entry < end; entry += 1) {
        const block = this.#entries[entry]!;
        if (this.#shared[block] === 0) touched.push(block);
        this.#shared[block]! += this.#weights[word]!;
      }
    }
    const ratio = (2 - threshold) / threshold;
    const best: Array<{ block: number; score: number }> = [];
    for (const block of touched) {
      const { weight } = this.#blocks[block]!;
      const score = this.#shared[block]! / (words.weight + weight);
      this.#shared[block] = 0;
      if (weight > words.weight * ratio || words.weight > weight * ratio) continue;
      if (best.length === MAX_CANDIDATES && best.at(-1)!.score >= score) continue;
      if (best.length === MAX_CANDIDATES) best.pop();
      best.push({ block, score });
      best.sort((left, right) => right.score - left.score || left.block - right.block);
    }
    return best.map(({ block }) => block);
  }

  similarity(words: Words, block: number): number {
    const other = this.#blocks[block]!;
    for (const word of words.numbers) this.#counts[word]! += 1;
    let common = 0;
    for (const word of other.numbers) {
      if (this.#counts[word]! <= 0) continue;
      this.#counts[word]! -= 1;
      common += this.#weights[word]!;
    }
    for (const word of words.numbers) this.#counts[word] = 0;
    return (2 * common) / (words.weight + other.weight);
  }
}

/** Assigns numbers to words, ignoring case, and a weight to each. */
class WordNumbering {
  readonly weights: number[] = [];
  readonly #numbers = new Map<string, number>();

  read(text: string): Words {
    const numbers: number[] = [];
    let weight = 0;
    for (const piece of splitWords(text.slice(0, MAX_TEXT_LENGTH))) {
      if (!isWord(piece)) continue;
      const number = this.#numberOf(piece.toLowerCase());
      numbers.push(number);
      weight += this.weights[number]!;
    }
    return { numbers, weight };
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.weights.length;
    this.#numbers.set(word, number);
    this.weights.push(word.length);
    return number;
  }
}

/** The most similar first; of equally similar pairs, those in the same order. */
function bestPairs(found: Array<Pair & { similarity: number }>, befores: number, afters: number): Pair[] {
  const distance = ({ before, after }: Pair) => Math.abs(before / befores - after / afters);
  found.sort((left, right) => right.similarity - left.similarity || distance(left) - distance(right));
  const usedBefore = new Set<number>();
  const usedAfter = new Set<number>();
  const pairs: Pair[] = [];
  for (const { before, after } of found) {
    if (usedBefore.has(before) || usedAfter.has(after)) continue;
    usedBefore.add(before);
    usedAfter.add(after);
    pairs.push({ before, after });
  }
  return pairs;
}
