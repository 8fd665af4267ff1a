/** Queues looks at code hosts that are due, at most one per host. */
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { Queue } from '../../platform/queue/index.ts';
import { lockDueHosts, markLookQueued } from './look-store.ts';

export const LOOK_AT_HOST = 'look-at-code-host';

const BATCH = 100;

export async function queueLooks(db: Db, queue: Queue): Promise<void> {
  if (!queue.started()) return;
  const count = await inTransaction(db, async (transaction) => {
    const rows = await lockDueHosts(transaction, BATCH);
    if (rows.length === 0) return 0;
    const jobs = rows.map((row) => ({ data: { codeHostId: row.id }, group: row.organization_id }));
    await queue.send(transaction, LOOK_AT_HOST, jobs);
    await markLookQueued(
      transaction,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
  if (count > 0) queue.wake(LOOK_AT_HOST);
}
