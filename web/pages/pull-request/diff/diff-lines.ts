/** The lines of a file's difference with their numbers, and the gaps between them. Pure. */
import type { FileDiff, Side } from './diff-types.ts';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  /** Line numbers; an added line has no old one, a removed line no new one. */
  old: number | undefined;
  new: number | undefined;
  text: string;
  /** The line that this one replaced, or that replaced it. */
  counterpart: DiffLine | undefined;
  /** The last line of its file, without a newline at its end. */
  isUnterminated: boolean;
}

/** Unchanged lines that aren't shown. */
export interface Gap {
  kind: 'gap';
  /** The first hidden line on each side. */
  old: number;
  new: number;
  count: number;
  place: 'top' | 'middle' | 'bottom';
  /** The function or section that the lines below are in. */
  heading: string;
}

export interface LineRange {
  first: number;
  last: number;
}

/** Unchanged lines around each change and around each comment. */
export const CONTEXT_LINES = 3;

export function lineNumber(line: DiffLine, side: Side): number | undefined {
  return side === 'old' ? line.old : line.new;
}

/** The hunks one after another, with gaps where lines are left out. */
export function linesOfHunks({ hunks, newTotalLines }: FileDiff): (DiffLine | Gap)[] {
  const shown: (DiffLine | Gap)[] = [];
  let [old, fresh] = [1, 1];
  for (const hunk of hunks) {
    // For a side without lines, git names the line before.
    const oldStart = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    const newStart = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
    const count = newStart - fresh;
    if (count > 0) {
      const place = shown.length === 0 ? 'top' : 'middle';
      shown.push({ kind: 'gap', old, new: fresh, count, place, heading: hunk.heading });
    }
    const lines = readLines(hunk.lines, oldStart, newStart);
    pairChanges(lines);
    shown.push(...lines);
    [old, fresh] = [oldStart + hunk.oldLines, newStart + hunk.newLines];
  }
  const left = newTotalLines === null ? 0 : newTotalLines - fresh + 1;
  if (left > 0 && hunks.length > 0)
    shown.push({ kind: 'gap', old, new: fresh, count: left, place: 'bottom', heading: '' });
  return shown;
}

/**
 * The same for a difference with all of its context: unchanged lines are shown near changes and where they are wanted.
 * `headings` are those of the hunks, by their first new line.
 */
export function linesAround(
  whole: FileDiff,
  wanted: readonly LineRange[],
  headings: ReadonlyMap<number, string>,
): (DiffLine | Gap)[] {
  const lines = linesOfHunks(whole);
  const isShown = nearChanges(lines);
  for (const [index, line] of lines.entries()) {
    const number = line.kind === 'same' ? line.new : undefined;
    if (number !== undefined && wanted.some(({ first, last }) => first <= number && number <= last))
      isShown[index] = true;
  }
  const shown: (DiffLine | Gap)[] = [];
  let gap: Gap | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'gap' || isShown[index]) {
      if (gap && line.kind !== 'gap') gap.heading = headings.get(line.new ?? 0) ?? '';
      shown.push(line);
      gap = undefined;
    } else if (gap) gap.count += 1;
    else {
      const place = shown.length === 0 ? 'top' : 'middle';
      gap = { kind: 'gap', old: line.old!, new: line.new!, count: 1, place, heading: '' };
      shown.push(gap);
    }
  }
  if (gap && gap === shown.at(-1) && shown.length > 1) gap.place = 'bottom';
  return shown;
}

function nearChanges(lines: readonly (DiffLine | Gap)[]): boolean[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'added' && kind !== 'removed') continue;
    const last = Math.min(lines.length - 1, index + CONTEXT_LINES);
    for (let at = Math.max(0, index - CONTEXT_LINES); at <= last; at += 1) isNear[at] = true;
  }
  return isNear;
}

const KINDS: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' };

function readLines(texts: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  const lines: DiffLine[] = [];
  let [old, fresh] = [oldStart, newStart];
  for (const text of texts) {
    const kind = KINDS[text[0] ?? ' '];
    if (!kind) {
      const last = lines.at(-1);
      if (last) last.isUnterminated = true;
      continue;
    }
    lines.push({
      kind,
      old: kind === 'added' ? undefined : old,
      new: kind === 'removed' ? undefined : fresh,
      text: text.slice(1),
      counterpart: undefined,
      isUnterminated: false,
    });
    if (kind !== 'added') old += 1;
    if (kind !== 'removed') fresh += 1;
  }
  return lines;
}

/** Where added lines follow removed ones, the first replaced the first, and so on. */
function pairChanges(lines: readonly DiffLine[]): void {
  for (let index = 0; index < lines.length; ) {
    const removed = endOf(lines, index, 'removed');
    const added = endOf(lines, removed, 'added');
    for (let at = 0; at < Math.min(removed - index, added - removed); at += 1) {
      lines[index + at]!.counterpart = lines[removed + at];
      lines[removed + at]!.counterpart = lines[index + at];
    }
    index = Math.max(added, index + 1);
  }
}

function endOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end;
}
