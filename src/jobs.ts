/** Every piece of work that the worker does at set times; nothing else. */
import { deleteExpiredSessions, deleteOldAttempts } from './accounts/index.ts';
import type { Db } from './db/index.ts';
import { deleteOldReplies } from './idempotency/index.ts';

export interface Job {
  name: string;
  everyMs: number;
  run(db: Db, now: Date): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;

export const jobs: readonly Job[] = [
  { name: 'delete-expired-sessions', everyMs: HOUR_MS, run: deleteExpiredSessions },
  { name: 'delete-old-sign-in-attempts', everyMs: HOUR_MS, run: deleteOldAttempts },
  { name: 'delete-old-idempotent-replies', everyMs: HOUR_MS, run: deleteOldReplies },
];
