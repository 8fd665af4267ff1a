/**
 * Slows down guessing: attempts are counted in PostgreSQL, so that all nodes count together, by network and by
 * account. An attempt is counted before the password is looked at, so that many at once gain nothing. A network that
 * has used up its attempts no longer counts against any account: it cannot go on locking people out.
 */
import { sql } from 'kysely';
import { Problem } from '../../platform/core/errors.ts';
import { networkOf } from '../../platform/core/network.ts';
import type { Db } from '../../platform/db/index.ts';

const WINDOW_MS = 15 * 60 * 1000;
const MAX_PER_ACCOUNT = 10;
const MAX_PER_NETWORK = 100;

export interface Attempt {
  email: string;
  address: string;
}

const accountBucket = ({ email }: { email: string }) => `account ${email}`;
const networkBucket = ({ address }: { address: string }) => `network ${networkOf(address)}`;

/** Counts an attempt; refuses it when there were too many, whether or not the password would be right. */
export async function countAttempt(db: Db, attempt: Attempt, now: Date): Promise<void> {
  await countIn(networkBucket(attempt), MAX_PER_NETWORK, db, now);
  await countIn(accountBucket(attempt), MAX_PER_ACCOUNT, db, now);
}

/** One statement for each bucket: none is held while another is waited for. */
async function countIn(bucket: string, most: number, db: Db, now: Date): Promise<void> {
  const windowEnds = new Date(now.getTime() + WINDOW_MS);
  const counted = await sql<{ attempts: number; window_ends_at: Date }>`
    INSERT INTO sign_in_attempts AS a (bucket, attempts, window_ends_at) VALUES (${bucket}, 1, ${windowEnds})
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN a.window_ends_at <= ${now} THEN 1 ELSE a.attempts + 1 END,
      window_ends_at = CASE WHEN a.window_ends_at <= ${now} THEN excluded.window_ends_at ELSE a.window_ends_at END
    RETURNING attempts, window_ends_at`.execute(db);
  const { attempts, window_ends_at } = counted.rows[0]!;
  if (attempts <= most) return;
  const seconds = Math.max(1, Math.ceil((window_ends_at.getTime() - now.getTime()) / 1000));
  throw new Problem('rate_limited', `Too many attempts to sign in. Wait ${Math.ceil(seconds / 60)} min.`, {
    retryAfterSeconds: seconds,
  });
}

/** A right password: the account starts afresh, and the network gets its attempt back. Always in this order. */
export async function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  await forgetAccountAttempts(db, attempt.email);
  await sql`UPDATE sign_in_attempts SET attempts = greatest(0, attempts - 1)
    WHERE bucket = ${networkBucket(attempt)}`.execute(db);
}

/** Writes one row and changes nothing. */
export async function touchAttempt(db: Db, attempt: Attempt): Promise<void> {
  await sql`UPDATE sign_in_attempts SET attempts = attempts WHERE bucket = ${accountBucket(attempt)}`.execute(
    db,
  );
}

/** Lets an account try again at once, after its password was right or was reset. */
export async function forgetAccountAttempts(db: Db, email: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('bucket', '=', accountBucket({ email })).execute();
}

/** What someone else holds is left for the next time, so that this never stands in the way of a sign-in. */
export async function deleteOldAttempts(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM sign_in_attempts WHERE bucket IN (
    SELECT bucket FROM sign_in_attempts WHERE window_ends_at <= ${now} FOR UPDATE SKIP LOCKED)`.execute(db);
}
