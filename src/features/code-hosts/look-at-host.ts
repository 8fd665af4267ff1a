/**
 * One look at a code host: what its credential may do, which repositories it has, who can read them, and their webhooks.
 * Everything is written as it is read, so a look that is cut short continues with the next one.
 */
import { isHostError } from '../../engines/code-hosts/index.ts';
import { writeHostCheck } from './connection-store.ts';
import { checkedOf } from './create-code-host.ts';
import { ensureWebhooks } from './ensure-webhooks.ts';
import { noteHostFailure } from './host-failure.ts';
import type { LookServices } from './look.ts';
import { endLook, startLook } from './look-store.ts';
import { openCodeHost } from './open-code-host.ts';
import { readAccess } from './read-access.ts';
import { readHostRepositories } from './read-host-repositories.ts';

/** How often a host is looked at without being asked to. Each step has its own times, see look-store.ts. */
const EVERY_SECONDS = 5 * 60;

export async function lookAtHost(
  services: LookServices,
  codeHostId: string,
  signal: AbortSignal,
): Promise<void> {
  const { announce, db, log } = services;
  const row = await startLook(db, codeHostId, EVERY_SECONDS);
  if (!row) return;
  let more = false;
  try {
    const host = openCodeHost(services, row, signal);
    const look = { ...services, host, row, signal };
    if (row.check_due) await writeHostCheck(db, codeHostId, checkedOf(await host.describe()));
    if (row.list_due) await readHostRepositories(look);
    more = await readAccess(look);
    more = (await ensureWebhooks(look)) || more;
  } catch (error) {
    if (signal.aborted || !isHostError(error)) throw error;
    log.info({ err: error, codeHostId }, 'a code host could not be looked at; trying again later');
    await noteHostFailure(db, codeHostId, error, { failures: 0, now: services.now() });
  } finally {
    await endLook(db, codeHostId, more);
    announce(codeHostId);
  }
}
