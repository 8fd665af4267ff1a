/**
 * Refreshes a repository for a command. A service that runs does it, with its own credentials, PATH and network: what fails for it is
 * what everyone should see at the repository. Only without one, the command does it itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RefreshOutcome } from '../../features/mirrors/index.ts';
import {
  askForRefresh,
  operatorIn,
  presentRepository,
  selectRepository,
} from '../../features/repositories/index.ts';
import { selectNodes } from '../../features/system/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { announceOnce } from '../../platform/live/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import type { Call } from '../command.ts';
import { createProgressDisplay, type ProgressDisplay } from '../terminal/show-progress.ts';

const LOOK_EVERY_MS = 300;

export type ShownRepository = Awaited<ReturnType<typeof presentRepository>>;

export interface RepositoryPlace {
  organizationId: string;
  repositoryId: string;
}

/** Returns the refreshed repository; undefined if it was removed meanwhile. */
export async function refreshHere(
  call: Call,
  db: Db,
  place: RepositoryPlace,
): Promise<ShownRepository | undefined> {
  const display = createProgressDisplay();
  const isDone = () => follow(db, place, display, call.stopped);
  try {
    for (;;) {
      if (await hasWorker(db)) {
        await askForRefresh(db, place.repositoryId);
        await announceOnce(db, place.repositoryId);
        if (await isDone()) break;
      } else {
        const { kind } = await refreshAlone(call, db, place, display);
        if (kind !== 'not_taken' || (await isDone())) break;
      }
    }
  } finally {
    display.end();
  }
  return readRepository(db, place);
}

/** Whether a service has it to do, also when the command that asked for it ends. */
export async function isServiceFetching(db: Db, place: RepositoryPlace): Promise<boolean> {
  return Boolean((await readRepository(db, place))?.activity) && (await hasWorker(db));
}

async function hasWorker(db: Db): Promise<boolean> {
  return (await selectNodes(db)).some(({ roles }) => roles.includes('worker'));
}

async function refreshAlone(
  { config, log, stopped }: Call,
  db: Db,
  { repositoryId }: RepositoryPlace,
  display: ProgressDisplay,
): Promise<RefreshOutcome> {
  const secrets = await openSecrets({ db, file: config.secretFile });
  // Nothing in this process waits for changes; the service polls the database.
  const { openMirrors } = await import('../../open-mirrors.ts');
  const mirrors = openMirrors({ config, db, log, secrets, announce: () => undefined });
  try {
    const refresh = { onlyWhenDue: false, onProgress: display.show, signal: stopped };
    return await mirrors.refresh(repositoryId, refresh);
  } finally {
    await mirrors.close();
  }
}

/** Shows another process's progress until it is done; false if the refresh is still pending and no process is there to do it. */
async function follow(
  db: Db,
  place: RepositoryPlace,
  display: ProgressDisplay,
  stopped: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const repository = await readRepository(db, place);
    if (!repository?.activity) return true;
    if (repository.activity.phase === 'waiting' && !(await hasWorker(db))) return false;
    display.show(repository.activity);
    await sleep(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => stopped.throwIfAborted());
  }
}

export async function readRepository(
  db: Db,
  { organizationId, repositoryId }: RepositoryPlace,
): Promise<ShownRepository | undefined> {
  const operator = operatorIn(organizationId);
  const row = await selectRepository(db, operator, repositoryId);
  return row && presentRepository(db, operator, row);
}
