/** Queries about the whole installation. They count across organizations but return none of their content. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { NODE_NAMES, type NodeName, readNodeName } from '../../platform/live/index.ts';

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

/** Whether the queue was ever started. */
export async function hasQueue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT to_regclass('pgboss.job') IS NOT NULL AS found`.execute(db);
  return rows[0]!.found;
}

export interface QueueState {
  name: string;
  /** Including those that are due later. */
  waiting: number;
  running: number;
  /** Failed for good, or at least five times in a row: a job that failed once usually succeeds soon. */
  failing: number;
  /** How many seconds the oldest due job has waited. */
  waitedSeconds: number;
}

const RETRIES_OF_FAILING = 4;

/** The kinds of jobs that are waiting, running or failed; empty until a worker has been started. */
export async function selectQueues(db: Db): Promise<QueueState[]> {
  if (!(await hasQueue(db))) return [];
  const { rows } = await sql<QueueState>`
    SELECT name, count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE state = 'active')::int AS running,
      count(*) FILTER (WHERE state = 'failed' OR (state = 'retry' AND retry_count >= ${RETRIES_OF_FAILING}))::int AS failing,
      coalesce(extract(epoch FROM max(now() - greatest(created_on, start_after)) FILTER (WHERE state IN ('created', 'retry') AND start_after <= now())), 0)::float8 AS "waitedSeconds"
    FROM pgboss.job WHERE state IN ('created', 'retry', 'active', 'failed') GROUP BY name ORDER BY name`.execute(
    db,
  );
  return rows;
}

/** Every node has one connection that listens for changes. */
export async function selectNodes(db: Db): Promise<(NodeName & { since: Date })[]> {
  const { rows } = await sql<{ name: string; since: Date }>`
    SELECT application_name AS name, backend_start AS since FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${NODE_NAMES}
    ORDER BY backend_start, pid`.execute(db);
  return rows.map(({ name, since }) => ({ ...readNodeName(name), since }));
}

export function selectLatestBackup(db: Db) {
  return db
    .selectFrom('latest_backup')
    .select(['finished_at', 'file', 'bytes', 'problem'])
    .executeTakeFirst();
}
