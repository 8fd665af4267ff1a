/** Queries on the newest scheduled backup. Times are PostgreSQL's, so that the nodes agree. */
import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

/** Whether a backup is due; it then counts as queued, for one of the nodes that ask at the same time. */
export async function claimDueBackup(db: Db, everyMs: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO latest_backup (only_row, queued_at) VALUES (true, clock_timestamp())
    ON CONFLICT (only_row) DO UPDATE SET queued_at = excluded.queued_at
    WHERE latest_backup.queued_at <= excluded.queued_at - make_interval(secs => ${everyMs / 1000})
    RETURNING only_row`.execute(db);
  return rows.length > 0;
}

export async function recordBackup(db: Db, made: { file: string; bytes: number }): Promise<void> {
  await db
    .updateTable('latest_backup')
    .set({ ...made, finished_at: sql<Date>`clock_timestamp()`, problem: null })
    .execute();
}

/** Keeps the record of the last backup that succeeded. */
export async function recordFailedBackup(db: Db, problem: string): Promise<void> {
  await db.updateTable('latest_backup').set({ problem }).execute();
}
