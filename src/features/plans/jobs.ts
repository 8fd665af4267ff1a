/** Background work of plans. */
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { type MarkServices, markAddressedComments } from './comments/mark-addressed-comments.ts';

export const planJobs: TimedJob<MarkServices>[] = [
  { name: 'mark-addressed-comments', everyMs: 5 * SECOND_MS, onChange: true, run: markAddressedComments },
];
