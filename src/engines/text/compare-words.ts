/** The difference of two texts by word or by line, in pieces that a page can show one after another. */
import { diffSequences, internTokens } from './sequence-diff.ts';
import { countWords, isWord, splitWords } from './words.ts';

export interface WordPiece {
  change: 'same' | 'added' | 'removed';
  text: string;
}

export interface WordDifference {
  pieces: WordPiece[];
  wordsAdded: number;
  wordsRemoved: number;
}

/** In longer texts, all words count as changed. */
const MAX_COUNTED_LENGTH = 200_000;

/** How many words each text has that the other lacks, without their positions. */
export function countChangedWords(
  before: string,
  after: string,
): { wordsAdded: number; wordsRemoved: number } {
  if (before.length + after.length > MAX_COUNTED_LENGTH) {
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

/** The "same" and "removed" pieces make up the old text, the "same" and "added" pieces the new one. */
export function compareWords(before: string, after: string): WordDifference {
  const [old, fresh] = [readWords(before), readWords(after)];
  const [oldNumbers, newNumbers] = internTokens(old.words, fresh.words);
  const writer = new PieceWriter();
  const result: WordDifference = { pieces: writer.pieces, wordsAdded: 0, wordsRemoved: 0 };
  let [left, right] = [0, 0];
  const end = { beforeStart: old.words.length, beforeEnd: -1, afterStart: fresh.words.length, afterEnd: -1 };
  for (const hunk of [...diffSequences(oldNumbers!, newNumbers!), end]) {
    for (; left < hunk.beforeStart; left += 1, right += 1) {
      writer.gap(old.gaps[left]!, fresh.gaps[right]!);
      writer.same(old.words[left]!);
    }
    if (left < hunk.beforeEnd && right < hunk.afterEnd) {
      writer.gap(old.gaps[left]!, fresh.gaps[right]!);
      old.gaps[left] = '';
      fresh.gaps[right] = '';
    }
    for (; left < hunk.beforeEnd; left += 1) {
      writer.change(old.gaps[left]! + old.words[left]!, '');
      if (isWord(old.words[left]!)) result.wordsRemoved += 1;
    }
    for (; right < hunk.afterEnd; right += 1) {
      writer.change('', fresh.gaps[right]! + fresh.words[right]!);
      if (isWord(fresh.words[right]!)) result.wordsAdded += 1;
    }
  }
  writer.gap(old.gaps[left]!, fresh.gaps[right]!);
  writer.finish();
  return result;
}

/** One piece per line, without its line break. */
export function compareLines(before: string, after: string): WordPiece[] {
  const [old, fresh] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const [oldNumbers, newNumbers] = internTokens(old, fresh);
  const pieces: WordPiece[] = [];
  const write = (change: WordPiece['change'], lines: string[]) => {
    for (const text of lines) pieces.push({ change, text });
  };
  let at = 0;
  for (const hunk of diffSequences(oldNumbers!, newNumbers!)) {
    write('same', old.slice(at, hunk.beforeStart));
    write('removed', old.slice(hunk.beforeStart, hunk.beforeEnd));
    write('added', fresh.slice(hunk.afterStart, hunk.afterEnd));
    at = hunk.beforeEnd;
  }
  write('same', old.slice(at));
  return pieces;
}

/** Words and punctuation with the gap before each, and one gap after the last. Gaps alone are not compared. */
function readWords(text: string): { words: string[]; gaps: string[] } {
  const words: string[] = [];
  const gaps: string[] = [];
  let gap = '';
  for (const piece of splitWords(text)) {
    if (piece.trim() === '') {
      gap += piece;
      continue;
    }
    words.push(piece);
    gaps.push(gap);
    gap = '';
  }
  gaps.push(gap);
  return { words, gaps };
}

/** Groups changes between two unchanged parts: everything removed, then everything added. */
class PieceWriter {
  readonly pieces: WordPiece[] = [];
  #same = '';
  #removed = '';
  #added = '';

  same(text: string): void {
    if (this.#removed !== '' || this.#added !== '') this.finish();
    this.#same += text;
  }

  change(removed: string, added: string): void {
    if (this.#same !== '') this.finish();
    this.#removed += removed;
    this.#added += added;
  }

  gap(before: string, after: string): void {
    if (before !== after) this.change(before, after);
    else if (before !== '') this.same(before);
  }

  finish(): void {
    if (this.#same !== '') this.pieces.push({ change: 'same', text: this.#same });
    if (this.#removed !== '') this.pieces.push({ change: 'removed', text: this.#removed });
    if (this.#added !== '') this.pieces.push({ change: 'added', text: this.#added });
    this.#same = '';
    this.#removed = '';
    this.#added = '';
  }
}
