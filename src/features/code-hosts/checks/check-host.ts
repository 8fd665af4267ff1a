/**
 * Checks a code host: what its credential may do, which repositories it has, who can read them, and their webhooks.
 * Everything is written as it is read, so a check that is cut short continues with the next one.
 */
import { isHostError } from '../../../engines/code-hosts/index.ts';
import { writeCredentialCheck } from '../connections/connection-store.ts';
import { checkedOf } from '../connections/create-code-host.ts';
import { endHostCheck, startHostCheck } from '../connections/host-check-store.ts';
import { noteHostFailure } from '../connections/host-failure.ts';
import { openCodeHost } from '../connections/open-code-host.ts';
import { ensureWebhooks } from './ensure-webhooks.ts';
import type { HostCheckServices } from './host-check.ts';
import { readAccess } from './read-access.ts';
import { readHostRepositories } from './read-host-repositories.ts';
import { syncTeams } from './sync-teams.ts';

/** How often a host is checked without being asked to. Each step has its own times, see host-check-store.ts. */
const EVERY_SECONDS = 5 * 60;

export async function checkHost(
  services: HostCheckServices,
  codeHostId: string,
  signal: AbortSignal,
): Promise<void> {
  const { announce, db, log } = services;
  const row = await startHostCheck(db, codeHostId, EVERY_SECONDS);
  if (!row) return;
  let more = false;
  try {
    const host = openCodeHost(services, row, signal);
    const check = { ...services, host, row, signal };
    if (row.credential_check_due)
      await writeCredentialCheck(db, codeHostId, checkedOf(await host.describe()));
    if (row.list_due) await readHostRepositories(check);
    more = await readAccess(check);
    more = (await syncTeams(check)) || more;
    more = (await ensureWebhooks(check)) || more;
  } catch (error) {
    if (signal.aborted || !isHostError(error)) throw error;
    log.info({ err: error, codeHostId }, 'a code host could not be checked; trying again later');
    await noteHostFailure(db, codeHostId, error, { failures: 0, now: services.now() });
  } finally {
    await endHostCheck(db, codeHostId, more);
    announce(codeHostId);
  }
}
