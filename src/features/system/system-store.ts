/** Queries on the state of the whole installation, for the operator: they see every organization, but none of its content. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface DatabaseState {
  version: string;
  bytes: number;
  /** PostgreSQL's clock. */
  now: Date;
  migrations: number;
}

export async function selectDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database())::float8 AS bytes,
      clock_timestamp() AS now, (SELECT count(*)::int FROM migrations) AS migrations`.execute(db);
  return rows[0]!;
}

export interface QueueState {
  name: string;
  failed: number;
  /** Seconds for which the oldest job that is due has waited. */
  waitedSeconds: number;
}

/** Queues with failed jobs, or jobs that are due; empty before the first start of a worker. */
export async function selectQueues(db: Db): Promise<QueueState[]> {
  const { rows: found } = await sql<{ found: boolean }>`
    SELECT to_regclass('pgboss.job') IS NOT NULL AS found`.execute(db);
  if (!found[0]!.found) return [];
  const { rows } = await sql<QueueState>`
    SELECT name, count(*) FILTER (WHERE state = 'failed')::int AS failed,
      coalesce(extract(epoch FROM max(now() - greatest(created_on, start_after)) FILTER (WHERE state IN ('created', 'retry') AND start_after <= now())), 0)::float8 AS "waitedSeconds"
    FROM pgboss.job WHERE state IN ('created', 'retry', 'failed') GROUP BY name ORDER BY name`.execute(db);
  return rows;
}

/** Connections to code hosts that don't work. */
export function selectFailingHosts(db: Db) {
  return db
    .selectFrom('code_hosts')
    .select(['url', 'state', 'problem'])
    .where('state', '<>', 'working')
    .orderBy('url')
    .limit(100)
    .execute();
}

export function selectLatestBackup(db: Db) {
  return db.selectFrom('latest_backup').select(['finished_at', 'file', 'problem']).executeTakeFirst();
}
