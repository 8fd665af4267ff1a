/** Background work of accounts. */
import { HOUR_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { deleteOldAttempts } from './sessions/sign-in-attempt-store.ts';
import { deleteExpiredSessions } from './store/session-store.ts';

export const accountJobs: TimedJob[] = [
  { name: 'delete-expired-sessions', everyMs: HOUR_MS, run: deleteExpiredSessions },
  { name: 'delete-old-sign-in-attempts', everyMs: HOUR_MS, run: deleteOldAttempts },
];
