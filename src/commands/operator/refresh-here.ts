/** Refreshes a repository from a command, or follows the service's progress if it is already refreshing it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorIn, presentRepository, selectRepository } from '../../features/repositories/index.ts';
import type { Db } from '../../platform/db/index.ts';
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
  const { config, log, stopped } = call;
  const secrets = await openSecrets({ db, file: config.secretFile });
  // Nothing in this process waits for changes; the service polls the database.
  const { openMirrors } = await import('../../open-mirrors.ts');
  const mirrors = openMirrors({ config, db, log, secrets, announce: () => undefined });
  const display = createProgressDisplay();
  try {
    const refresh = { onlyWhenDue: false, onProgress: display.show, signal: stopped };
    for (;;) {
      const outcome = await mirrors.refresh(place.repositoryId, refresh);
      if (outcome.kind !== 'not_taken' || (await follow(db, place, display, stopped))) break;
    }
  } finally {
    display.end();
    await mirrors.close();
  }
  return readRepository(db, place);
}

/** Shows another process's progress until it is done; false if that process died and the refresh is still pending. */
async function follow(
  db: Db,
  place: RepositoryPlace,
  display: ProgressDisplay,
  stopped: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const repository = await readRepository(db, place);
    if (!repository?.activity) return true;
    if (repository.activity.phase === 'waiting') return false;
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
