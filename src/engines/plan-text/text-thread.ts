/** A worker thread for long texts: starts with its first task, runs one at a time, and stops after it has been idle for a while. */
import { Worker } from 'node:worker_threads';
import { Problem } from '../../platform/core/errors.ts';
import type { TextTask, TextTaskResult } from './text-work.ts';

const IDLE_MS = 30_000;
/** Far longer than the largest texts take, even on a busy machine; anything slower is terminated. */
const MAX_DURATION_MS = 30_000;

export class TextThread {
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Only one task at a time: the caller waits for the result before it sends the next. */
  async run(task: TextTask): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { promise, reject, resolve } = Promise.withResolvers<unknown>();
    const onMessage = (outcome: TextTaskResult) =>
      'error' in outcome ? reject(outcome.error) : resolve(outcome.result);
    worker.on('message', onMessage);
    worker.on('error', reject);
    this.#timer = setTimeout(() => {
      this.#stop();
      const detail = 'Processing this long plan took too long.';
      reject(new Problem('unavailable', detail, { retryAfterSeconds: 30 }));
    }, MAX_DURATION_MS);
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(this.#timer);
      worker.off('message', onMessage).off('error', reject);
      this.#timer = setTimeout(() => this.#stop(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./text-work-thread.${extension}`, import.meta.url));
    // It must not keep an otherwise finished process alive.
    worker.unref();
    // An error ends the worker. A running task reports it; an idle worker that fails is only replaced.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #stop(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}
