/** The queue's door. */
export { createQueue } from './create-queue.ts';
export type { JobRequest, Queue, QueuedJob } from './queue.ts';
