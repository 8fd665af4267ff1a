/** Queries for reviews and review requests. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export interface NewReview {
  id: string;
  planId: string;
  organizationId: string;
  versionId: string;
  userId: string;
  verdict: 'approved' | 'changes_requested';
  note: string | null;
  at: Date;
}

export async function insertReview(db: Db, review: NewReview): Promise<void> {
  await db
    .insertInto('plan_reviews')
    .values({
      id: review.id,
      plan_id: review.planId,
      organization_id: review.organizationId,
      version_id: review.versionId,
      user_id: review.userId,
      verdict: review.verdict,
      note: review.note,
      created_at: review.at,
    })
    .execute();
}

export function selectReviews(db: Db, planId: string, limit: number) {
  return db
    .selectFrom('plan_reviews as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .innerJoin('plan_versions as v', 'v.id', 'r.version_id')
    .select([
      'r.id',
      'r.version_id',
      'v.version',
      'r.user_id',
      'u.name as reviewer_name',
      'r.verdict',
      'r.note',
      'r.created_at',
      'r.withdrawn_at',
    ])
    .where('r.plan_id', '=', planId)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}

export type ReviewRow = Awaited<ReturnType<typeof selectReviews>>[number];

/** Whether a person approved the current content of a plan, and that approval stands. */
export const isApproved = (plan: 'p' | 'plan' | 'plans') => {
  const the = (column: string) => sql.ref(`${plan}.${column}`);
  return sql<boolean>`EXISTS (SELECT FROM plan_reviews review JOIN plan_versions reviewed ON reviewed.id = review.version_id
    WHERE review.plan_id = ${the('id')} AND reviewed.version >= ${the('content_since')}
      AND review.verdict = 'approved' AND review.withdrawn_at IS NULL)`;
};

/** The people who approved the current content, in the version that introduced it or a later one with the same content. */
export async function selectApprovers(db: Db, planId: string, contentSince: number): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_reviews as r')
    .innerJoin('plan_versions as v', 'v.id', 'r.version_id')
    .select('r.user_id')
    .distinct()
    .where('r.plan_id', '=', planId)
    .where('v.version', '>=', contentSince)
    .where('r.verdict', '=', 'approved')
    .where('r.withdrawn_at', 'is', null)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Whether a user posted the current content, first or again. */
export async function wroteContent(
  db: Db,
  planId: string,
  contentSince: number,
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('plan_versions')
    .select('id')
    .where('plan_id', '=', planId)
    .where('version', '>=', contentSince)
    .where('author_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Withdraws the approvals of one person, or all of them. */
export async function withdrawApprovals(db: Db, planId: string, at: Date, userId?: string): Promise<void> {
  await db
    .updateTable('plan_reviews')
    .set({ withdrawn_at: at })
    .where('plan_id', '=', planId)
    .where('verdict', '=', 'approved')
    .where('withdrawn_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .execute();
}

export function selectReviewRequests(db: Db, planId: string) {
  return db
    .selectFrom('plan_review_requests as r')
    .innerJoin('users as reviewer', 'reviewer.id', 'r.user_id')
    .innerJoin('users as requester', 'requester.id', 'r.requested_by')
    .select([
      'r.user_id',
      'reviewer.name as reviewer_name',
      'r.requested_by',
      'requester.name as requester_name',
      'r.requested_at',
    ])
    .where('r.plan_id', '=', planId)
    .orderBy('r.requested_at')
    .orderBy('r.user_id')
    .limit(500)
    .execute();
}

/** Requests reviews. Requests that already exist are renewed. */
export async function upsertReviewRequests(
  db: Db,
  request: { planId: string; organizationId: string; userIds: string[]; requestedBy: string; at: Date },
): Promise<void> {
  const values = { requested_by: request.requestedBy, requested_at: request.at };
  await db
    .insertInto('plan_review_requests')
    .values(
      request.userIds.map((userId) => ({
        plan_id: request.planId,
        user_id: userId,
        organization_id: request.organizationId,
        ...values,
      })),
    )
    .onConflict((conflict) => conflict.columns(['plan_id', 'user_id']).doUpdateSet(values))
    .execute();
}

/** Requests new reviews from everyone who reviewed the current content, before new content replaces it. */
export async function requestReviewsAgain(
  db: Db,
  plan: { id: string; content_since: number },
  requestedBy: string,
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO plan_review_requests (plan_id, user_id, organization_id, requested_by, requested_at)
    SELECT DISTINCT r.plan_id, r.user_id, r.organization_id, ${requestedBy}::uuid, ${at}::timestamptz
    FROM plan_reviews r
    JOIN plan_versions v ON v.id = r.version_id
    WHERE r.plan_id = ${plan.id} AND v.version >= ${plan.content_since} AND r.withdrawn_at IS NULL
      AND r.user_id <> ${requestedBy}
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Removes the request to a person who has reviewed the plan. */
export async function deleteReviewRequest(db: Db, planId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('plan_review_requests')
    .where('plan_id', '=', planId)
    .where('user_id', '=', userId)
    .execute();
}
