/** Queries for the pull requests linked to plans. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import { isUnseen } from './unseen-row-store.ts';

const MAX_SHOWN = 500;

export interface NewPullRequestLink {
  id: string;
  planId: string;
  organizationId: string;
  repositoryId: string | null;
  repositoryName: string | null;
  number: number;
  userId: string;
  at: Date;
}

/** Returns whether the link is new: a pull request is linked only once. */
export async function insertPullRequestLink(db: Db, link: NewPullRequestLink): Promise<boolean> {
  const row = await db
    .insertInto('plan_pull_requests')
    .values({
      id: link.id,
      plan_id: link.planId,
      organization_id: link.organizationId,
      repository_id: link.repositoryId,
      repository_name: link.repositoryName,
      number: link.number,
      linked_by: link.userId,
      linked_at: link.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The links of a plan, with the pull request itself if it is known and the reader can see its repository. */
export function selectPullRequests(db: Db, reader: Reader, planId: string) {
  const visible = visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .select(['p.id', 'p.repository_id', 'p.number', 'p.title', 'p.state', 'p.url']);
  return db
    .selectFrom('plan_pull_requests as l')
    .leftJoin(visible.as('known'), (join) =>
      join.onRef('known.repository_id', '=', 'l.repository_id').onRef('known.number', '=', 'l.number'),
    )
    .select(['l.repository_id', 'l.repository_name', 'l.number', 'l.linked_at'])
    .select(isUnseen(reader, 'l').as('unseen'))
    .select(['known.id', 'known.title', 'known.state', 'known.url'])
    .where('l.plan_id', '=', planId)
    .orderBy('l.linked_at')
    .orderBy('l.number')
    .limit(MAX_SHOWN)
    .execute();
}

export type PullRequestRow = Awaited<ReturnType<typeof selectPullRequests>>[number];

/** The approved plans that are linked to a pull request, in order of ID. */
export async function selectApprovedPlansOf(
  db: Db,
  pullRequest: { organizationId: string; repositoryId: string; number: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_pull_requests as l')
    .innerJoin('plans as p', 'p.id', 'l.plan_id')
    .select('p.id')
    .where('l.organization_id', '=', pullRequest.organizationId)
    .where('l.number', '=', pullRequest.number)
    .where('l.repository_id', '=', pullRequest.repositoryId)
    .where('p.status', '=', 'approved')
    .orderBy('p.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** How many of the plan's known pull requests are in each state. */
export async function countKnownPullRequests(
  db: Db,
  planId: string,
): Promise<{ active: number; merged: number }> {
  return db
    .selectFrom('plan_pull_requests as l')
    .innerJoin('pull_requests as p', (join) =>
      join.onRef('p.repository_id', '=', 'l.repository_id').onRef('p.number', '=', 'l.number'),
    )
    .select([
      sql<number>`count(*) FILTER (WHERE p.state IN ('open', 'draft'))::int`.as('active'),
      sql<number>`count(*) FILTER (WHERE p.state = 'merged')::int`.as('merged'),
    ])
    .where('l.plan_id', '=', planId)
    .executeTakeFirstOrThrow();
}

export async function isPullRequest(db: Db, repositoryId: string, number: number): Promise<boolean> {
  const row = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row !== undefined;
}

/** Up to `limit` numbers on each side, of the pull requests that the repository has. */
export async function selectNearNumbers(
  db: Db,
  repositoryId: string,
  number: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    SELECT number FROM (SELECT number FROM pull_requests WHERE repository_id = ${repositoryId} AND number < ${number}
      ORDER BY number DESC LIMIT ${limit}) AS before
    UNION ALL
    SELECT number FROM (SELECT number FROM pull_requests WHERE repository_id = ${repositoryId} AND number > ${number}
      ORDER BY number LIMIT ${limit}) AS after`.execute(db);
  return rows.map((row) => row.number);
}
