/** Writes found lines as one text: by file, matching lines as `12:…`, lines of context as `11-…`. */
import type { FoundCode } from '../../platform/core/code-reader.ts';
import { writeFoundLines } from '../../platform/core/grep-text.ts';
import { showPathOnLine } from '../../platform/core/path-text.ts';

export function writeGrepText({ files, leftOut }: Pick<FoundCode, 'files' | 'leftOut'>): string {
  const blocks = files.map(({ lines, path }) => `${showPathOnLine(path)}\n${writeFoundLines(lines)}`);
  if (leftOut.length > 0) blocks.push(`[${leftOut.join('; ')}]`);
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}
