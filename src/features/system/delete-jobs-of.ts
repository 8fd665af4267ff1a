/** Deletes the background jobs of an organization that is about to be deleted. */
import type { Db } from '../../platform/db/index.ts';
import { deleteQueuedJobs } from './failed-job-store.ts';
import { hasQueue } from './system-store.ts';

export async function deleteJobsOf(db: Db, organizationId: string): Promise<void> {
  if (await hasQueue(db)) await deleteQueuedJobs(db, organizationId);
}
