/** Queries for the people involved in plans, each for many plans at once. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export async function selectPlanCreators(db: Db, planIds: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('plans')
    .select(['id', 'created_by'])
    .where('id', '=', sql<string>`ANY(${planIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.created_by]));
}

export async function selectVersionAuthors(db: Db, versionIds: string[]): Promise<Map<string, string>> {
  if (versionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('plan_versions')
    .select(['id', 'author_id'])
    .where('id', '=', sql<string>`ANY(${versionIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.author_id]));
}

/** Only the authors of this many recent comments count as participants. */
const RECENT = 200;

/** For each comment: who started its thread or recently wrote in it before the comment, and who muted the thread. */
export async function selectThreads(
  db: Db,
  commentIds: string[],
): Promise<Map<string, { authorIds: string[]; mutedIds: string[] }>> {
  if (commentIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; author_ids: string[]; muted_ids: string[] }>`
    SELECT c.id,
      ARRAY(SELECT o.author_id FROM plan_comments o WHERE o.id = c.thread_id AND o.id <> c.id
        UNION
        SELECT b.author_id FROM (SELECT author_id FROM plan_comments
          WHERE thread_id = c.thread_id AND (created_at, id) < (c.created_at, c.id)
          ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(RECENT)}) AS b) AS author_ids,
      ARRAY(SELECT m.user_id FROM plan_muted_threads m WHERE m.thread_id = c.thread_id) AS muted_ids
    FROM plan_comments c WHERE c.id = ANY(${commentIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, { authorIds: row.author_ids, mutedIds: row.muted_ids }]));
}

/** For each plan: who reviewed it, was asked to review it, or recently commented on it. */
export async function selectReviewers(db: Db, planIds: string[]): Promise<Map<string, string[]>> {
  if (planIds.length === 0) return new Map();
  const { rows } = await sql<{ plan_id: string; user_ids: string[] }>`
    SELECT plan_id, array_agg(user_id) AS user_ids FROM (
      SELECT plan_id, user_id FROM plan_reviews WHERE plan_id = ANY(${planIds}::uuid[])
      UNION SELECT plan_id, user_id FROM plan_review_requests WHERE plan_id = ANY(${planIds}::uuid[])
      UNION SELECT asked.plan_id, c.author_id FROM unnest(${planIds}::uuid[]) AS asked (plan_id)
        JOIN LATERAL (SELECT author_id FROM plan_comments WHERE plan_id = asked.plan_id
          ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(RECENT)}) AS c ON true
    ) AS reviewers GROUP BY plan_id`.execute(db);
  return new Map(rows.map((row) => [row.plan_id, row.user_ids]));
}

/** The admins and owners of each organization. */
export async function selectAdmins(db: Db, organizationIds: string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('memberships')
    .select(['organization_id', 'user_id'])
    .where('organization_id', '=', sql<string>`ANY(${organizationIds}::uuid[])`)
    .where('role', 'in', ['admin', 'owner'])
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.organization_id)].map(([id, some]) => [
      id,
      some.map((row) => row.user_id),
    ]),
  );
}
