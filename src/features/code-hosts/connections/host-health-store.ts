/** Queries for whether a code host can be asked: withdrawn credentials, limits and failures. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** Failures in a row after which the host as a whole is paused. */
const FAILURES_TO_PAUSE = 3;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 900;

/** For the outbox: those that nobody is changing. */
export function lockIdleCodeHosts(db: Db, ids: string[]) {
  return db
    .selectFrom('code_hosts')
    .select(['id', 'last_event'])
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked();
}

/** Locks the host until the transaction ends; undefined if its credential is known to be refused. */
export function lockAuthorized(db: Db, codeHostId: string) {
  return db
    .selectFrom('code_hosts')
    .select(['id', 'organization_id', 'url', 'name', 'last_event'])
    .where('id', '=', codeHostId)
    .where('state', '<>', 'unauthorized')
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The credential was refused: nothing is asked until it is replaced. */
export async function markUnauthorized(
  db: Db,
  codeHostId: string,
  set: { problem?: string; last_event: string },
): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({ ...set, state: 'unauthorized', problem_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', codeHostId)
    .execute();
}

export async function markRateLimited(db: Db, codeHostId: string, waitMs: number): Promise<void> {
  const until = sql<Date>`clock_timestamp() + make_interval(secs => ${waitMs / 1000}::float8)`;
  await db
    .updateTable('code_hosts')
    .set({ state: 'rate_limited', paused_until: sql<Date>`greatest(paused_until, ${until})` })
    .where('id', '=', codeHostId)
    .where('state', '<>', 'unauthorized')
    .execute();
}

/** After a few failures in a row the host is paused, for longer each time. */
export async function markUnavailable(db: Db, codeHostId: string, problem: string): Promise<void> {
  await sql`UPDATE code_hosts SET failures = failures + 1,
      state = CASE WHEN failures + 1 >= ${FAILURES_TO_PAUSE} THEN 'unreachable' ELSE state END,
      problem = CASE WHEN failures + 1 >= ${FAILURES_TO_PAUSE} THEN ${problem} ELSE problem END,
      problem_at = CASE WHEN failures + 1 >= ${FAILURES_TO_PAUSE} THEN clock_timestamp() ELSE problem_at END,
      paused_until = CASE WHEN failures + 1 >= ${FAILURES_TO_PAUSE} THEN clock_timestamp() + make_interval(secs =>
        least(${MAX_PAUSE_SECONDS}, ${FIRST_PAUSE_SECONDS} * 2 ^ least(failures + 1 - ${FAILURES_TO_PAUSE}, 10))) ELSE paused_until END
    WHERE id = ${codeHostId} AND state <> 'unauthorized'`.execute(db);
}
