/** Moves every time in the database to when the story says that it happened. */
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/index.ts';
import type { Story } from './story.ts';

/** Tables that decide about access or work now, not about the past. */
const KEPT = ['sessions', 'idempotent_replies', 'sign_in_attempts', 'oauth_records', 'service_secret'];

export async function backdate(db: Db, story: Story, now: Date): Promise<void> {
  const marks = story.marks.map(({ minutes, realMs }) => ({
    from: new Date(realMs),
    shown: new Date(now.getTime() - minutes * 60_000),
  }));
  await db.transaction().execute(async (transaction) => {
    // Within a mark, everything keeps its order and happens in less than a minute.
    const cases = marks.toReversed().map(
      ({ from, shown }) => sql`WHEN given >= ${sql.lit(from.toISOString())}::timestamptz
        THEN ${sql.lit(shown.toISOString())}::timestamptz + least(given - ${sql.lit(from.toISOString())}::timestamptz, interval '50 seconds')`,
    );
    await sql`CREATE FUNCTION pg_temp.story_time(given timestamptz) RETURNS timestamptz LANGUAGE sql AS ${sql.lit(
      sql`SELECT CASE WHEN given > ${sql.lit(now.toISOString())}::timestamptz + interval '10 minutes' THEN given ${sql.join(cases, sql` `)} ELSE given END`.compile(
        db,
      ).sql,
    )}`.execute(transaction);
    const { rows } = await sql<{ table_name: string; columns: string[] }>`
      SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone'
        AND is_generated = 'NEVER' AND table_name <> ALL(${KEPT})
      GROUP BY table_name`.execute(transaction);
    for (const { columns, table_name } of rows) {
      const moved = columns.map((column) => sql`${sql.ref(column)} = pg_temp.story_time(${sql.ref(column)})`);
      await sql`UPDATE ${sql.table(table_name)} SET ${sql.join(moved)}`.execute(transaction);
    }
  });
}
