/** Background work of idempotency. */
import { HOUR_MS } from '../core/text/durations.ts';
import type { TimedJob } from '../queue/index.ts';
import { deleteOldReplies } from './run-once.ts';

export const idempotencyJobs: TimedJob[] = [
  { name: 'delete-old-idempotent-replies', everyMs: HOUR_MS, run: deleteOldReplies },
];
