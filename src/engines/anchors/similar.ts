/** Finds the place in a text that is most like a given sentence, word by word, and says how like it is. */
import type { Word } from './words.ts';

export interface Likeness {
  /** 1 when every word is there in order with nothing between, 0 when nothing tells of the sentence. */
  score: number;
  /** The words of the text that match one of the sentence, as indexes, and the first and the last of them. */
  matches: number[];
  first: number;
  last: number;
  /** How many words of the sentence go before the first match and after the last one. */
  leading: number;
  trailing: number;
}

/** What a word put in between costs, as a part of its weight: less than a missing one, since sentences grow. */
const PUT_IN_COST = 0.2;

/** What it costs to go on over a blank line where the sentence has none. */
const BLANK_LINE_COST = 0.7;

const FIRST_MATCH = 1;
const MATCH = 2;
const LEFT_OUT = 3;
const PUT_IN = 4;

/** The cheapest way to find the sentence in the text, where words may be left out and others put in between. */
export function findSimilar(sentence: readonly Word[], text: readonly Word[]): Likeness | undefined {
  const height = sentence.length;
  const width = text.length;
  const likeness = compareWords(sentence, text);
  // A cell is a word of the sentence and one of the text, and its cost that of the cheapest way with a match up to there.
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
      const putIn = current[column - 1]! + PUT_IN_COST * word.weight + gap;
      if (putIn < cost) [cost, way] = [putIn, PUT_IN];
      const match = likeness(row, column - 1);
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

function traceBack(ways: Uint8Array, height: number, width: number, end: number, score: number): Likeness {
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
    if (way !== PUT_IN) row -= 1;
  }
}

/** Compares words by number where they are equal, and by their beginnings where not ("install", "installed"). */
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
  // Numbers tell apart what begins alike.
  if (DIGIT.test(left) || DIGIT.test(right)) return false;
  const least = Math.max(4, Math.ceil(shorter * 0.75));
  for (let index = 0; index < least; index += 1) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return false;
  }
  return true;
}
