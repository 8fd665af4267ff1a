/** The changes of a file around the commented lines, and which of them only reformat or move code. */
import { diffSequences, type Hunk, internTokens } from '../text/index.ts';
import { countAll, withoutFormat } from './code-words.ts';
import type { ReviewThread } from './thread.ts';

export interface Change extends Hunk {
  kind: 'edit' | 'format' | 'move';
  /** 0 if it changes a commented line, 1 if it is next to one, and so on. */
  distance: number;
  /** Its lines without those that only moved. */
  removed: string[];
  added: string[];
}

export interface CodeComparison {
  before: string[];
  after: string[];
  /** The commented lines as indexes of `before`; the end is exclusive. */
  start: number;
  end: number;
  changes: Change[];
}

export function compareCode(
  thread: Omit<ReviewThread, 'comment' | 'replies' | 'otherHunks'>,
): CodeComparison {
  const before = thread.before.split(/\r?\n/);
  const after = thread.after.split(/\r?\n/);
  const [start, end] = findCommented(thread, before);
  const [left, right] = internTokens(before, after);
  const changes = classify(diffSequences(left!, right!), before, after);
  for (const change of changes) change.distance = distanceTo(change, start, end);
  return { before, after, start, end, changes };
}

/** The given lines if they contain the commented code, otherwise the nearest lines that do. */
function findCommented(
  thread: Pick<ReviewThread, 'startLine' | 'endLine' | 'commentedCode'>,
  before: string[],
): [number, number] {
  if (!(thread.startLine >= 1)) return [0, before.length];
  const start = Math.min(Math.trunc(thread.startLine), before.length) - 1;
  const end = Math.min(Math.max(start + 1, Math.trunc(thread.endLine) || 0), before.length);
  const quoted = thread.commentedCode.replace(/\r?\n$/, '').split(/\r?\n/);
  const isAt = (at: number) => quoted.every((line, index) => before[at + index] === line);
  if (thread.commentedCode.trim() === '' || isAt(start)) return [start, end];
  for (let offset = 1; offset < before.length; offset += 1) {
    for (const at of [start - offset, start + offset]) {
      if (at >= 0 && at + quoted.length <= before.length && isAt(at)) return [at, at + quoted.length];
    }
  }
  return [start, end];
}

function distanceTo({ beforeStart, beforeEnd }: Hunk, start: number, end: number): number {
  if (beforeStart === beforeEnd && beforeStart > start && beforeStart < end) return 0;
  if (beforeEnd <= start) return start - beforeEnd + 1;
  return beforeStart >= end ? beforeStart - end + 1 : 0;
}

/** Shorter code is found in every file, so finding it inside other code doesn't mean that it moved. */
const MIN_MOVED = 24;

/** In more hunks than this, code isn't searched for across lines. */
const MAX_SEARCHED_HUNKS = 200;

function classify(hunks: Hunk[], before: string[], after: string[]): Change[] {
  const removedTexts = hunks.map(({ beforeStart, beforeEnd }) => before.slice(beforeStart, beforeEnd));
  const addedTexts = hunks.map(({ afterStart, afterEnd }) => after.slice(afterStart, afterEnd));
  const [removed, added] = withoutMovedLines(removedTexts, addedTexts);
  const [from, to] = [new JoinedHunks(removed), new JoinedHunks(added)];
  return hunks.map((hunk, index) => {
    const change = { ...hunk, distance: 0, removed: removed[index]!, added: added[index]! };
    if (withoutFormat(removedTexts[index]!) === withoutFormat(addedTexts[index]!)) {
      return { ...change, kind: 'format', removed: [], added: [] };
    }
    const [left, right] = [withoutFormat(change.removed), withoutFormat(change.added)];
    // A block that was wrapped differently where it went is found as a whole.
    const isMove =
      left === right ||
      (right === '' && to.hasElsewhere(left, index)) ||
      (left === '' && from.hasElsewhere(right, index));
    return { ...change, kind: isMove ? 'move' : 'edit' };
  });
}

/** The code of all hunks as one text, in which the code of one can be searched for in the others. */
class JoinedHunks {
  readonly #starts: number[] = [];
  #text = '';

  constructor(hunks: string[][]) {
    if (hunks.length > MAX_SEARCHED_HUNKS) return;
    for (const lines of hunks) {
      this.#starts.push(this.#text.length);
      this.#text += `${withoutFormat(lines)}\n`;
    }
  }

  hasElsewhere(code: string, hunk: number): boolean {
    if (code.length < MIN_MOVED || this.#text === '') return false;
    const found = this.#text.indexOf(code);
    if (found < 0 || found < this.#starts[hunk]!) return found >= 0;
    return this.#text.indexOf(code, this.#starts[hunk + 1] ?? this.#text.length) >= 0;
  }
}

/** Leaves out blank lines, and the lines that are removed in one place and added in another. */
function withoutMovedLines(removed: string[][], added: string[][]): [string[][], string[][]] {
  const textOf = (line: string) => withoutFormat([line]);
  const count = (hunks: string[][]) => countAll(hunks.flatMap((lines) => lines.map(textOf)));
  const [removedCounts, addedCounts] = [count(removed), count(added)];
  const filter = (hunks: string[][]) => {
    const left = new Map<string, number>();
    return hunks.map((lines) =>
      lines.filter((line) => {
        const text = textOf(line);
        const moved = left.get(text) ?? Math.min(removedCounts.get(text) ?? 0, addedCounts.get(text) ?? 0);
        left.set(text, moved - 1);
        return text !== '' && moved <= 0;
      }),
    );
  };
  return [filter(removed), filter(added)];
}
