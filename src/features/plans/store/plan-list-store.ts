/** Queries for lists of plans. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import type { PlanStatus } from '../contract.ts';
import { isApproved } from './review-store.ts';
import { isUnseen } from './unseen-row-store.ts';

export interface PlanFilter {
  status?: PlanStatus;
  review?: 'awaiting_review' | 'changes_requested' | 'needs_my_review';
  /** Full name or last path segment. */
  repository?: string;
  authorId?: string;
  agentVendor?: string;
  /** A `tsquery` from `wordQuery`. */
  words?: string;
  before?: { at: Date; id: string };
  limit: number;
}

const COLUMNS = [
  'p.id',
  'p.series_id',
  'p.title',
  'p.status',
  'p.version',
  'p.version_id',
  'p.agent_vendor',
  'p.comment_count',
  'p.created_by',
  'u.name as creator_name',
  'p.created_at',
  'p.updated_at',
  'p.changes_requested_at',
  isApproved('p').as('is_approved'),
] as const;

/**
 * Plans waiting for the reader's review, as an array of IDs: there are few, and each is looked up by ID. Linking a pull request
 * before the review doesn't end the wait.
 */
const awaitingReviewOf = ({ organizationId, userId }: Pick<Reader, 'organizationId' | 'userId'>) =>
  sql<boolean>`p.id = ANY(ARRAY(SELECT plan_id FROM plan_review_requests
    WHERE organization_id = ${organizationId} AND user_id = ${userId}))
    AND (p.status = 'pending' OR (p.status = 'implemented' AND NOT ${isApproved('p')}))`;

/** Plans that are not deleted, most recently updated first. */
export function selectPlans(db: Db, reader: Reader, filter: PlanFilter) {
  const { organizationId } = reader;
  const leaf = filter.repository?.toLowerCase().replace(/^.*\//s, '');
  return (
    db
      .selectFrom('plans as p')
      .innerJoin('users as u', 'u.id', 'p.created_by')
      .select(COLUMNS)
      .where('p.organization_id', '=', organizationId)
      .where('p.status', '<>', 'deleted')
      .$if(filter.status !== undefined, (query) => query.where('p.status', '=', filter.status!))
      .$if(filter.review === 'awaiting_review', (query) =>
        query.where('p.status', '=', 'pending').where('p.changes_requested_at', 'is', null),
      )
      .$if(filter.review === 'changes_requested', (query) =>
        query.where('p.status', '=', 'pending').where('p.changes_requested_at', 'is not', null),
      )
      .$if(filter.review === 'needs_my_review', (query) => query.where(awaitingReviewOf(reader)))
      .$if(filter.authorId !== undefined, (query) => query.where('p.created_by', '=', filter.authorId!))
      .$if(filter.agentVendor !== undefined, (query) =>
        query.where('p.agent_vendor', '=', filter.agentVendor!),
      )
      .$if(filter.repository !== undefined, (query) =>
        query.where(
          sql<boolean>`EXISTS (SELECT FROM plan_version_repositories v WHERE v.organization_id = p.organization_id
          AND v.folded_leaf = ${leaf} AND v.plan_id = p.id AND v.version_id = p.version_id
          AND (${filter.repository!.toLowerCase()} IN (v.folded_name, v.folded_leaf)) AND NOT ${isUnseen(reader, 'v')})`,
        ),
      )
      // An array from a subquery: the planner assumes it is short and looks up the plans by ID.
      .$if(filter.words !== undefined, (query) =>
        query.where(
          sql<boolean>`p.id = ANY(ARRAY(SELECT plan_id FROM plan_words
          WHERE organization_id = ${organizationId} AND words @@ ${filter.words}::tsquery))`,
        ),
      )
      .$if(filter.before !== undefined, (query) =>
        query.where(sql<boolean>`(p.updated_at, p.id) < (${filter.before!.at}, ${filter.before!.id}::uuid)`),
      )
      .orderBy('p.updated_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(filter.limit)
      .execute()
  );
}

/** The newest plans that contain the words. For common words, for which the array in `selectPlans` would be long. */
export async function selectNewestWithWords(
  db: Db,
  reader: Reader,
  filter: PlanFilter & { words: string },
  among: number,
): Promise<PlanSummaryRow[]> {
  const { words, ...others } = filter;
  const newest = await selectPlans(db, reader, { ...others, limit: among });
  const ids = newest.map(({ id }) => id);
  // Looked up plan by plan: the word index would return every plan that contains them.
  const { rows } = await sql<{
    plan_id: string;
  }>`SELECT candidate.plan_id FROM unnest(${ids}::uuid[]) AS candidate (plan_id)
    JOIN LATERAL (SELECT FROM plan_words w WHERE w.plan_id = candidate.plan_id AND w.words @@ ${words}::tsquery LIMIT 1)
      AS has ON true`.execute(db);
  const found = new Set(rows.map((row) => row.plan_id));
  return newest.filter(({ id }) => found.has(id)).slice(0, filter.limit);
}

export type PlanSummaryRow = Awaited<ReturnType<typeof selectPlans>>[number];

export function selectPlansById(db: Db, organizationId: string, ids: string[]): Promise<PlanSummaryRow[]> {
  return db
    .selectFrom('plans as p')
    .innerJoin('users as u', 'u.id', 'p.created_by')
    .select(COLUMNS)
    .where('p.organization_id', '=', organizationId)
    .where('p.status', '<>', 'deleted')
    .where(sql<boolean>`p.id = ANY(${ids}::uuid[])`)
    .execute();
}

/** The plans among these that wait for the reader's review. */
export async function selectRequestedReviews(
  db: Db,
  reader: Reader,
  planIds: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('plan_review_requests')
    .select('plan_id')
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where(sql<boolean>`plan_id = ANY(${planIds}::uuid[])`)
    .execute();
  return new Set(rows.map(({ plan_id }) => plan_id));
}

export async function countPlansInReview(
  db: Db,
  reader: Reader,
): Promise<{ needsMyReview: number; changesRequested: number }> {
  const { organizationId, userId } = reader;
  const { rows } = await sql<{ needs_my_review: number; changes_requested: number }>`
    SELECT
      (SELECT count(*)::int FROM plans p WHERE p.organization_id = ${organizationId}
        AND ${awaitingReviewOf(reader)}) AS needs_my_review,
      (SELECT count(*)::int FROM plans p WHERE p.organization_id = ${organizationId} AND p.status = 'pending'
        AND p.changes_requested_at IS NOT NULL AND p.created_by = ${userId}) AS changes_requested`.execute(
    db,
  );
  return { needsMyReview: rows[0]!.needs_my_review, changesRequested: rows[0]!.changes_requested };
}
