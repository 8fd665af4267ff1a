/**
 * Deduplicates concurrent work by key. Callers that arrive before a run starts share it; callers that arrive while it runs
 * share the next one, so every result reflects the state at the time of the call. A run is cancelled when its last caller
 * leaves, unless one of them set `continueAlone`. `Batch` and `GroupedWrites` gather short queries instead: those carry the callers'
 * keys or items, and nobody follows or cancels them.
 */

type Listener<Progress> = (progress: Progress) => void;

interface Run<Progress> {
  listeners: Set<Listener<Progress>>;
  waiting: number;
  continueAlone: boolean;
  controller: AbortController;
  done: Promise<void>;
}

export interface WorkOptions<Progress> {
  onProgress?: Listener<Progress>;
  signal: AbortSignal;
  /** Finish the run even if every caller leaves. */
  continueAlone?: boolean;
}

export interface SharedWork<Progress> {
  run(key: string, options: WorkOptions<Progress>): Promise<void>;
  /** Cancels all runs of a key and waits until they have ended. */
  stop(key: string, reason: Error): Promise<void>;
  stopAll(reason: Error): Promise<void>;
}

export function createSharedWork<Progress>(
  work: (key: string, onProgress: Listener<Progress>, signal: AbortSignal) => Promise<void>,
): SharedWork<Progress> {
  /** By key: the current run and the one after it. */
  const running = new Map<string, Run<Progress>>();
  const next = new Map<string, Run<Progress>>();

  const begin = (key: string, after: Promise<void>): Run<Progress> => {
    const controller = new AbortController();
    const listeners = new Set<Listener<Progress>>();
    const start = async () => {
      await after.catch(() => undefined);
      if (next.get(key) === run) next.delete(key);
      running.set(key, run);
      try {
        controller.signal.throwIfAborted();
        const report = (progress: Progress) => {
          for (const listener of listeners) listener(progress);
        };
        await work(key, report, controller.signal);
      } catch (error) {
        throw controller.signal.aborted ? controller.signal.reason : error;
      } finally {
        running.delete(key);
      }
    };
    const run: Run<Progress> = {
      listeners,
      waiting: 0,
      continueAlone: false,
      controller,
      done: Promise.resolve(),
    };
    run.done = start();
    run.done.catch(() => undefined);
    return run;
  };

  const runFor = (key: string): Run<Progress> => {
    const queued = next.get(key);
    if (queued && !queued.controller.signal.aborted) return queued;
    const made = begin(key, (queued ?? running.get(key))?.done ?? Promise.resolve());
    next.set(key, made);
    return made;
  };

  const stop = async (key: string, reason: Error): Promise<void> => {
    const runs = [running.get(key), next.get(key)].filter((run) => run !== undefined);
    for (const run of runs) run.controller.abort(reason);
    await Promise.allSettled(runs.map((run) => run.done));
  };

  const waitFor = async (
    run: Run<Progress>,
    { continueAlone = false, onProgress, signal }: WorkOptions<Progress>,
  ): Promise<void> => {
    if (onProgress) run.listeners.add(onProgress);
    run.waiting += 1;
    run.continueAlone ||= continueAlone;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([run.done, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (onProgress) run.listeners.delete(onProgress);
      run.waiting -= 1;
      if (run.waiting === 0 && signal.aborted && !run.continueAlone) {
        run.controller.abort(signal.reason);
        // The work has ended by the time this caller gets its rejection.
        await run.done.catch(() => undefined);
      }
    }
  };

  return {
    async run(key, options) {
      options.signal.throwIfAborted();
      await waitFor(runFor(key), options);
    },
    stop,
    async stopAll(reason) {
      await Promise.all([...new Set([...running.keys(), ...next.keys()])].map((key) => stop(key, reason)));
    },
  };
}
