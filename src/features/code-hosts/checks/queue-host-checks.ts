/** Queues checks of code hosts that are due, at most one per host. */
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import type { Queue } from '../../../platform/queue/index.ts';
import { lockDueHosts, markHostChecksQueued } from '../connections/host-check-store.ts';

export const CHECK_HOST = 'check-code-host';

const BATCH = 100;

export async function queueHostChecks(db: Db, queue: Queue): Promise<void> {
  if (!queue.started()) return;
  const count = await inTransaction(db, async (transaction) => {
    const rows = await lockDueHosts(transaction, BATCH);
    if (rows.length === 0) return 0;
    const jobs = rows.map((row) => ({ data: { codeHostId: row.id }, group: row.organization_id }));
    await queue.send(transaction, CHECK_HOST, jobs);
    await markHostChecksQueued(
      transaction,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
  if (count > 0) queue.wake(CHECK_HOST);
}
