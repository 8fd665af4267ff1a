/** The reference of P3B: csearch, the trigram search of Debian's package `codesearch`, on an indexed checkout. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../measure.ts';
import type { Corpus } from './corpus.ts';

const REQUESTS_PER_WORD = 5;

let isInstalled: boolean | undefined;

export function hasCsearch(): boolean {
  if (isInstalled === undefined) {
    isInstalled = spawnSync('csearch', ['-h'], { stdio: 'ignore' }).error === undefined;
    if (!isInstalled)
      process.stderr.write('P3B is skipped: csearch is missing (apt-get install codesearch)\n');
  }
  return isInstalled;
}

/** Returns a function that searches for a word and returns the duration in milliseconds. */
export async function indexForCsearch({ checkout }: Corpus): Promise<(word: string) => Promise<number>> {
  const run = async (command: string, args: string[]) => {
    const env = { ...process.env, CSEARCHINDEX: `${checkout}.csearchindex` };
    await once(spawn(command, args, { stdio: 'ignore', env }), 'close');
  };
  await run('cindex', [checkout]);
  return async (word) => {
    const started = performance.now();
    await run('csearch', ['-n', word]);
    return performance.now() - started;
  };
}

/** The sum, over all words, of the median duration of each. */
export async function sumOfMedians(
  words: string[],
  time: (word: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const word of words) {
    const times: number[] = [];
    for (let count = 0; count < REQUESTS_PER_WORD; count += 1) times.push(await time(word));
    sum += median(times);
  }
  return sum;
}
