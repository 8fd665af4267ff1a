/** The difference of two texts word by word, in pieces that a page can show one after another. */
import { countWords, diffSequences, type Hunk, internTokens, isWord, splitWords } from '../text/index.ts';

export interface WordPiece {
  change: 'same' | 'added' | 'removed';
  text: string;
}

export interface WordDifference {
  pieces: WordPiece[];
  wordsAdded: number;
  wordsRemoved: number;
}

/** Of longer texts all words count as changed. */
const LONGEST_COUNTED = 200_000;

/** Without their places: how many words of either text the other lacks. */
export function countChangedWords(
  before: string,
  after: string,
): { wordsAdded: number; wordsRemoved: number } {
  if (before.length + after.length > LONGEST_COUNTED) {
    return { wordsAdded: countWords(after), wordsRemoved: countWords(before) };
  }
  const counts = new Map<string, number>();
  let wordsRemoved = 0;
  let wordsAdded = 0;
  for (const word of splitWords(before).filter(isWord)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    wordsRemoved += 1;
  }
  for (const word of splitWords(after).filter(isWord)) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      counts.set(word, left - 1);
      wordsRemoved -= 1;
    } else wordsAdded += 1;
  }
  return { wordsAdded, wordsRemoved };
}

/** What is the same and removed gives the old text, what is the same and added the new one. */
export function compareWords(before: string, after: string): WordDifference {
  const [old, fresh] = [splitWords(before), splitWords(after)];
  const [oldNumbers, newNumbers] = internTokens(old, fresh);
  const hunks = joinAcrossGaps(diffSequences(oldNumbers!, newNumbers!), old);
  const result: WordDifference = { pieces: [], wordsAdded: 0, wordsRemoved: 0 };
  let at = 0;
  for (const hunk of hunks) {
    addPiece(result.pieces, 'same', old, at, hunk.beforeStart);
    addPiece(result.pieces, 'removed', old, hunk.beforeStart, hunk.beforeEnd);
    addPiece(result.pieces, 'added', fresh, hunk.afterStart, hunk.afterEnd);
    result.wordsRemoved += countBetween(old, hunk.beforeStart, hunk.beforeEnd);
    result.wordsAdded += countBetween(fresh, hunk.afterStart, hunk.afterEnd);
    at = hunk.beforeEnd;
  }
  addPiece(result.pieces, 'same', old, at, old.length);
  return result;
}

/** A space alone between two changes is no landmark: shown as unchanged it would cut a new phrase into single words. */
function joinAcrossGaps(hunks: Hunk[], words: string[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const isGap = last && hunk.beforeStart === last.beforeEnd + 1 && words[last.beforeEnd]!.trim() === '';
    if (isGap) {
      last.beforeEnd = hunk.beforeEnd;
      last.afterEnd = hunk.afterEnd;
    } else joined.push({ ...hunk });
  }
  return joined;
}

function addPiece(
  pieces: WordPiece[],
  change: WordPiece['change'],
  words: string[],
  start: number,
  end: number,
): void {
  if (end > start) pieces.push({ change, text: words.slice(start, end).join('') });
}

function countBetween(pieces: string[], start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index += 1) if (isWord(pieces[index]!)) count += 1;
  return count;
}
