/** Background work of the OAuth sign-in. */
import { HOUR_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { deleteOldRecords } from './delete-old-records.ts';

export const oauthJobs: TimedJob[] = [
  { name: 'delete-old-oauth-records', everyMs: HOUR_MS, run: deleteOldRecords },
];
