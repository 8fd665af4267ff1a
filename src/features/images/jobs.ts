/** Background work of images. */
import { DAY_MS, HOUR_MS } from '../../platform/core/text/durations.ts';
import type { Db } from '../../platform/db/index.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { deleteUnusedImages } from './image-store.ts';

const AT_ONCE = 200;
/** In one run of the job, so that a node that stops doesn't wait for long. */
const MAX_BATCHES = 50;

/** Someone may still be writing the comment that shows an image; each is looked for once a day. */
export async function cleanImages(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - DAY_MS);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1)
    if ((await deleteUnusedImages(db, { before, limit: AT_ONCE, now })) < AT_ONCE) return;
}

export const imageJobs: TimedJob[] = [{ name: 'delete-unused-images', everyMs: HOUR_MS, run: cleanImages }];
