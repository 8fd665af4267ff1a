/** Queries for labels and assignees. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import { LABEL_LIMITS } from '../contract.ts';

/** Older pull requests suggest nothing. */
const SEARCHED = 300;

/** In the repositories that the reader can see, most used first. */
export async function selectLabels(
  db: Db,
  reader: Reader,
  repositoryId: string | undefined,
): Promise<string[]> {
  const recent = visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .select('p.labels')
    .where('p.organization_id', '=', reader.organizationId)
    .$if(repositoryId !== undefined, (query) => query.where('p.repository_id', '=', repositoryId!))
    .orderBy('p.updated_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(SEARCHED);
  const { rows } = await sql<{ label: string }>`
    SELECT label FROM (${recent}) AS recent, unnest(recent.labels) AS label
    GROUP BY label ORDER BY count(*) DESC, label LIMIT ${LABEL_LIMITS.suggestions}`.execute(db);
  return rows.map(({ label }) => label);
}

export interface Assignee {
  id: string;
  name: string;
}

/** Who is assigned to the pull request `p`, in that order. */
export const assignees: RawBuilder<Assignee[]> = sql<Assignee[]>`coalesce((
  SELECT jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) ORDER BY g.assigned_at, u.id)
  FROM pull_request_assignees g JOIN users u ON u.id = g.user_id WHERE g.pull_request_id = p.id), '[]')`;

export async function selectAssigneeIds(db: Db, pullRequestId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('pull_request_assignees')
    .select('user_id')
    .where('pull_request_id', '=', pullRequestId)
    .execute();
  return rows.map(({ user_id: userId }) => userId);
}

export async function insertAssignees(
  db: Db,
  pullRequest: { id: string; organization_id: string },
  userIds: string[],
  at: Date,
): Promise<void> {
  if (userIds.length === 0) return;
  const of = { pull_request_id: pullRequest.id, organization_id: pullRequest.organization_id };
  await db
    .insertInto('pull_request_assignees')
    .values(userIds.map((userId) => ({ ...of, user_id: userId, assigned_at: at })))
    .execute();
}

export async function deleteAssignees(db: Db, pullRequestId: string, userIds: string[]): Promise<void> {
  await db
    .deleteFrom('pull_request_assignees')
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', sql<string>`ANY(${userIds}::uuid[])`)
    .execute();
}
