/** Queries for describing repositories: which of them changed, who works on it, and whether it failed. Times are PostgreSQL's. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** As the index `repositories_undescribed` has it. */
const isUndescribed = sql<boolean>`(described_head IS DISTINCT FROM head_commit
  OR (head_commit IS NOT NULL AND described_name IS DISTINCT FROM name))`;

/** Marks repositories whose head or name changed since they were described, and that nobody else has marked lately. */
export async function claimUndescribed(
  db: Db,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    UPDATE repositories r SET describe_queued_at = clock_timestamp()
    WHERE r.id = ANY(ARRAY(SELECT id FROM repositories
      WHERE ${isUndescribed}
        AND (describe_queued_at IS NULL OR describe_queued_at < clock_timestamp() - interval '15 minutes')
      ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING r.id, r.organization_id AS "organizationId"`.execute(db);
  return rows;
}

export interface RepositoryToDescribe {
  id: string;
  organizationId: string;
  name: string;
  /** Null when it has no commit. */
  headCommit: string | null;
}

/** Notes that the work begins; undefined when there is nothing to do. */
export function startDescribing(db: Db, repositoryId: string): Promise<RepositoryToDescribe | undefined> {
  return db
    .updateTable('repositories')
    .set({ describe_started_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', repositoryId)
    .where(isUndescribed)
    .returning(['id', 'organization_id as organizationId', 'name', 'head_commit as headCommit'])
    .executeTakeFirst();
}

/** Locks the repository until the transaction ends; undefined when its head or name changed meanwhile, or others were first. */
export function lockToDescribe(
  db: Db,
  { headCommit, id, name }: RepositoryToDescribe,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('repositories')
    .select('id')
    .where('id', '=', id)
    .where('name', '=', name)
    .where(sql<boolean>`head_commit IS NOT DISTINCT FROM ${headCommit}`)
    .where(isUndescribed)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function finishDescribing(
  db: Db,
  { headCommit, id, name }: RepositoryToDescribe,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({
      described_head: headCommit,
      described_name: name,
      describe_queued_at: null,
      describe_started_at: null,
      describe_problem: null,
    })
    .where('id', '=', id)
    .execute();
}

/** It changed while it was described, or the service stops: it is queued again. */
export async function releaseDescribing(db: Db, repositoryId: string): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ describe_queued_at: null, describe_started_at: null })
    .where('id', '=', repositoryId)
    .execute();
}

export async function noteDescribeProblem(db: Db, repositoryId: string, problem: string): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ describe_problem: problem, describe_started_at: null })
    .where('id', '=', repositoryId)
    .execute();
}

/** Summaries are derived from the code, so they are written again in the background instead of being masked. */
export async function describeAgain(db: Db): Promise<void> {
  await sql`UPDATE repositories SET described_name = NULL WHERE described_name IS NOT NULL`.execute(db);
}
