/** The data folder with the embedded PostgreSQL in it, opened for one process and closed with it. */
import type { Config } from '../config.ts';
import type { Log } from '../platform/core/log.ts';
import {
  type DataFolder,
  type EmbeddedPostgres,
  openDataFolder,
  startEmbeddedPostgres,
} from '../platform/db/index.ts';
import { unlessStopped } from './stop-signal.ts';

export interface Storage {
  folder: DataFolder;
  postgres: EmbeddedPostgres;
}

/** What was opened is on the stack, to be closed in the opposite order. */
export async function openStorage(
  stack: AsyncDisposableStack,
  options: { config: Config; purpose: 'serve' | 'command'; log: Log; stopped: AbortSignal },
): Promise<Storage> {
  const { config, log, purpose, stopped } = options;
  const folder = await unlessStopped(stopped, openDataFolder({ dir: config.dataDir, purpose, log }));
  stack.defer(() => folder.release());
  // It must not be left to itself half-started, so a stop has to wait for it.
  const postgres = await startEmbeddedPostgres({ dir: config.dataDir, log });
  const end = () => endAtOnce(postgres);
  process.once('exit', end);
  stack.defer(async () => {
    await postgres.stop();
    process.off('exit', end);
  });
  stopped.throwIfAborted();
  return { folder, postgres };
}

/** When the process is ended at once, PostgreSQL ends too (and recovers at its next start). */
function endAtOnce(postgres: EmbeddedPostgres): void {
  if (postgres.hasExited()) return;
  try {
    process.kill(postgres.pid, 'SIGQUIT');
  } catch {
    // It has exited in the meantime.
  }
}
