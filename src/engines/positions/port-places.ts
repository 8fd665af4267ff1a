/**
 * Follows places in files through the difference of two commits.
 *
 * The outcomes, of which the first that holds is taken:
 * - `exact`: the lines are unchanged, in the same file; their numbers may have shifted.
 * - `moved`: the same code, but for white space, is in another file (a rename too) or elsewhere in its file.
 * - `changed`: lines were edited, or inserted between them; the range is what they became.
 * - `gone`: nothing is left of them. The lines say after which line they were; 0 is the top.
 * The whole file (lines 0 to 0) follows the file.
 */
import type { ChangedLines, FileHunks } from '../../platform/core/ports/code-differences.ts';
import { createEditedLines } from './edited-lines.ts';
import { createMovedBlocks, isTrivial } from './moved-blocks.ts';

export interface Place {
  file: string;
  /** From 1, the last included; 0 to 0 is the whole file. */
  startLine: number;
  endLine: number;
  /** The text of these lines, if it is known. */
  code: string;
}

export type PositionOutcome = 'exact' | 'moved' | 'changed' | 'gone';

export interface PortedPlace {
  outcome: PositionOutcome;
  file: string;
  startLine: number;
  endLine: number;
}

interface Range {
  start: number;
  end: number;
}

/** `files` has every hunk of the files that the places are in, and what was added to the others. */
export function portPlaces(places: readonly Place[], files: readonly FileHunks[]): PortedPlace[] {
  const byOldPath = new Map<string, FileHunks>();
  for (const file of files) if (file.oldPath !== null) byOldPath.set(file.oldPath, file);
  const movedBlocks = createMovedBlocks(files);
  const editedLines = createEditedLines();
  const replaced = new Set(files.flatMap(({ oldPath, path }) => (oldPath === null && path ? [path] : [])));
  return places.map((place) => {
    const file = byOldPath.get(place.file);
    if (!file) return same(place);
    if (place.startLine === 0) return portWholeFile(place, file, replaced);
    return portLines(place, file, { movedBlocks, editedLines });
  });
}

function same({ endLine, file, startLine }: Place): PortedPlace {
  return { outcome: 'exact', file, startLine, endLine };
}

/** A file that became a link, or the reverse, is deleted and added. */
function portWholeFile(place: Place, file: FileHunks, replaced: Set<string>): PortedPlace {
  const whole = { file: file.path ?? place.file, startLine: 0, endLine: 0 };
  if (file.path === null) return { outcome: replaced.has(place.file) ? 'changed' : 'gone', ...whole };
  if (file.hunks.length > 0 || file.isBinary) return { outcome: 'changed', ...whole };
  return { outcome: file.path === place.file ? 'exact' : 'moved', ...whole };
}

interface Finders {
  movedBlocks: ReturnType<typeof createMovedBlocks>;
  editedLines: ReturnType<typeof createEditedLines>;
}

function portLines(place: Place, file: FileHunks, { editedLines, movedBlocks }: Finders): PortedPlace {
  const path = file.path ?? place.file;
  const at = (outcome: PositionOutcome, { end, start }: Range, where = path): PortedPlace => ({
    outcome,
    file: where,
    startLine: start,
    endLine: end,
  });
  if (file.isBinary) return at('gone', { start: 0, end: 0 });
  const { before, removed, touching } = splitHunks(file.hunks, place);
  const shift = before.reduce((sum, hunk) => sum + hunk.newLines - hunk.oldLines, 0);
  const shifted = { start: place.startLine + shift, end: place.endLine + shift };
  if (touching.length === 0) {
    if (file.truncated && before.length === file.hunks.length) return at('changed', shifted);
    return at(path === place.file ? 'exact' : 'moved', shifted);
  }
  if (removed.length > 0 && onlyTrivialLeft(place, removed)) {
    const block = movedBlocks.find(place, removed, file);
    // In the hunk that removed it, only its white space changed.
    if (block) return at(block.inPlace ? 'changed' : 'moved', block, block.path);
  }
  const range = unionOf([
    ...keptLines(place, removed, touching, shift),
    ...removed.map((hunk) => editedLines.find(hunk, overlap(hunk, place))).filter((part) => part !== null),
  ]);
  if (range) return at('changed', range);
  const [first] = touching;
  const lineBefore = first!.newLines === 0 ? first!.newStart : first!.newStart - 1;
  return at('gone', { start: lineBefore, end: lineBefore });
}

/** Hunks before the place, those that removed lines of it, and those together with insertions between its lines. */
function splitHunks(hunks: ChangedLines[], { endLine, startLine }: Place) {
  const before: ChangedLines[] = [];
  const touching: ChangedLines[] = [];
  for (const hunk of hunks) {
    if (lastOld(hunk) < startLine) before.push(hunk);
    else if (hunk.oldLines === 0 ? hunk.oldStart < endLine : hunk.oldStart <= endLine) touching.push(hunk);
  }
  return { before, touching, removed: touching.filter((hunk) => hunk.oldLines > 0) };
}

/** The last old line of a hunk, or the one that it inserts after. */
function lastOld(hunk: ChangedLines): number {
  return hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart + hunk.oldLines - 1;
}

/** The hunk's removed lines that belong to the place, counted from 0. */
function overlap(hunk: ChangedLines, { endLine, startLine }: Place): Range {
  return {
    start: Math.max(startLine, hunk.oldStart) - hunk.oldStart,
    end: Math.min(endLine, lastOld(hunk)) - hunk.oldStart,
  };
}

/** Whether the remaining lines mean nothing on their own, such as a closing brace. */
function onlyTrivialLeft(place: Place, removed: ChangedLines[]): boolean {
  const count = place.endLine - place.startLine + 1;
  const code = linesOf(place);
  for (let index = 0; index < count; index += 1) {
    const line = place.startLine + index;
    if (removed.some((hunk) => hunk.oldStart <= line && line <= lastOld(hunk))) continue;
    if (!code || !isTrivial(code[index]!)) return false;
  }
  return true;
}

/** The place's own text, if it has as many lines as the place. */
function linesOf({ code, endLine, startLine }: Place): string[] | undefined {
  const lines = code.replace(/\n$/, '').split('\n');
  return lines.length === endLine - startLine + 1 ? lines : undefined;
}

/** Where the lines that no hunk removed are now. */
function keptLines(
  { endLine, startLine }: Place,
  removed: ChangedLines[],
  touching: ChangedLines[],
  shift: number,
): Range[] {
  const shiftAt = (line: number) =>
    touching.reduce((sum, hunk) => (lastOld(hunk) < line ? sum + hunk.newLines - hunk.oldLines : sum), shift);
  const kept: Range[] = [];
  let from = startLine;
  for (const hunk of [...removed, undefined]) {
    const to = hunk ? hunk.oldStart - 1 : endLine;
    if (from <= to) kept.push({ start: from + shiftAt(from), end: to + shiftAt(to) });
    if (hunk) from = lastOld(hunk) + 1;
  }
  return kept;
}

function unionOf(ranges: Range[]): Range | null {
  if (ranges.length === 0) return null;
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}
