/** Writes found lines as one text: by file, matching lines as `12:…`, lines of context as `11-…`. */
import type { FoundCode } from '../core/code-reader.ts';
import { writeFoundLines } from '../core/grep-text.ts';
import { showPathOnLine } from '../core/path-text.ts';

export function writeGrepText({ files, leftOut }: Pick<FoundCode, 'files' | 'leftOut'>): string {
  const blocks = files.map(({ lines, path }) => `${showPathOnLine(path)}\n${writeFoundLines(lines)}`);
  if (leftOut.length > 0) blocks.push(`[${leftOut.join('; ')}]`);
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}
