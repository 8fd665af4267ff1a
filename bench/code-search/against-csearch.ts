/** P3b: selective identifiers over HTTP with a key, compared with csearch, the trigram search of Debian's `codesearch`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../measure.ts';
import type { Corpus } from './corpus.ts';

const REQUESTS_AN_IDENTIFIER = 5;

/** Undefined when csearch isn't installed. */
export async function indexForCsearch(
  corpus: Corpus,
): Promise<{ find(word: string): Promise<number> } | undefined> {
  const index = `${corpus.checkout}.csearchindex`;
  const run = async (command: string, args: string[]) => {
    const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, CSEARCHINDEX: index } });
    await once(child, 'close');
  };
  try {
    await run('cindex', [corpus.checkout]);
  } catch {
    return undefined;
  }
  return {
    async find(word) {
      const started = performance.now();
      await run('csearch', ['-n', word]);
      return performance.now() - started;
    },
  };
}

/** The sum over all identifiers of the median duration of each. */
export async function sumOfMedians(
  words: string[],
  time: (word: string) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for (const word of words) {
    const times: number[] = [];
    for (let count = 0; count < REQUESTS_AN_IDENTIFIER; count += 1) times.push(await time(word));
    sum += median(times);
  }
  return sum;
}
