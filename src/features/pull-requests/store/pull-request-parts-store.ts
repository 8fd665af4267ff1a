/** Queries for what belongs to one pull request: reviews, the general conversation, and linked plans. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { isApproved, reviewStateOf } from '../../plans/index.ts';
import type { Reader } from '../../repositories/index.ts';
import { summariesFor } from './pull-request-list-store.ts';
import { shownAuthor, shownPerson } from './shown-author-store.ts';

/** Everything about it that is one row; undefined if the reader can't see it. */
export function selectPullRequestDetail(db: Db, reader: Reader, pullRequestId: string) {
  return summariesFor(db, reader)
    .leftJoin('pull_request_last_seen_heads as seen', (join) =>
      join
        .on('seen.user_id', '=', sql<string>`${reader.userId}::uuid`)
        .onRef('seen.pull_request_id', '=', 'p.id'),
    )
    .leftJoin('pull_request_conflicts as conflicts', 'conflicts.pull_request_id', 'p.id')
    .select([
      'p.organization_id',
      'p.description',
      'p.url',
      'p.merge_base',
      'p.review_trigger',
      'p.merged_at',
      'p.closed_at',
      'p.last_event',
      'conflicts.file_count as conflict_count',
      'conflicts.files as conflict_files',
      'seen.head_commit as last_seen_head',
      sql<boolean>`EXISTS (SELECT FROM pull_request_mutes m
        WHERE m.user_id = ${reader.userId} AND m.pull_request_id = p.id)`.as('muted'),
    ])
    .where('p.id', '=', pullRequestId)
    .executeTakeFirst();
}

export type DetailRow = NonNullable<Awaited<ReturnType<typeof selectPullRequestDetail>>>;

/** The newest that reverts it; in the same repository, so whoever sees one sees the other. */
export function selectNewestRevert(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_requests as p')
    .select(['p.id', 'p.number', 'p.state', 'p.created_at', shownAuthor('p').as('author')])
    .where('p.reverts_id', '=', pullRequestId)
    .orderBy('p.number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

const PERSON = { user: 'q.user_id', account: 'q.account_id', name: 'q.name' };

export function selectReviewRequests(db: Db, pullRequestId: string, limit: number) {
  return db
    .selectFrom('pull_request_review_requests as q')
    .leftJoin('teams as team', 'team.id', 'q.team_id')
    .select(['q.id', 'q.team_id', 'team.name as team_name', shownPerson(PERSON).as('person')])
    .where('q.pull_request_id', '=', pullRequestId)
    .orderBy('q.requested_at')
    .orderBy('q.id')
    .limit(limit)
    .execute();
}

export type ReviewRequestRow = Awaited<ReturnType<typeof selectReviewRequests>>[number];

/** The newest verdicts, oldest first. */
export async function selectVerdicts(db: Db, pullRequestId: string, limit: number) {
  const rows = await db
    .selectFrom('pull_request_verdicts as q')
    .leftJoin('host_accounts as account', 'account.id', 'q.account_id')
    .leftJoin('users as dismisser', 'dismisser.id', 'q.dismissed_by')
    .select([
      'q.id',
      shownPerson(PERSON).as('person'),
      'account.is_bot',
      'q.verdict',
      'q.note',
      'q.commit',
      'q.base_branch',
      'q.created_at',
      'q.dismissed_at',
      'dismisser.name as dismissed_by',
      'q.dismissal_reason',
      'q.sending',
      'q.sending_problem',
    ])
    .where('q.pull_request_id', '=', pullRequestId)
    .orderBy('q.created_at', 'desc')
    .orderBy('q.id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

export type VerdictRow = Awaited<ReturnType<typeof selectVerdicts>>[number];

/** The newest comments on no particular file, oldest first. */
export async function selectConversation(db: Db, pullRequestId: string, limit: number) {
  const rows = await db
    .selectFrom('pull_request_comments as c')
    .select([
      'c.id',
      'c.author_kind',
      shownAuthor('c').as('author'),
      'c.body',
      'c.created_at',
      'c.edited_at',
      'c.url',
      'c.host_comment_id',
      'c.sending',
      'c.sending_problem',
    ])
    .where('c.pull_request_id', '=', pullRequestId)
    .where('c.discussion_id', 'is', null)
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

export type CommentRow = Awaited<ReturnType<typeof selectConversation>>[number];

/** The plans that are linked to it, with the files that they name; newest link first. */
export async function selectLinkedPlans(
  db: Db,
  pullRequest: { organizationId: string; repositoryId: string; number: number },
  limits: { plans: number; files: number },
) {
  const rows = await db
    .selectFrom('plan_pull_requests as l')
    .innerJoin('plans as plan', 'plan.id', 'l.plan_id')
    .select([
      'plan.series_id',
      'plan.title',
      'plan.status',
      'plan.changes_requested_at',
      isApproved('plan').as('is_approved'),
      sql<string[]>`ARRAY(SELECT f.path FROM plan_files f WHERE f.plan_id = plan.id ORDER BY f.path
        LIMIT ${limits.files})`.as('files'),
    ])
    .where('l.organization_id', '=', pullRequest.organizationId)
    .where('l.number', '=', pullRequest.number)
    .where('l.repository_id', '=', pullRequest.repositoryId)
    .where('plan.status', '<>', 'deleted')
    .orderBy('l.linked_at', 'desc')
    .limit(limits.plans)
    .execute();
  return rows.map((row) => ({ ...row, reviewState: reviewStateOf(row) }));
}

export type LinkedPlanRow = Awaited<ReturnType<typeof selectLinkedPlans>>[number];
