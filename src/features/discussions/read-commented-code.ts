/** Reads the lines that a discussion is about, as they are stored: without tokens, which the lines around them may reveal. */
import { maskText } from '../../engines/review/index.ts';
import type { CodeReader, FileReading } from '../../platform/core/ports/code-reader.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';

/** More commented lines than this are cut off. */
const MAX_COMMENTED_LINES = 400;
/** A line in the middle of a private key looks like any other text. */
const LINES_AROUND = 200;

export interface CommentedLines {
  commit: string;
  file: string;
  /** 0: the whole file, of which nothing is stored. */
  startLine: number;
  endLine: number;
}

export async function readCommentedCode(
  code: Pick<CodeReader, 'read'>,
  repositoryId: string,
  { commit, endLine, file, startLine }: CommentedLines,
  call: Call,
): Promise<{ reading: FileReading; commentedCode: string }> {
  const first = Math.max(1, startLine - LINES_AROUND);
  const last = Math.max(1, Math.min(endLine, startLine + MAX_COMMENTED_LINES - 1));
  const reading = await code.read(
    'readFile',
    repositoryId,
    {
      ...{ commit, path: file, startLine: first, endLine: last + LINES_AROUND },
      maxLines: MAX_COMMENTED_LINES + 2 * LINES_AROUND,
    },
    call,
  );
  if (startLine === 0 || reading.kind !== 'text') return { reading, commentedCode: '' };
  const lines = (await maskText(reading.text)).split('\n').slice(startLine - first, last - first + 1);
  return { reading, commentedCode: lines.join('\n').replace(/\r?\n$/, '') };
}
