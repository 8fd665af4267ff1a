/** Refreshes a repository from a command: by itself, or by following the service when that is at it already. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/index.ts';
import { operatorIn, presentRepository, selectRepository } from '../repositories/index.ts';
import { openSecrets } from '../secrets/index.ts';
import type { Call } from './command.ts';
import { openMirrors } from './open-mirrors.ts';
import { createProgressDisplay, type ProgressDisplay } from './show-progress.ts';

const LOOK_EVERY_MS = 300;

export type ShownRepository = Awaited<ReturnType<typeof presentRepository>>;

export interface RepositoryPlace {
  organizationId: string;
  repositoryId: string;
}

/** The repository as it is after that; undefined when it was removed meanwhile. */
export async function refreshHere(
  call: Call,
  db: Db,
  place: RepositoryPlace,
): Promise<ShownRepository | undefined> {
  const { config, log, stopped } = call;
  const secrets = await openSecrets({ db, file: config.secretFile });
  // Nobody in this process waits for changes; the service looks at the database by itself.
  const mirrors = openMirrors({ config, db, log, secrets, announce: () => undefined });
  const display = createProgressDisplay();
  try {
    const outcome = await mirrors.refresh(place.repositoryId, {
      onlyWhenDue: false,
      onProgress: display.show,
      signal: stopped,
    });
    if (outcome.kind === 'not_taken') await follow(db, place, display, stopped);
  } finally {
    display.end();
    await mirrors.close();
  }
  return readRepository(db, place);
}

/** Shows what another process does with it until that is done. */
async function follow(
  db: Db,
  place: RepositoryPlace,
  display: ProgressDisplay,
  stopped: AbortSignal,
): Promise<void> {
  for (;;) {
    const repository = await readRepository(db, place);
    if (!repository?.activity) return;
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
