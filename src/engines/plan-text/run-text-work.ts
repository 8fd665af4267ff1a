/**
 * Runs work on plan texts: directly if they are short, otherwise in a worker thread, so that a plan of one megabyte
 * doesn't block other requests. There are two threads. One organization never uses both, so its long plans don't delay
 * those of others; within an organization, people and credentials take turns.
 */
import { type Call, createFairQueue, NoTurn } from '../../platform/core/work/fair-queue.ts';
import { threadEntry, WorkThread } from '../../platform/core/work/work-thread.ts';
import { TEXT_WORK, type TextWork } from './text-work.ts';

/** Up to this many characters, work takes a few milliseconds. */
const SHORT_CHARACTERS = 50_000;
const MAX_WAIT_MS = 60_000;
const THREADS = 2;

const ENTRY = threadEntry('text-work-thread', import.meta.url);
const TOO_LONG = 'Processing this long plan took too long.';

export interface TextThreads {
  run<Name extends keyof TextWork>(
    call: Call,
    name: Name,
    ...values: Parameters<TextWork[Name]>
  ): Promise<ReturnType<TextWork[Name]>>;
  close(): Promise<void>;
}

export function createTextThreads(): TextThreads {
  const threads = Array.from({ length: THREADS }, () => new WorkThread(ENTRY, TOO_LONG));
  const free = [...threads];
  const queue = createFairQueue({
    maxRunning: THREADS,
    maxRunningPerCredential: 1,
    maxWaiting: 200,
    maxWaitingPerCredential: 20,
  });
  return {
    async run(call, name, ...values) {
      const run = costOf(values) <= SHORT_CHARACTERS ? TEXT_WORK[name] : undefined;
      if (run) return (run as (...values: unknown[]) => unknown)(...values) as never;
      const endTurn = await queue.enter(call, MAX_WAIT_MS).catch((error: unknown) => {
        throw error instanceof NoTurn ? error.toProblem('requests for long plans') : error;
      });
      const thread = free.pop()!;
      try {
        return (await thread.run({ name, values })) as never;
      } finally {
        free.push(thread);
        endTurn();
      }
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** How many characters the work reads: all texts, once for each entry of a list argument. */
function costOf(values: unknown[]): number {
  const entries = values.find(Array.isArray)?.length ?? 0;
  const characters = values.flat().reduce<number>((sum, value) => sum + String(value).length, 0);
  return characters * (1 + entries);
}
