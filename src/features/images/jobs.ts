/** Background work of images. */
import { DAY_MS, HOUR_MS } from '../../platform/core/text/durations.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { deleteUnusedImages, lockImagesToLookAt } from './image-store.ts';

const AT_ONCE = 200;
/** In one run of the job, so that a node that stops doesn't wait for long. */
const MAX_BATCHES = 50;

/** Someone may still be writing the text that shows an image; each is looked at once a day. */
export async function cleanImages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DAY_MS);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const looked = await inTransaction(db, async (transaction) => {
      const ids = await lockImagesToLookAt(transaction, { before, limit: AT_ONCE });
      await deleteUnusedImages(transaction, ids, now);
      return ids.length;
    });
    if (looked < AT_ONCE) return;
  }
}

export const imageJobs: TimedJob[] = [{ name: 'delete-unused-images', everyMs: HOUR_MS, run: cleanImages }];
