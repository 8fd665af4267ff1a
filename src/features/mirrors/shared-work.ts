/**
 * Work on one thing that several ask for at once: it is done by one, and the others wait for it. Whoever comes while it is
 * under way waits for a run that begins after that, so that what they know of is surely part of it. It is broken off when
 * nobody waits for it any more, unless one of them wanted it to go on.
 */

type Listener<Progress> = (progress: Progress) => void;

interface Run<Progress> {
  listeners: Set<Listener<Progress>>;
  waiting: number;
  goesOn: boolean;
  breakOff: AbortController;
  done: Promise<void>;
}

export interface Wish<Progress> {
  onProgress?: Listener<Progress>;
  signal: AbortSignal;
  /** The work is finished even when nobody waits for it any more. */
  goesOn?: boolean;
}

export interface SharedWork<Progress> {
  ask(key: string, wish: Wish<Progress>): Promise<void>;
  /** Waits for what is under way or coming; begins nothing. */
  join(key: string, signal: AbortSignal): Promise<void>;
  /** Breaks off what is under way, and waits until it has ended. */
  stop(key: string, reason: Error): Promise<void>;
  stopAll(reason: Error): Promise<void>;
}

export function createSharedWork<Progress>(
  work: (key: string, onProgress: Listener<Progress>, signal: AbortSignal) => Promise<void>,
): SharedWork<Progress> {
  /** Of each thing the run under way and the one after it. */
  const running = new Map<string, Run<Progress>>();
  const coming = new Map<string, Run<Progress>>();

  const begin = (key: string, after: Promise<void>): Run<Progress> => {
    const breakOff = new AbortController();
    const listeners = new Set<Listener<Progress>>();
    const start = async () => {
      await after.catch(() => undefined);
      if (coming.get(key) === run) coming.delete(key);
      running.set(key, run);
      try {
        breakOff.signal.throwIfAborted();
        const tell = (progress: Progress) => {
          for (const listener of listeners) listener(progress);
        };
        await work(key, tell, breakOff.signal);
      } catch (error) {
        throw breakOff.signal.aborted ? breakOff.signal.reason : error;
      } finally {
        running.delete(key);
      }
    };
    const run: Run<Progress> = { listeners, waiting: 0, goesOn: false, breakOff, done: Promise.resolve() };
    run.done = start();
    run.done.catch(() => undefined);
    return run;
  };

  const runFor = (key: string): Run<Progress> => {
    const next = coming.get(key);
    if (next && !next.breakOff.signal.aborted) return next;
    const made = begin(key, (next ?? running.get(key))?.done ?? Promise.resolve());
    coming.set(key, made);
    return made;
  };

  const stop = async (key: string, reason: Error): Promise<void> => {
    const runs = [running.get(key), coming.get(key)].filter((run) => run !== undefined);
    for (const run of runs) run.breakOff.abort(reason);
    await Promise.allSettled(runs.map((run) => run.done));
  };

  const waitFor = async (
    run: Run<Progress>,
    { goesOn = false, onProgress, signal }: Wish<Progress>,
  ): Promise<void> => {
    if (onProgress) run.listeners.add(onProgress);
    run.waiting += 1;
    run.goesOn ||= goesOn;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([run.done, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (onProgress) run.listeners.delete(onProgress);
      run.waiting -= 1;
      if (run.waiting === 0 && signal.aborted && !run.goesOn) {
        run.breakOff.abort(signal.reason);
        // Whoever broke it off finds it ended.
        await run.done.catch(() => undefined);
      }
    }
  };

  return {
    async ask(key, wish) {
      wish.signal.throwIfAborted();
      await waitFor(runFor(key), wish);
    },
    async join(key, signal) {
      signal.throwIfAborted();
      const run = running.get(key) ?? coming.get(key);
      if (run) await waitFor(run, { signal });
    },
    stop,
    async stopAll(reason) {
      await Promise.all([...new Set([...running.keys(), ...coming.keys()])].map((key) => stop(key, reason)));
    },
  };
}
