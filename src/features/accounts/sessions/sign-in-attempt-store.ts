/**
 * Throttles password guessing: attempts are counted in PostgreSQL, across all nodes, against the limits in
 * `sign-in-limits.ts`. An attempt is counted before its password is checked, so that concurrent attempts gain nothing.
 */
import { sql } from 'kysely';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Attempt, type Limit, limitsOf, WINDOW_MS } from './sign-in-limits.ts';

/** Counts an attempt and rejects it when there were too many, whether or not the password is correct. */
export async function countAttempt(db: Db, attempt: Attempt, now: Date): Promise<void> {
  for (const limit of limitsOf(attempt)) await countIn(limit, attempt.email, db, now);
}

/** One statement per limit, so that no lock is held while waiting for another. */
async function countIn({ bucket, max, ofAccount }: Limit, email: string, db: Db, now: Date): Promise<void> {
  const windowEnds = new Date(now.getTime() + WINDOW_MS);
  // A clock that was set back must not extend a window.
  const counted = await sql<{ attempts: number; window_ends_at: Date }>`
    INSERT INTO sign_in_attempts AS a (bucket, account, attempts, window_ends_at)
    VALUES (${bucket}, ${ofAccount ? email : null}, 1, ${windowEnds})
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN a.window_ends_at <= ${now} THEN 1 ELSE a.attempts + 1 END,
      window_ends_at = CASE WHEN a.window_ends_at <= ${now} THEN excluded.window_ends_at
        ELSE least(a.window_ends_at, excluded.window_ends_at) END
    RETURNING attempts, window_ends_at`.execute(db);
  const { attempts, window_ends_at } = counted.rows[0]!;
  if (attempts <= max) return;
  const seconds = Math.max(1, Math.ceil((window_ends_at.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(seconds / 60);
  throw new Problem('rate_limited', `Too many sign-in attempts. Try again in ${minutes} min.`, {
    retryAfterSeconds: seconds,
  });
}

/** Call it after a correct password. Updates rows in a fixed order, so that concurrent calls cannot deadlock. */
export async function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  const limits = limitsOf(attempt);
  const bucketsThat = (onSuccess: Limit['onSuccess']) =>
    limits.filter((limit) => limit.onSuccess === onSuccess).map(({ bucket }) => bucket);
  for (const bucket of bucketsThat('reset')) {
    await db.deleteFrom('sign_in_attempts').where('bucket', '=', bucket).execute();
  }
  for (const bucket of bucketsThat('subtract').sort()) {
    await sql`UPDATE sign_in_attempts SET attempts = greatest(0, attempts - 1) WHERE bucket = ${bucket}`.execute(
      db,
    );
  }
}

/** Writes one row without changing anything. */
export async function touchAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { bucket } = limitsOf(attempt).at(-1)!;
  await sql`UPDATE sign_in_attempts SET attempts = attempts WHERE bucket = ${bucket}`.execute(db);
}

/** Clears the limits of an account after its password was reset. */
export async function forgetAccountAttempts(db: Db, email: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('account', '=', email).execute();
}

/** Skips locked rows until the next run, so that this never blocks a sign-in. */
export async function deleteOldAttempts(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM sign_in_attempts WHERE bucket IN (
    SELECT bucket FROM sign_in_attempts WHERE window_ends_at <= ${now} FOR UPDATE SKIP LOCKED)`.execute(db);
}
