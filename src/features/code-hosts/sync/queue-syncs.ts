/** Queues what is due at code hosts, each in the transaction that records it, so that there is at most one job for each. */
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import type { Queue } from '../../../platform/queue/index.ts';
import { lockDueLists, markListsQueued } from './repository-sync-store.ts';
import { askForWaiting, lockDueSyncs, markSyncsQueued } from './sync-store.ts';

export const SYNC_PULL_REQUEST = 'sync-pull-request';
export const SYNC_REPOSITORY = 'sync-repository';

/** Jobs of one host that wait in the queue: what happens next must not wait behind an import. */
const MAX_QUEUED_PER_HOST = 20;

/** Does nothing while the queue is starting; the next call finds the same. */
export async function queueSyncs(db: Db, queue: Queue): Promise<void> {
  if (!queue.started()) return;
  await askForWaiting(db);
  const lists = await inTransaction(db, async (transaction) => {
    const rows = await lockDueLists(transaction, MAX_QUEUED_PER_HOST);
    if (rows.length === 0) return 0;
    const jobs = rows.map(({ codeHostId, repositoryId }) => ({ data: { repositoryId }, group: codeHostId }));
    await queue.send(transaction, SYNC_REPOSITORY, jobs);
    await markListsQueued(
      transaction,
      rows.map(({ repositoryId }) => repositoryId),
    );
    return rows.length;
  });
  if (lists > 0) queue.wake(SYNC_REPOSITORY);
  const syncs = await inTransaction(db, async (transaction) => {
    const rows = await lockDueSyncs(transaction, MAX_QUEUED_PER_HOST);
    if (rows.length === 0) return 0;
    const jobs = rows.map(({ codeHostId, number, priority, repositoryId }) => ({
      data: { repositoryId, number: String(number) },
      group: codeHostId,
      priority,
    }));
    await queue.send(transaction, SYNC_PULL_REQUEST, jobs);
    await markSyncsQueued(transaction, rows);
    return rows.length;
  });
  if (syncs > 0) queue.wake(SYNC_PULL_REQUEST);
}
