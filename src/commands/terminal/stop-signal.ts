/** The reasons to stop a running command: Ctrl-C, SIGTERM, a closed terminal, or the exit of its launcher. */
import { constants } from 'node:os';

/** The launcher and npm forward a Ctrl-C that the terminal has already sent to every process, so one press causes several signals. */
const SAME_PRESS_MS = 1000;

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Why the command's `stopped` was aborted. */
export class Stopped extends Error {
  readonly signal: SignalName;

  constructor(signal: SignalName) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** Aborted by the first signal, which starts an orderly shutdown; a later one ends the process immediately. */
export function listenForStop(): AbortSignal {
  const controller = new AbortController();
  let stoppedAt: number | undefined;
  const onSignal = (name: SignalName) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      controller.abort(new Stopped(name));
    } else if (performance.now() - stoppedAt > SAME_PRESS_MS) {
      process.exit(exitCodeOf(name));
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  // The launcher keeps a channel open; it closes when the launcher is killed and can no longer forward signals.
  if (process.connected) {
    process.once('disconnect', () => onSignal('SIGTERM'));
    process.channel?.unref();
  }
  return controller.signal;
}

/** The exit code that a shell reports for a process ended by a signal. */
export function exitCodeOf(signal: SignalName): number {
  return 128 + constants.signals[signal];
}

/** The result of the work, or the stop reason as soon as there is one; the work is then abandoned. */
export async function unlessStopped<T>(stopped: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  stopped.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(stopped.reason);
  stopped.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    stopped.removeEventListener('abort', stop);
  }
}
