/**
 * Runs work on plan texts: directly if they are short, otherwise in a worker thread, so that a plan of one megabyte
 * doesn't block other requests. There is one such thread; it stops after it has been idle for a while.
 */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../platform/core/errors.ts';
import { TEXT_WORK, type TextWork } from './text-work.ts';

/** Up to this many characters, work takes a few milliseconds. */
const SHORT_CHARACTERS = 50_000;
const IDLE_MS = 30_000;
/** Far longer than the largest texts take, even on a busy machine; anything slower is terminated. */
const MAX_DURATION_MS = 30_000;
const MAX_WAITING = 200;

interface Task extends PromiseWithResolvers<unknown> {
  id: number;
  name: keyof TextWork;
  values: unknown[];
}

let thread: Worker | undefined;
let timer: NodeJS.Timeout | undefined;
let lastId = 0;
const tasks: Task[] = [];

export async function runTextWork<Name extends keyof TextWork>(
  name: Name,
  ...values: Parameters<TextWork[Name]>
): Promise<ReturnType<TextWork[Name]>> {
  if (costOf(values) <= SHORT_CHARACTERS) {
    return (TEXT_WORK[name] as (...values: unknown[]) => unknown)(...values) as ReturnType<TextWork[Name]>;
  }
  if (tasks.length >= MAX_WAITING) {
    throw new Problem('unavailable', 'Too many long plans are being worked on.', { retryAfterSeconds: 5 });
  }
  lastId += 1;
  const task: Task = { id: lastId, name, values, ...Promise.withResolvers<unknown>() };
  tasks.push(task);
  if (tasks.length === 1) next();
  return task.promise as Promise<ReturnType<TextWork[Name]>>;
}

/** How many characters the work reads: all texts, once for each entry of a list argument. */
function costOf(values: unknown[]): number {
  const entries = values.find(Array.isArray)?.length ?? 0;
  const characters = values.flat().reduce<number>((sum, value) => sum + String(value).length, 0);
  return characters * (1 + entries);
}

/** Sends the first queued task to the thread. The others wait here, where they survive the thread. */
function next(): void {
  clearTimeout(timer);
  const task = tasks[0];
  if (!task) {
    timer = setTimeout(endThread, IDLE_MS).unref();
    return;
  }
  thread ??= startThread();
  thread.postMessage({ id: task.id, name: task.name, values: task.values });
  timer = setTimeout(() => {
    endThread();
    finish(task, () => task.reject(tookTooLong()));
  }, MAX_DURATION_MS);
}

function tookTooLong(): Problem {
  return new Problem('unavailable', 'The work on this long plan took too long.', { retryAfterSeconds: 30 });
}

function finish(task: Task, settle: () => void): void {
  if (tasks[0] !== task) return;
  tasks.shift();
  settle();
  next();
}

function startThread(): Worker {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./text-work-thread.${extension}`, import.meta.url));
  // It must not keep an otherwise finished process alive.
  worker.unref();
  worker.on('message', ({ error, id, result }: { id: number; result?: unknown; error?: unknown }) => {
    const task = tasks[0];
    if (task?.id === id)
      finish(task, () => (error === undefined ? task.resolve(result) : task.reject(error)));
  });
  worker.on('error', (error) => {
    // The task of a thread that was ended is settled already.
    if (thread !== worker) return;
    thread = undefined;
    const task = tasks[0];
    if (task) finish(task, () => task.reject(error));
  });
  return worker;
}

function endThread(): void {
  void thread?.terminate();
  thread = undefined;
}
