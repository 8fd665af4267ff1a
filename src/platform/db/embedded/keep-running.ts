/**
 * Restarts the embedded PostgreSQL when it exits on its own: killed, out of memory, or a PANIC on a full disk.
 * The address stays the same, so pools and listeners reach the new server by reconnecting.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

/** After more restarts than this within the window, another one would not help. */
export const MAX_RESTARTS = 6;
export const RESTART_WINDOW_MS = 5 * 60_000;
const FIRST_DELAY_MS = 500;

/** How long to wait before the next restart, or undefined to give up; `restarts` are the times of the earlier ones. */
export function delayBeforeRestart(restarts: readonly number[], now: number): number | undefined {
  const recent = restarts.filter((time) => now - time < RESTART_WINDOW_MS).length;
  if (recent >= MAX_RESTARTS) return undefined;
  return recent === 0 ? 0 : FIRST_DELAY_MS * 2 ** (recent - 1);
}

/** Resolves when PostgreSQL was stopped on purpose; rejects with a `StartFailure` when it gives up. */
export async function keepRunning(
  postgres: EmbeddedPostgres,
  options: { log: Log; stopped: AbortSignal },
): Promise<void> {
  const { log, stopped } = options;
  const restarts: number[] = [];
  const restart = async (): Promise<void> => {
    let failure: unknown;
    while (!stopped.aborted) {
      const delayMs = delayBeforeRestart(restarts, performance.now());
      if (delayMs === undefined) throw gaveUp(failure);
      await delay(delayMs, undefined, { signal: stopped }).catch(() => undefined);
      if (stopped.aborted) return;
      restarts.push(performance.now());
      try {
        await postgres.restart();
        log.info('PostgreSQL is running again');
        return;
      } catch (error) {
        if (stopped.aborted) return;
        failure = error;
        log.error({ err: error }, 'PostgreSQL could not be restarted');
      }
    }
  };
  for (;;) {
    const { expected, ...exit } = await postgres.exited;
    if (expected || stopped.aborted) return;
    log.error(
      { exit },
      'PostgreSQL exited unexpectedly and will be restarted; see postgres.log in the data folder',
    );
    await restart();
  }
}

function gaveUp(failure: unknown): StartFailure {
  const restarts = `It was restarted ${MAX_RESTARTS} times within ${RESTART_WINDOW_MS / 60_000} minutes.`;
  if (failure instanceof StartFailure) {
    return new StartFailure(failure.kind, `${failure.message} ${restarts}`, failure);
  }
  return new StartFailure(
    'postgres_not_starting',
    `The embedded PostgreSQL keeps exiting. ${restarts} See postgres.log in the data folder.`,
    failure,
  );
}
