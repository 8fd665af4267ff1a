/** The public interface of the queue. */
export { createQueue } from './create-queue.ts';
export type { JobRequest, Queue, QueuedJob } from './queue.ts';
