/** Reads review threads of which it is known whether they were addressed: JSON Lines, also compressed with xz. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ReviewThread } from '../../src/engines/addressed/index.ts';

export interface LabeledThread extends ReviewThread {
  id: string;
  label: 'addressed' | 'not_addressed';
}

/**
 * With verdicts (`{id, verdict}`), only the threads that were read as answered or not, with that as their label: what was read as
 * partly answered, or couldn't be decided, is left out.
 */
export function readThreads(path: string, verdicts?: string): LabeledThread[] {
  const threads = readLines(path).map(
    (thread): LabeledThread => ({
      ...thread,
      replies: thread.replies ?? [],
      otherHunks: thread.otherHunks ?? [],
    }),
  );
  if (verdicts === undefined) return threads;
  const read = new Map(readLines(verdicts).map(({ id, verdict }) => [id, verdict]));
  return threads.flatMap((thread) => {
    const verdict = read.get(thread.id);
    if (verdict !== 'yes' && verdict !== 'no') return [];
    return [{ ...thread, label: verdict === 'yes' ? ('addressed' as const) : ('not_addressed' as const) }];
  });
}

function readLines(path: string): Array<LabeledThread & { verdict?: string }> {
  const text = path.endsWith('.xz')
    ? execFileSync('xz', ['-dc', path], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    : readFileSync(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabeledThread & { verdict?: string });
}

/** Folds of about equal size; all threads of a file are in one, so that nothing is learned from the file itself. */
export function foldsByFile(threads: readonly LabeledThread[], folds: number, seed: number): number[] {
  return threads.map(({ file }) => {
    let hash = seed >>> 0;
    for (let index = 0; index < file.length; index += 1)
      hash = Math.imul(hash ^ file.charCodeAt(index), 16777619);
    return ((hash ^ (hash >>> 15)) >>> 0) % folds;
  });
}
