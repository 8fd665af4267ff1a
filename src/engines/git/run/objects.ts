/** Reads objects of a repository: single ones through a long-lived process, many at once through a separate one. */
import type { ChildProcess } from 'node:child_process';
import { type BatchAnswer, createBatchParser } from './batch-parser.ts';
import { startGit } from './run-git.ts';

const IDLE_MS = 30_000;

/**
 * For a git that waits for requests: what it maps of packs and keeps of objects stays in memory in between. By default that is
 * whole packs, and 96 MiB of objects.
 */
export const KEEPS_LITTLE = {
  'core.packedGitWindowSize': '1m',
  'core.packedGitLimit': '16m',
  'core.deltaBaseCacheLimit': '8m',
};

const WRITE_IDS = 500;

interface Question extends PromiseWithResolvers<BatchAnswer> {
  most: number;
}

export interface ObjectReader {
  /** `name` is an object id, or hexadecimal digits with a peel such as `^{commit}`: never text from a caller. */
  read(name: string, maxBytes: number): Promise<BatchAnswer>;
  close(): void;
}

/** Starts git on the first request, stops it when idle, and restarts it when needed. */
export function openObjects(gitDir: string): ObjectReader {
  let child: ChildProcess | undefined;
  let questions: Question[] = [];
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const process = startGit(['cat-file', '--batch'], { gitDir, configuration: KEEPS_LITTLE });
    const mine: Question[] = [];
    questions = mine;
    let failure = '';
    const parse = createBatchParser(
      () => mine[0]?.most ?? 0,
      (answer) => {
        const copied =
          typeof answer === 'object' && answer.content
            ? { ...answer, content: Buffer.from(answer.content) }
            : answer;
        mine.shift()?.resolve(copied);
        if (mine.length === 0) idle = setTimeout(close, IDLE_MS).unref();
      },
    );
    let parsing = Promise.resolve();
    process.stdout!.on('data', (chunk: Buffer) => {
      parsing = parsing.then(() => parse(chunk));
    });
    process.stderr!.on('data', (chunk: Buffer) => {
      failure = (failure + chunk.toString()).slice(-500);
    });
    process.stdin!.on('error', () => undefined);
    process.on('error', () => undefined);
    process.on('close', () => {
      if (child === process) child = undefined;
      void parsing.then(() => {
        for (const question of mine.splice(0))
          question.reject(new Error(`git cat-file exited: ${failure.trim() || 'no error message'}`));
      });
    });
    return process;
  }

  function close(): void {
    clearTimeout(idle);
    child?.stdin?.end();
    child = undefined;
  }

  return {
    read(name, most) {
      clearTimeout(idle);
      child ??= start();
      const question: Question = { most, ...Promise.withResolvers<BatchAnswer>() };
      questions.push(question);
      child.stdin!.write(`${name}\n`);
      return question.promise;
    },
    close,
  };
}

/**
 * Reads many objects, in the given order. An object's content is valid only until the promise returned by `take`
 * settles. Objects larger than `maxBytes` come without their content.
 */
export async function readObjects(
  gitDir: string,
  ids: readonly string[],
  options: { maxBytes: number; signal?: AbortSignal | undefined },
  take: (answer: BatchAnswer, position: number) => Promise<void> | void,
): Promise<void> {
  if (ids.length === 0) return;
  options.signal?.throwIfAborted();
  const child = startGit(['cat-file', '--batch', '--buffer'], { gitDir, signal: options.signal });
  let failure = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    failure = (failure + chunk.toString()).slice(-500);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  closed.catch(() => undefined);
  child.stdin!.on('error', () => undefined);
  const writing = writeIds(child, ids);
  let position = 0;
  const parse = createBatchParser(
    () => options.maxBytes,
    (answer) => {
      const here = position;
      position += 1;
      return take(answer, here);
    },
  );
  try {
    for await (const chunk of child.stdout!) await parse(chunk as Buffer);
    await writing;
  } finally {
    child.kill('SIGKILL');
  }
  await closed;
  options.signal?.throwIfAborted();
  if (position < ids.length) {
    throw new Error(`git cat-file answered ${position} of ${ids.length} requests: ${failure.trim()}`);
  }
}

async function writeIds(child: ChildProcess, ids: readonly string[]): Promise<void> {
  const stdin = child.stdin!;
  for (let at = 0; at < ids.length && stdin.writable; at += WRITE_IDS) {
    if (!stdin.write(`${ids.slice(at, at + WRITE_IDS).join('\n')}\n`)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          stdin.off('drain', go);
          stdin.off('close', go);
          resolve();
        };
        stdin.on('drain', go);
        stdin.on('close', go);
      });
    }
  }
  stdin.end();
}
