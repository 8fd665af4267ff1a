/** Background work of plans. */
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { markAddressedComments } from './comments/mark-addressed-comments.ts';

export const planJobs: TimedJob<Parameters<typeof markAddressedComments>[2]>[] = [
  { name: 'mark-addressed-comments', everyMs: 5 * SECOND_MS, onChange: true, run: markAddressedComments },
];
