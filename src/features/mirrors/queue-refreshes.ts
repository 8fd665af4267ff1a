/** Queues due refreshes, each in the transaction that records it, so that there is at most one job per repository. */
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { Queue } from '../../platform/queue/index.ts';
import { lockDue, markRefreshQueued } from './refresh-store.ts';

export const REFRESH_REPOSITORY = 'refresh-repository';

const BATCH = 500;
/** Refreshes that a user requested. */
const ASKED_FOR = 1;

/** Does nothing while the queue is starting; the next call finds the same repositories. */
export async function queueRefreshes(db: Db, queue: Queue): Promise<void> {
  if (!queue.started()) return;
  for (;;) {
    const count = await inTransaction(db, async (transaction) => {
      const rows = await lockDue(transaction, BATCH);
      if (rows.length === 0) return 0;
      await queue.send(
        transaction,
        REFRESH_REPOSITORY,
        rows.map((row) => ({
          data: { repositoryId: row.id },
          group: row.organization_id,
          priority: row.asked ? ASKED_FOR : 0,
        })),
      );
      await markRefreshQueued(
        transaction,
        rows.map((row) => row.id),
      );
      return rows.length;
    });
    if (count > 0) queue.wake(REFRESH_REPOSITORY);
    if (count < BATCH) return;
  }
}
