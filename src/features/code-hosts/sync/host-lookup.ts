/** Whether a code host has a pull request that isn't known here yet: its webhook may be late. */
import type { OnHost } from '../../../context.ts';
import { isHostError } from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type HostServices, openCodeHost } from '../connections/open-code-host.ts';
import { selectHostOfRepository } from '../repositories/host-repository-store.ts';
import { askForSyncs, type SyncKey } from './sync-store.ts';

/** A caller waits for this; what can't be told in time is unknown. */
const PATIENCE_MS = 3000;

/** Calls about the same pull request at the same time share one question. One that the host has is read soon. */
export function createHostLookup(services: HostServices & { db: Db }): (key: SyncKey) => Promise<OnHost> {
  const asked = new Map<string, Promise<OnHost>>();
  return (key) => {
    const name = `${key.repositoryId} ${key.number}`;
    const answer = asked.get(name) ?? ask(services, key).finally(() => asked.delete(name));
    asked.set(name, answer);
    return answer;
  };
}

async function ask(services: HostServices & { db: Db }, key: SyncKey): Promise<OnHost> {
  const row = await selectHostOfRepository(services.db, key.repositoryId);
  if (!row) return 'no_host';
  if (row.import_step !== 'done' || row.credential === null) return 'unknown';
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const host = openCodeHost(services, row, signal);
  try {
    await host.pullRequest({ repository: row.full_name, number: key.number });
  } catch (error) {
    if (!isHostError(error, 'not_found')) return 'unknown';
    // A host also says this of a repository that the credential can no longer see.
    const isThere = await host.repository(row.full_name).then(
      () => true,
      () => false,
    );
    return isThere ? 'no' : 'unknown';
  }
  await askForSyncs(services.db, key.repositoryId, [key.number]);
  return 'yes';
}
