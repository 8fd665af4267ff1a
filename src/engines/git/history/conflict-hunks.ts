/** Reads the places that conflict out of a file that git merged with conflict markers. Pure. */
import type { ConflictHunk } from '../../../platform/core/ports/code-differences.ts';

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

const marker = (sign: string) => sign.repeat(MARKER_SIZE);
const [START, MIDDLE, END] = [`${marker('<')} `, marker('='), `${marker('>')} `];

/** `room` is how many characters may still be used. */
export function readConflictHunks(
  text: string,
  room: number,
): { hunks: ConflictHunk[]; truncated: boolean; used: number } {
  const { characters: _, contextLines, hunksPerFile, lineCharacters, linesPerSide } = CONFLICT_LIMITS;
  const hunks: ConflictHunk[] = [];
  let recent: string[] = [];
  let hunk: ConflictHunk | undefined;
  let side: 'base' | 'head' = 'base';
  let truncated = false;
  let used = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith(START)) {
      if (hunks.length === hunksPerFile || used >= room) return { hunks, truncated: true, used };
      hunk = { context: recent, base: [], head: [] };
      side = 'base';
      recent = [];
      hunks.push(hunk);
    } else if (hunk && line === MIDDLE) side = 'head';
    else if (line.startsWith(END)) hunk = undefined;
    else if (hunk) {
      const kept = line.slice(0, lineCharacters);
      const fits = hunk[side].length < linesPerSide && used + kept.length <= room;
      if (fits) {
        hunk[side].push(kept);
        used += kept.length + 1;
      }
      truncated ||= !fits || kept.length < line.length;
    } else recent = [...recent, line.slice(0, lineCharacters)].slice(-contextLines);
  }
  return { hunks, truncated, used };
}
