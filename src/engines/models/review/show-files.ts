/** Changed files as a model reads them: with line numbers at the head, marks on changed lines, and what was removed. */
import type { FileToReview } from '../../review/contract/code-review.ts';

/** Longer lines are truncated. */
const MAX_LINE_CHARACTERS = 1000;
/** Lines shown around a change when the file is not shown whole. */
const CONTEXT_LINES = 40;

export interface FileWithText extends FileToReview {
  /** At the head; null for deleted files and those that can't be read. */
  text: string | null;
}

/** Lines of a file, from 1. */
export interface LineRange {
  from: number;
  to: number;
}

/** The whole file, or the given lines of it. */
export function showFile(file: FileWithText, range?: LineRange): string {
  const { change, hunks, oldPath, path, text } = file;
  const lines = text === null ? [] : text.split('\n');
  const added = new Set(
    hunks.flatMap(({ newLines, newStart }) => Array.from({ length: newLines }, (_, at) => newStart + at)),
  );
  /** Removed lines by the line that follows them. */
  const removed = new Map<number, { number: number; text: string }[]>();
  for (const { newLines, newStart, oldStart, removed: texts } of hunks) {
    const before = newLines === 0 ? newStart + 1 : newStart;
    removed.set(
      before,
      texts.map((each, at) => ({ number: oldStart + at, text: each })),
    );
  }
  const { from, to } = range ?? { from: 1, to: lines.length + 1 };
  const shown = [`${path} (${change}${oldPath === null ? '' : ` from ${oldPath}`})`];
  for (let number = Math.max(1, from); number <= Math.min(to, lines.length + 1); number += 1) {
    for (const gone of removed.get(number) ?? [])
      shown.push(`- ${String(gone.number).padStart(6)}  ${cut(gone.text)}`);
    if (number > lines.length) break;
    const mark = added.has(number) ? '+' : ' ';
    shown.push(`${mark} ${String(number).padStart(6)}  ${cut(lines[number - 1]!)}`);
  }
  return shown.join('\n');
}

/** Only the changes and the lines around them. */
export function showChanges(file: FileWithText): string {
  const ranges: LineRange[] = [];
  for (const { newLines, newStart } of file.hunks) {
    const range = { from: newStart - CONTEXT_LINES, to: newStart + newLines + CONTEXT_LINES };
    const last = ranges.at(-1);
    if (last && range.from <= last.to) last.to = range.to;
    else ranges.push(range);
  }
  return ranges.map((range) => showFile(file, range)).join('\n…\n');
}

export function linesAround(line: number): LineRange {
  return { from: line - CONTEXT_LINES, to: line + CONTEXT_LINES };
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}
