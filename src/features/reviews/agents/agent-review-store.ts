/** Queries for reviews by agents and tools. */
import { sql } from 'kysely';
import type { NotReviewed, Producer } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { JudgedFinding } from '../runs/answer-report.ts';

export interface NewAgentReview {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string | null;
  userId: string;
  credentialId: string;
  producer: Producer;
  headCommit: string;
  mergeBase: string;
  patch: string | null;
  paths: string[];
  addedLines: number;
  moreFiles: number;
  notReviewed: NotReviewed[];
  leaseUntil: Date;
  at: Date;
}

export async function insertAgentReview(db: Db, review: NewAgentReview): Promise<void> {
  await db
    .insertInto('agent_reviews')
    .values({
      id: review.id,
      organization_id: review.organizationId,
      repository_id: review.repositoryId,
      pull_request_id: review.pullRequestId,
      user_id: review.userId,
      credential_id: review.credentialId,
      producer: JSON.stringify(review.producer),
      head_commit: review.headCommit,
      merge_base: review.mergeBase,
      patch: review.patch,
      paths: review.paths,
      added_lines: review.addedLines,
      more_files: review.moreFiles,
      not_reviewed: JSON.stringify(review.notReviewed),
      lease_until: review.leaseUntil,
      created_at: review.at,
    })
    .execute();
}

/** Until the end of the transaction, no other review can start with this credential. */
export async function lockCredential(db: Db, credentialId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`agent-reviews ${credentialId}`}, 0))`.execute(
    db,
  );
}

export async function countOpenReviews(db: Db, credentialId: string, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('agent_reviews')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('credential_id', '=', credentialId)
    .where('lease_until', '>', at)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Code that was not pushed is kept no longer than it is needed. */
export async function forgetPatches(db: Db, userId: string, at: Date): Promise<void> {
  await db
    .updateTable('agent_reviews')
    .set({ patch: null })
    .where('user_id', '=', userId)
    .where('patch', 'is not', null)
    .where('lease_until', '<=', at)
    .execute();
}

/** The reader's own review in a repository that they still see. */
export async function selectAgentReview(db: Db, reader: Reader, id: string) {
  const row = await visibleRepositories(db, reader)
    .innerJoin('agent_reviews as a', 'a.repository_id', 'r.id')
    .leftJoin('pull_requests as p', 'p.id', 'a.pull_request_id')
    .selectAll('a')
    .select(['r.name as repository_name', 'p.number as pr_number'])
    .where('a.organization_id', '=', reader.organizationId)
    .where('a.user_id', '=', reader.userId)
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { not_reviewed, producer, ...rest } = row;
  return { ...rest, notReviewed: not_reviewed as NotReviewed[], producer: producer as Producer };
}

export type AgentReviewRow = NonNullable<Awaited<ReturnType<typeof selectAgentReview>>>;

/** Held until the end of the transaction, so that reports of one review are stored one after the other. */
export function lockAgentReview(db: Db, id: string) {
  return db
    .selectFrom('agent_reviews')
    .select(['finished_at', 'lease_until'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function renewLease(db: Db, id: string, leaseUntil: Date): Promise<void> {
  await db.updateTable('agent_reviews').set({ lease_until: leaseUntil }).where('id', '=', id).execute();
}

/** Only changed files count. */
export async function addServed(db: Db, id: string, paths: string[]): Promise<void> {
  await sql`UPDATE agent_reviews SET served = ARRAY(
      SELECT p FROM unnest(paths) AS p WHERE p = ANY(served) OR p = ANY(${paths}::text[]))
    WHERE id = ${id}`.execute(db);
}

export async function finishAgentReview(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('agent_reviews').set({ finished_at: at, patch: null }).where('id', '=', id).execute();
}

export interface NewAgentFinding {
  id: string;
  reviewId: string;
  organizationId: string;
  outcome: 'accepted' | 'refused' | 'duplicate' | 'decided';
  reason: string | null;
  candidate: JudgedFinding;
  at: Date;
}

export async function insertAgentFindings(db: Db, findings: NewAgentFinding[]): Promise<void> {
  if (findings.length === 0) return;
  await db
    .insertInto('agent_findings')
    .values(
      findings.map((each) => ({
        id: each.id,
        review_id: each.reviewId,
        organization_id: each.organizationId,
        finding_key: each.candidate.key,
        outcome: each.outcome,
        reason: each.reason,
        candidate: JSON.stringify(each.candidate),
        created_at: each.at,
      })),
    )
    .execute();
}

const FINDING_COLUMNS = ['f.id', 'f.review_id', 'f.outcome', 'f.reason', 'f.candidate'] as const;

/** Everything that was reported in one review, oldest first. */
export async function selectReports(db: Db, reviewId: string) {
  const rows = await db
    .selectFrom('agent_findings as f')
    .select(FINDING_COLUMNS)
    .where('f.review_id', '=', reviewId)
    .orderBy('f.created_at')
    .orderBy('f.id')
    .execute();
  return rows.map((row) => ({ ...row, candidate: row.candidate as unknown as JudgedFinding }));
}

/**
 * Findings of other reviews of the same change, with who reported them. Of changes that were not pushed, only the person's own.
 */
export async function selectOthersFindings(
  db: Db,
  review: Pick<
    AgentReviewRow,
    'id' | 'repository_id' | 'head_commit' | 'merge_base' | 'pull_request_id' | 'user_id'
  >,
) {
  const rows = await db
    .selectFrom('agent_reviews as a')
    .innerJoin('agent_findings as f', 'f.review_id', 'a.id')
    .select(FINDING_COLUMNS)
    .where('a.repository_id', '=', review.repository_id)
    .where('a.head_commit', '=', review.head_commit)
    .where('a.merge_base', '=', review.merge_base)
    .where('a.id', '<>', review.id)
    .where('f.outcome', 'in', ['accepted', 'duplicate'])
    .$if(review.pull_request_id === null, (query) => query.where('a.user_id', '=', review.user_id))
    .$if(review.pull_request_id !== null, (query) =>
      query.where('a.pull_request_id', '=', review.pull_request_id),
    )
    .orderBy('f.created_at')
    .orderBy('f.id')
    .execute();
  return rows.map((row) => ({ ...row, candidate: row.candidate as unknown as JudgedFinding }));
}

export type FindingRow = Awaited<ReturnType<typeof selectReports>>[number];

export function selectVerdicts(db: Db, findingIds: string[]) {
  return db
    .selectFrom('finding_verdicts as v')
    .innerJoin('agent_reviews as a', 'a.id', 'v.review_id')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['v.finding_id', 'v.review_id', 'v.verdict', 'v.reason', 'u.name as user_name'])
    .where('v.finding_id', '=', sql<string>`ANY(${findingIds}::uuid[])`)
    .execute();
}

/** A later verdict of the same review replaces the earlier one. */
export async function upsertVerdicts(
  db: Db,
  by: { reviewId: string; organizationId: string; at: Date },
  verdicts: { findingId: string; verdict: 'confirmed' | 'refuted' | 'unsure'; reason: string }[],
): Promise<void> {
  for (const { findingId, reason, verdict } of verdicts) {
    const values = { verdict, reason, created_at: by.at };
    await db
      .insertInto('finding_verdicts')
      .values({
        ...{ finding_id: findingId, review_id: by.reviewId, organization_id: by.organizationId },
        ...values,
      })
      .onConflict((conflict) => conflict.columns(['finding_id', 'review_id']).doUpdateSet(values))
      .execute();
  }
}

/** Dismissals that cover this review, newest first, and findings that are discussions already. */
export async function selectDoNotRaise(
  db: Db,
  place: { organizationId: string; repositoryId: string; pullRequestId: string | null },
  limit: number,
) {
  const raised =
    place.pullRequestId === null
      ? []
      : await db
          .selectFrom('review_candidates as c')
          .select(['c.title', 'c.file', 'c.quote'])
          .where('c.pull_request_id', '=', place.pullRequestId)
          .where('c.discussion_id', 'is not', null)
          .where('c.fate', '=', 'finding')
          .limit(limit)
          .execute();
  const dismissed = await db
    .selectFrom(
      db
        .selectFrom('finding_decisions')
        .select(['discussion_id', 'decided_by', 'reason', 'created_at'])
        .where('organization_id', '=', place.organizationId)
        .where('repository_id', '=', place.repositoryId)
        .where('scope', '<>', 'pull_request')
        .where('undone_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(2 * limit)
        .as('d'),
    )
    .innerJoin('discussions as s', 's.id', 'd.discussion_id')
    .innerJoin('review_candidates as c', 'c.discussion_id', 'd.discussion_id')
    .innerJoin('users as u', 'u.id', 'd.decided_by')
    .select(['c.title', 'c.file', 'c.quote', 'd.reason', 'u.name as decided_by_name'])
    // Reopening undoes a dismissal.
    .where('s.status', '<>', 'open')
    .orderBy('d.created_at', 'desc')
    .limit(limit)
    .execute();
  return { raised, dismissed };
}
