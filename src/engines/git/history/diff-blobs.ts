/** The difference of two files, by the ids of their contents: no path is involved, whatever it is. */
import type { Hunk } from '../../../platform/core/ports/code-differences.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { DIFF_CONFIGURATION, DIFF_OPTIONS } from './diff-options.ts';
import type { CommitPair } from './history.ts';
import { createPatchReader, type HunkHeader } from './patch-lines.ts';

export interface BlobDiff {
  hunks: Hunk[];
  /** Whether lines were left out. */
  truncated: boolean;
}

export interface DiffLimits {
  maxLines: number;
  maxBytes: number;
}

export async function diffBlobs({
  context,
  from,
  ignoreWhitespace,
  limits,
  to,
  ...options
}: CommitPair & { context: number; ignoreWhitespace: boolean; limits: DiffLimits }): Promise<BlobDiff> {
  const args = ['diff', ...DIFF_OPTIONS, `-U${context}`, ...(ignoreWhitespace ? ['-w'] : [])];
  const output = readOutput([...args, '--end-of-options', from, to, '--'], {
    ...options,
    configuration: DIFF_CONFIGURATION,
  });
  const read = createPatchReader();
  const writer = createHunkWriter(limits);
  for await (const line of splitOutput(output, 10, limits.maxBytes)) {
    const found = read(line);
    if (found.kind === 'hunk') writer.start(found.hunk);
    else if (found.kind !== 'header' && !writer.add(found.content)) break;
  }
  return writer.end();
}

/** A file that was added or deleted: one hunk with all of its lines. */
export function wholeFile(content: Buffer, sign: '+' | '-', limits: DiffLimits): BlobDiff {
  if (content.length === 0) return { hunks: [], truncated: false };
  const writer = createHunkWriter(limits);
  const count = countLines(content);
  writer.start({
    ...(sign === '+'
      ? { oldStart: 0, oldLines: 0, newStart: 1, newLines: count }
      : { oldStart: 1, oldLines: count, newStart: 0, newLines: 0 }),
    heading: '',
  });
  const prefix = Buffer.from(sign);
  for (let start = 0; start < content.length; ) {
    const found = content.indexOf(10, start);
    const end = found === -1 ? content.length : found;
    if (!writer.add(Buffer.concat([prefix, content.subarray(start, end)]))) break;
    if (found === -1) writer.add(Buffer.from('\\ No newline at end of file'));
    start = end + 1;
  }
  return writer.end();
}

export function countLines(content: Buffer): number {
  let count = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Keeps lines within the limits; the last hunk then says how many it has. */
function createHunkWriter({ maxBytes, maxLines }: DiffLimits) {
  const hunks: Hunk[] = [];
  let [lines, bytes] = [0, 0];
  let truncated = false;
  return {
    start(header: HunkHeader) {
      hunks.push({ ...header, lines: [] });
    },
    /** False when there is no room for it. */
    add(content: Buffer): boolean {
      lines += 1;
      bytes += content.length + 1;
      truncated = lines > maxLines || bytes > maxBytes;
      if (!truncated) hunks.at(-1)!.lines.push(content.toString('utf8'));
      return !truncated;
    },
    end(): BlobDiff {
      const last = hunks.at(-1);
      if (truncated && last) {
        const count = (signs: string) => last.lines.filter((line) => signs.includes(line[0]!)).length;
        last.oldLines = count(' -');
        last.newLines = count(' +');
        if (last.lines.length === 0) hunks.pop();
      }
      return { hunks, truncated };
    },
  };
}
