/** The data folder and its embedded PostgreSQL, opened for one process. */
import type { Config } from '../../config.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import {
  type DataFolder,
  type EmbeddedPostgres,
  openDataFolder,
  RUNTIME_PLACES,
  startEmbeddedPostgres,
} from '../../platform/db/index.ts';
import { unlessStopped } from '../terminal/stop-signal.ts';

export interface Storage {
  folder: DataFolder;
  postgres: EmbeddedPostgres;
}

interface Options {
  config: Config;
  purpose: 'serve' | 'command';
  log: Log;
  stopped: AbortSignal;
}

/** Locked until the stack is disposed of. */
export async function openFolder(
  stack: AsyncDisposableStack,
  options: Options & { evenIfFull?: boolean },
): Promise<DataFolder> {
  const { config, evenIfFull = false, log, purpose, stopped } = options;
  const opening = openDataFolder({ dir: config.dataDir, purpose, log, evenIfFull });
  const folder = await unlessStopped(stopped, opening);
  stack.defer(() => folder.release());
  return folder;
}

/** Resources are on the stack and are closed in reverse order. */
export async function openStorage(
  stack: AsyncDisposableStack,
  options: Options & {
    /** Where to create the socket, if possible. */
    socketPlace?: string;
  },
): Promise<Storage> {
  const { config, log, socketPlace, stopped } = options;
  const folder = await openFolder(stack, options);
  // Not `unlessStopped`: it must not be abandoned half-started, and it ends what it started.
  const postgres = await startEmbeddedPostgres({
    dir: config.dataDir,
    log,
    stopped,
    runtimePlaces: socketPlace ? [socketPlace, ...RUNTIME_PLACES] : RUNTIME_PLACES,
  });
  const end = () => endAtOnce(postgres);
  process.once('exit', end);
  stack.defer(async () => {
    await postgres.stop();
    process.off('exit', end);
  });
  stopped.throwIfAborted();
  return { folder, postgres };
}

/** If the process exits immediately, PostgreSQL is killed too (and recovers at its next start). */
function endAtOnce(postgres: EmbeddedPostgres): void {
  if (postgres.hasExited()) return;
  try {
    process.kill(postgres.pid, 'SIGQUIT');
  } catch {
    // It has already exited.
  }
}
