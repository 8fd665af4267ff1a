/** Baselines: judges that don't read the comment. */
import { diffSequences, internTokens } from '../../src/engines/text/index.ts';
import type { LabeledThread } from './labeled-threads.ts';

export const BASELINES: ReadonlyArray<readonly [string, (thread: LabeledThread) => boolean]> = [
  ['text of the lines gone', ({ commentedCode, after }) => !after.includes(commentedCode.trim())],
  ['lines touched', (thread) => isTouched(thread, 0)],
  ['touched within two lines', (thread) => isTouched(thread, 2)],
];

function isTouched({ before, after, startLine, endLine }: LabeledThread, margin: number): boolean {
  const [left, right] = internTokens(before.split('\n'), after.split('\n'));
  const [start, end] = [startLine - 1 - margin, endLine + margin];
  return diffSequences(left!, right!).some(({ beforeStart, beforeEnd }) =>
    beforeStart === beforeEnd
      ? beforeStart >= start && beforeStart <= end
      : beforeStart < end && beforeEnd > start,
  );
}
