/** The public interface of the queue. */
export { createQueue } from './create-queue.ts';
export { defineJob, type Job, type QueuedJob, type TimedJob } from './define-job.ts';
export { deleteOld } from './delete-old.ts';
export type { JobKind, JobRequest, Queue } from './queue.ts';
