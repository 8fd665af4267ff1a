/** Formats search results as text: by file, matching lines as `12:…`, context lines as `11-…`. */
import type { FoundCode } from '../../platform/core/ports/code-reader.ts';
import { writeFoundLines } from '../../platform/core/text/grep-text.ts';
import { showPathOnLine } from '../../platform/core/text/path-text.ts';

export function writeGrepText(found: FoundCode): string {
  const blocks = found.files.map(({ lines, path }) => `${showPathOnLine(path)}\n${writeFoundLines(lines)}`);
  const incomplete = describeIncomplete(found);
  if (incomplete.length > 0) blocks.push(`[${incomplete.join('; ')}]`);
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

/** Why results are incomplete, as clauses. */
export function describeIncomplete({ moreLines, notSearched }: FoundCode): string[] {
  if (!moreLines) return notSearched;
  const { count, isLowerBound } = moreLines;
  const lines = `${count.toLocaleString('en-US')} more matching ${count === 1 ? 'line' : 'lines'} not shown`;
  return [`${isLowerBound ? 'at least ' : ''}${lines}: narrow the path or the pattern`, ...notSearched];
}

export function sentenceOf(parts: string[]): string | null {
  if (parts.length === 0) return null;
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
