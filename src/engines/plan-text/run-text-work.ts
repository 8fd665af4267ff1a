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
const freeThreads = Array.from({ length: THREADS }, () => new WorkThread(ENTRY, TOO_LONG));
const queue = createFairQueue({
  maxRunning: THREADS,
  maxRunningPerCredential: 1,
  maxWaiting: 200,
  maxWaitingPerCredential: 20,
});

export async function runTextWork<Name extends keyof TextWork>(
  call: Call,
  name: Name,
  ...values: Parameters<TextWork[Name]>
): Promise<ReturnType<TextWork[Name]>> {
  const run = costOf(values) <= SHORT_CHARACTERS ? TEXT_WORK[name] : undefined;
  if (run) return (run as (...values: unknown[]) => unknown)(...values) as ReturnType<TextWork[Name]>;
  const endTurn = await queue.enter(call, MAX_WAIT_MS).catch((error: unknown) => {
    throw error instanceof NoTurn ? error.toProblem('requests for long plans') : error;
  });
  const thread = freeThreads.pop()!;
  try {
    return (await thread.run({ name, values })) as ReturnType<TextWork[Name]>;
  } finally {
    freeThreads.push(thread);
    endTurn();
  }
}

/** How many characters the work reads: all texts, once for each entry of a list argument. */
function costOf(values: unknown[]): number {
  const entries = values.find(Array.isArray)?.length ?? 0;
  const characters = values.flat().reduce<number>((sum, value) => sum + String(value).length, 0);
  return characters * (1 + entries);
}
