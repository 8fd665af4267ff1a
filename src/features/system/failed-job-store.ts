/**
 * Queries on jobs that failed. A job belongs to the organization that it names, or whose repository, code host or delivery it
 * names; one that names nothing, such as a backup, belongs to the installation. All others are never shown.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface FailedJobRow {
  id: string;
  kind: string;
  state: 'retry' | 'failed';
  attempts: number;
  started_at: Date | null;
  next_run_at: Date;
  error: string;
  repository: string | null;
}

/** Failed for good, or waiting for the next attempt after a failure; a job that was only interrupted has no output. */
const FAILED = sql<boolean>`(j.state = 'failed' OR (j.state = 'retry' AND j.output IS NOT NULL))`;

const ownedBy = (organizationId: string): RawBuilder<boolean> => sql<boolean>`(j.data = '{}'
  OR j.data->>'organizationId' = ${organizationId}
  OR EXISTS (SELECT FROM repositories r WHERE r.id = (j.data->>'repositoryId')::uuid AND r.organization_id = ${organizationId})
  OR EXISTS (SELECT FROM code_hosts h WHERE h.id = (j.data->>'codeHostId')::uuid AND h.organization_id = ${organizationId})
  OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = (j.data->>'deliveryId')::uuid AND d.organization_id = ${organizationId}))`;

/** The ones that ran last come first. */
export async function selectFailedJobs(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<FailedJobRow[]> {
  const { rows } = await sql<FailedJobRow>`
    SELECT j.id, j.name AS kind, j.state, j.retry_count + 1 AS attempts, j.started_on AS started_at, j.start_after AS next_run_at,
      coalesce(j.output->>'message', j.output->'value'->>'message', '') AS error,
      (SELECT r.name FROM repositories r
        WHERE r.id = (j.data->>'repositoryId')::uuid AND r.organization_id = ${organizationId}) AS repository
    FROM pgboss.job j WHERE ${FAILED} AND ${ownedBy(organizationId)}
    ORDER BY j.started_on DESC, j.id LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Makes them due now. A job that is already due or running is left alone, so that two clicks cause one run. The time is compared
 * with the clock rather than `now()`, because a transaction that began earlier may wait for ours.
 */
export async function renewFailedJobs(
  db: Db,
  organizationId: string,
  jobs: { kind: string; id?: string },
): Promise<number> {
  const one = jobs.id === undefined ? sql`` : sql`AND j.id = ${jobs.id}`;
  const { rows } = await sql`
    UPDATE pgboss.job j SET state = 'retry', start_after = now(), completed_on = NULL,
      retry_limit = greatest(retry_limit, retry_count + 1)
    WHERE j.name = ${jobs.kind} ${one} AND ${FAILED} AND (j.state = 'failed' OR j.start_after > clock_timestamp())
      AND ${ownedBy(organizationId)}
    RETURNING j.id`.execute(db);
  return rows.length;
}

/** The jobs of an organization, before its rows are deleted. */
export async function deleteQueuedJobs(db: Db, organizationId: string): Promise<void> {
  await sql`DELETE FROM pgboss.job j WHERE j.data <> '{}' AND ${ownedBy(organizationId)}`.execute(db);
}
