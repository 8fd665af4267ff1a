/**
 * Reads the hunks of a patch line by line. The counts in a hunk's header say which lines are its content, so that content
 * which looks like a header can't be mistaken for one.
 */

import type { Hunk } from '../../../platform/core/ports/code-differences.ts';

export type HunkHeader = Omit<Hunk, 'lines'>;

export type PatchLine =
  | { kind: 'header'; text: string }
  | { kind: 'hunk'; hunk: HunkHeader }
  | { kind: 'removed' | 'added' | 'context' | 'no_newline'; content: Buffer };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;
const [BACKSLASH, MINUS, PLUS] = [92, 45, 43];

export function createPatchReader(): (line: Buffer) => PatchLine {
  let [oldLeft, newLeft] = [0, 0];
  return (line) => {
    if (line[0] === BACKSLASH) return { kind: 'no_newline', content: line };
    if (oldLeft > 0 || newLeft > 0) {
      if (line[0] === PLUS) {
        newLeft -= 1;
        return { kind: 'added', content: line };
      }
      oldLeft -= 1;
      if (line[0] === MINUS) return { kind: 'removed', content: line };
      newLeft -= 1;
      return { kind: 'context', content: line };
    }
    const text = line.toString('utf8');
    const match = HUNK.exec(text);
    if (!match) return { kind: 'header', text };
    const [, oldStart, oldLines = 1, newStart, newLines = 1, heading] = match;
    const hunk: HunkHeader = {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      heading: heading!.trimEnd(),
    };
    oldLeft = hunk.oldLines;
    newLeft = hunk.newLines;
    return { kind: 'hunk', hunk };
  };
}
