/** Finds the range of a text that is most similar to a sentence, word by word, and how similar it is. */
import type { Word } from './words.ts';

export interface Similarity {
  /** 1 if all words are there, in order and with nothing in between; 0 if nothing resembles the sentence. */
  score: number;
  /** The indexes of the words of the text that match a word of the sentence; the first and the last of them. */
  matches: number[];
  first: number;
  last: number;
  /** How many words of the sentence come before the first match and after the last one. */
  leading: number;
  trailing: number;
}

/** The cost of an inserted word, as a share of its weight: less than a missing one, because sentences grow. */
const INSERTED_COST = 0.2;

/** The cost of continuing past a blank line where the sentence has none. */
const BLANK_LINE_COST = 0.7;

const FIRST_MATCH = 1;
const MATCH = 2;
const LEFT_OUT = 3;
const INSERTED = 4;

/** The cheapest alignment of the sentence with the text; words may be left out and others inserted. */
export function findSimilar(sentence: readonly Word[], text: readonly Word[]): Similarity | undefined {
  const height = sentence.length;
  const width = text.length;
  const similarity = compareWords(sentence, text);
  // A cell is a word of the sentence and a word of the text; its cost is that of the cheapest alignment up to there with a match.
  const ways = new Uint8Array(height * (width + 1));
  let above = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
  let current = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY);
  let allLeftOut = 0;
  for (let row = 0; row < height; row += 1) {
    const { afterBlankLine, weight } = sentence[row]!;
    for (let column = 1; column <= width; column += 1) {
      const word = text[column - 1]!;
      const gap = word.afterBlankLine ? BLANK_LINE_COST : 0;
      let cost = above[column]! + weight;
      let way = LEFT_OUT;
      const inserted = current[column - 1]! + INSERTED_COST * word.weight + gap;
      if (inserted < cost) [cost, way] = [inserted, INSERTED];
      const match = similarity(row, column - 1);
      if (match > 0) {
        const unlike = weight * (1 - match);
        if (allLeftOut + unlike <= cost) [cost, way] = [allLeftOut + unlike, FIRST_MATCH];
        const matched = above[column - 1]! + unlike + (afterBlankLine ? 0 : gap);
        if (matched <= cost) [cost, way] = [matched, MATCH];
      }
      current[column] = cost;
      ways[row * (width + 1) + column] = way;
    }
    allLeftOut += weight;
    [above, current] = [current, above];
  }
  let end = 0;
  for (let column = 1; column <= width; column += 1) if (above[column]! < above[end]! - 1e-9) end = column;
  const score = 1 - above[end]! / allLeftOut;
  return score > 0 ? traceBack(ways, height, width, end, score) : undefined;
}

function traceBack(ways: Uint8Array, height: number, width: number, end: number, score: number): Similarity {
  const matches: number[] = [];
  let trailing = 0;
  let row = height - 1;
  for (let column = end; ; ) {
    const way = ways[row * (width + 1) + column];
    if (way === MATCH || way === FIRST_MATCH) {
      if (matches.length === 0) trailing = height - 1 - row;
      matches.push(column - 1);
    }
    if (way === FIRST_MATCH) {
      return {
        score,
        matches: matches.reverse(),
        first: column - 1,
        last: matches.at(-1)!,
        leading: row,
        trailing,
      };
    }
    if (way !== LEFT_OUT) column -= 1;
    if (way !== INSERTED) row -= 1;
  }
}

/** Compares words by number if they are equal, otherwise by their stems ("install", "installed"). */
function compareWords(sentence: readonly Word[], text: readonly Word[]) {
  const numbers = new Map<string, number>();
  const number = ({ key }: Word) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const left = Int32Array.from(sentence, number);
  const right = Int32Array.from(text, number);
  return (row: number, column: number): number => {
    if (left[row] === right[column]) return 1;
    return haveSameStem(sentence[row]!.key, text[column]!.key) ? 0.6 : 0;
  };
}

const DIGIT = /\d/;

function haveSameStem(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length);
  if (shorter < 4 || shorter > 64 || Math.max(left.length, right.length) > shorter + 4) return false;
  // Words with digits differ even if they begin alike.
  if (DIGIT.test(left) || DIGIT.test(right)) return false;
  const least = Math.max(4, Math.ceil(shorter * 0.75));
  for (let index = 0; index < least; index += 1) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return false;
  }
  return true;
}
