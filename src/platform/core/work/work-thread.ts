/** A worker thread for slow, pure work: starts with its first task, runs one at a time, and stops after it has been idle for a while. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../errors/errors.ts';
import type { Task, TaskResult } from './serve-tasks.ts';

const IDLE_MS = 30_000;
/** Far longer than the largest tasks take, even on a busy machine; anything slower is terminated. */
const MAX_DURATION_MS = 30_000;

export class WorkThread {
  readonly #entry: URL;
  readonly #tooLong: string;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `entry` is the file that calls `serveTasks`; `tooLong` is the message if a task is terminated. */
  constructor(entry: URL, tooLong: string) {
    this.#entry = entry;
    this.#tooLong = tooLong;
  }

  /** Only one task at a time: the caller waits for the result before it sends the next. */
  async run(task: Task): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { promise, reject, resolve } = Promise.withResolvers<unknown>();
    const onMessage = (outcome: TaskResult) =>
      'error' in outcome ? reject(outcome.error) : resolve(outcome.result);
    worker.on('message', onMessage);
    worker.on('error', reject);
    const onExit = () => reject(new Error('The worker thread ended.'));
    worker.on('exit', onExit);
    this.#timer = setTimeout(() => {
      void this.close();
      reject(new Problem('unavailable', this.#tooLong, { retryAfterSeconds: 30 }));
    }, MAX_DURATION_MS);
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(this.#timer);
      worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      this.#timer = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry);
    // It must not keep an otherwise finished process alive.
    worker.unref();
    // A running task reports that its worker failed or ended; an idle one is only replaced.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  /** Ends the thread, and with it a running task. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** The entry file beside a module: `.ts` in a checkout, `.js` in the package. */
export function threadEntry(name: string, moduleUrl: string): URL {
  return new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl);
}
