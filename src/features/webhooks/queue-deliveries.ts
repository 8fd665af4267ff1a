/** Queues deliveries, in the same transaction that marks them as queued, so that none is lost or queued twice. */
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { Queue } from '../../platform/queue/index.ts';
import { DELIVER_WEBHOOK } from './deliver-webhook.ts';
import { lockUnqueued, markQueued } from './delivery-store.ts';

const BATCH = 500;

/** Does nothing while the queue is starting; the next call finds the same deliveries. */
export async function queueDeliveries(db: Db, queue: Queue): Promise<void> {
  if (!queue.started()) return;
  for (;;) {
    const count = await inTransaction(db, async (transaction) => {
      const rows = await lockUnqueued(transaction, BATCH);
      if (rows.length === 0) return 0;
      const jobs = rows.map((row) => ({ data: { deliveryId: row.id }, group: row.webhook_id }));
      await queue.send(transaction, DELIVER_WEBHOOK, jobs);
      await markQueued(
        transaction,
        rows.map((row) => row.id),
      );
      return rows.length;
    });
    if (count > 0) queue.wake(DELIVER_WEBHOOK);
    if (count < BATCH) return;
  }
}
