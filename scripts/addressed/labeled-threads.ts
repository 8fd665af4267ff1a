/** Reads review threads of which it is known whether they were addressed: JSON Lines, also compressed with xz. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ReviewThread } from '../../src/engines/addressed/index.ts';

export interface LabeledThread extends ReviewThread {
  label: 'addressed' | 'not_addressed';
}

export function readThreads(path: string): LabeledThread[] {
  const text = path.endsWith('.xz')
    ? execFileSync('xz', ['-dc', path], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    : readFileSync(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ replies: [], otherHunks: [], ...JSON.parse(line) }) as LabeledThread);
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
