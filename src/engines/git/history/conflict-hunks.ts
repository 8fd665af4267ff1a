/** Reads the places that conflict out of a file that git merged with conflict markers. Pure. */
import type { ConflictHunk } from '../../../platform/core/ports/code-differences.ts';
import { findMarkers, firstLines, lastLines } from './conflict-markers.ts';

/** Longer than git's own, so that lines of the file aren't taken for markers. */
export const MARKER_SIZE = 60;
/** For one merge: enough to see what the conflict is about. */
export const CONFLICT_LIMITS = {
  files: 50,
  hunksPerFile: 20,
  linesPerSide: 60,
  contextLines: 3,
  lineCharacters: 400,
  /** In all hunks together. */
  characters: 100_000,
} as const;

/** `room` is how many characters may still be used. */
export function readConflictHunks(
  content: Buffer,
  room: number,
): { hunks: ConflictHunk[]; truncated: boolean; used: number } {
  const { contextLines, hunksPerFile, lineCharacters, linesPerSide } = CONFLICT_LIMITS;
  const hunks: ConflictHunk[] = [];
  let hunk: ConflictHunk | undefined;
  let side: 'base' | 'head' = 'base';
  let truncated = false;
  let used = 0;
  let from = 0;
  const takeUntil = (end: number) => {
    if (!hunk) return;
    const taken = hunk[side];
    // One more of each than fits, to know that something was left out.
    const lines = firstLines(
      content.subarray(from, end),
      linesPerSide - taken.length + 1,
      lineCharacters + 1,
    );
    for (const line of lines) {
      const kept = line.slice(0, lineCharacters);
      const fits = taken.length < linesPerSide && used + kept.length <= room;
      if (fits) {
        taken.push(kept);
        used += kept.length + 1;
      }
      truncated ||= !fits || kept.length < line.length;
    }
  };
  for (const { end, sign, start } of findMarkers(content, MARKER_SIZE)) {
    if (sign === '=' && !hunk) continue;
    takeUntil(start);
    if (sign === '<') {
      if (hunks.length === hunksPerFile || used >= room) return { hunks, truncated: true, used };
      const context = hunk ? [] : lastLines(content.subarray(from, start), contextLines, lineCharacters);
      hunk = { context, base: [], head: [] };
      side = 'base';
      hunks.push(hunk);
    } else if (sign === '=') side = 'head';
    else hunk = undefined;
    from = end;
  }
  takeUntil(content.length);
  return { hunks, truncated, used };
}
