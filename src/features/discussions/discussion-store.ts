/** Queries for discussions and their comments. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { authorMember, authorName, type CommentAuthor } from '../pull-requests/index.ts';
import type { DiscussionStatus, StatusCause } from './contract.ts';

/** For GET /api/v2/discussions/by-branch, oldest first. */
export async function selectBranchDiscussions(db: Db, pullRequestId: string, status: 'open' | 'all') {
  const discussions = await db
    .selectFrom('discussions as d')
    .leftJoin('reviewers as v', 'v.id', 'd.reviewer_id')
    .leftJoin('host_accounts as a', 'a.id', 'd.author_account_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', authorMember('d')))
    .select(['d.id', 'd.file', 'd.start_line', 'd.end_line', 'd.commented_code', 'd.status'])
    .select(authorName('d', { hasReviewer: true }).as('author_name'))
    .where('d.pull_request_id', '=', pullRequestId)
    .$if(status === 'open', (query) => query.where('d.status', '=', 'open'))
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
  // Only what the reply has: there can be thousands.
  const comments = await db
    .selectFrom('pull_request_comments as c')
    .leftJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .leftJoin('host_accounts as a', 'a.id', 'c.author_account_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', authorMember('c')))
    .select(['c.discussion_id', 'c.body', 'c.created_at'])
    .select(authorName('c', { hasReviewer: true }).as('author_name'))
    .where('c.discussion_id', '=', sql<string>`ANY(${discussions.map(({ id }) => id)}::uuid[])`)
    .orderBy('c.discussion_id')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute();
  return { discussions, comments: Map.groupBy(comments, (comment) => comment.discussion_id!) };
}

/** The comments of these discussions, oldest first, by discussion. */
export async function selectComments(db: Db, discussionIds: string[]): Promise<Map<string, CommentRow[]>> {
  if (discussionIds.length === 0) return new Map();
  const rows = await comments(db)
    .where('c.discussion_id', '=', sql<string>`ANY(${discussionIds}::uuid[])`)
    .orderBy('c.discussion_id')
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute();
  return Map.groupBy(rows, (row) => row.discussion_id!);
}

function comments(db: Db) {
  return db
    .selectFrom('pull_request_comments as c')
    .leftJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .leftJoin('host_accounts as a', 'a.id', 'c.author_account_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', authorMember('c')))
    .select([
      'c.id',
      'c.discussion_id',
      'c.author_kind',
      'u.id as author_id',
      'c.body',
      'c.fixed_in',
      'c.created_at',
      'c.edited_at',
      'c.url',
      'c.host_comment_id',
      'c.sending',
      'c.sending_problem',
    ])
    .select(authorName('c', { hasReviewer: true }).as('author_name'));
}

export type CommentRow = Awaited<ReturnType<ReturnType<typeof comments>['execute']>>[number];

/** Everything about a pull request's discussions, with their place at its newest head. */
export function selectDiscussions(
  db: Db,
  pullRequest: { id: string; head_commit: string | null },
  only: { discussionId?: string; status?: DiscussionStatus } = {},
) {
  return db
    .selectFrom('discussions as d')
    .leftJoin('reviewers as v', 'v.id', 'd.reviewer_id')
    .leftJoin('host_accounts as a', 'a.id', 'd.author_account_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', authorMember('d')))
    .leftJoin('users as su', 'su.id', 'd.status_user_id')
    .leftJoin('discussion_positions as p', (join) =>
      join.onRef('p.discussion_id', '=', 'd.id').on('p.commit', '=', pullRequest.head_commit),
    )
    .select([
      'd.id',
      'd.pull_request_id',
      'd.host_thread_id',
      'd.file',
      'd.side',
      'd.start_line',
      'd.end_line',
      'd.commit',
      'd.commented_code',
      'd.author_kind',
      'u.id as author_id',
      'd.created_at',
      'd.updated_at',
      'd.status',
      'd.status_cause',
      sql<string | null>`coalesce(su.name, d.status_name)`.as('status_by'),
      'd.status_reason',
      'd.status_at',
      'd.judged_from',
      'd.judgement',
      'd.sending',
      'd.sending_problem',
      'p.commit as position_commit',
      'p.outcome as position_outcome',
      'p.file as position_file',
      'p.start_line as position_start_line',
      'p.end_line as position_end_line',
    ])
    .select(authorName('d', { hasReviewer: true }).as('author_name'))
    .where('d.pull_request_id', '=', pullRequest.id)
    .$if(only.discussionId !== undefined, (query) => query.where('d.id', '=', only.discussionId!))
    .$if(only.status !== undefined, (query) => query.where('d.status', '=', only.status!))
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
}

export type DiscussionRow = Awaited<ReturnType<typeof selectDiscussions>>[number];

/** The pull request that a discussion belongs to; whether the caller may see it is decided there. */
export async function selectPullRequestOf(
  db: Db,
  organizationId: string,
  discussionId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('discussions')
    .select('pull_request_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', discussionId)
    .executeTakeFirst();
  return row?.pull_request_id;
}

export interface WrittenBy extends CommentAuthor {
  /** The agent or tool whose finding the reviewer raised. */
  producer?: { kind: 'agent' | 'tool'; name: string | null };
}

type Sending = 'none' | 'waiting' | 'sent' | 'failed';

export interface NewDiscussion {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  hostThreadId: string | null;
  file: string;
  side: 'new' | 'old';
  startLine: number;
  endLine: number;
  commit: string | null;
  commentedCode: string;
  author: WrittenBy;
  /** The number of heads that the pull request has had. */
  judgedFrom: number;
  hostResolved: boolean | null;
  sending: Sending;
  at: Date;
}

export async function insertDiscussion(db: Db, discussion: NewDiscussion): Promise<void> {
  const { at, author } = discussion;
  await db
    .insertInto('discussions')
    .values({
      id: discussion.id,
      organization_id: discussion.organizationId,
      repository_id: discussion.repositoryId,
      pull_request_id: discussion.pullRequestId,
      host_thread_id: discussion.hostThreadId,
      file: discussion.file,
      side: discussion.side,
      start_line: discussion.startLine,
      end_line: discussion.endLine,
      commit: discussion.commit,
      commented_code: discussion.commentedCode,
      author_kind: author.kind,
      author_user_id: author.userId,
      author_account_id: author.accountId,
      author_name: author.name,
      reviewer_id: author.reviewerId ?? null,
      producer_kind: author.producer?.kind ?? null,
      producer_name: author.producer?.name ?? null,
      created_at: at,
      updated_at: at,
      status: 'open',
      status_cause: 'opened',
      status_at: at,
      judged_from: discussion.judgedFrom,
      host_resolved: discussion.hostResolved,
      sending: discussion.sending,
    })
    .execute();
}

/** The oldest reply of the same person with the same text. */
export async function selectSameReply(
  db: Db,
  reply: { discussionId: string; userId: string; body: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('pull_request_comments')
    .select('id')
    .where('discussion_id', '=', reply.discussionId)
    .where('author_user_id', '=', reply.userId)
    .where('body', '=', reply.body)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The comment of a discussion, for changing it. */
export function selectComment(db: Db, discussionId: string, commentId: string) {
  return db
    .selectFrom('pull_request_comments')
    .select(['id', 'author_kind', 'author_user_id', 'body', 'host_comment_id', 'sending'])
    .where('discussion_id', '=', discussionId)
    .where('id', '=', commentId)
    .executeTakeFirst();
}

export interface StatusWrite {
  status: DiscussionStatus;
  cause: StatusCause;
  userId: string | null;
  accountId: string | null;
  name: string | null;
  reason: string | null;
  at: Date;
  /** Set when a person reopens it: heads up to this one are not judged again. */
  judgedFrom?: number;
  sending?: Sending;
}

export async function updateStatus(db: Db, discussionId: string, set: StatusWrite): Promise<void> {
  await db
    .updateTable('discussions')
    .set({
      status: set.status,
      status_cause: set.cause,
      status_user_id: set.userId,
      status_account_id: set.accountId,
      status_name: set.name,
      status_reason: set.reason,
      status_at: set.at,
      updated_at: set.at,
      ...(set.judgedFrom !== undefined && { judged_from: set.judgedFrom, judgement: null }),
      ...(set.sending && { sending: set.sending, sending_problem: null }),
    })
    .where('id', '=', discussionId)
    .execute();
}

export async function updateDiscussion(
  db: Db,
  discussionId: string,
  set: {
    host_thread_id?: string;
    host_resolved?: boolean;
    commented_code?: string;
    commit?: string | null;
    sending?: 'sent' | 'failed';
    sending_problem?: string | null;
  },
): Promise<void> {
  await db.updateTable('discussions').set(set).where('id', '=', discussionId).execute();
}

export async function deleteDiscussion(db: Db, id: string): Promise<void> {
  await db.deleteFrom('discussions').where('id', '=', id).execute();
}

export async function touchDiscussion(db: Db, discussionId: string, at: Date): Promise<void> {
  await db.updateTable('discussions').set({ updated_at: at }).where('id', '=', discussionId).execute();
}

/** The discussions that a reviewer opened because of a leaked secret that a check found. */
export async function selectAboutSecrets(db: Db, discussionIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ discussion_id: string }>`
    SELECT DISTINCT discussion_id FROM review_candidates
    WHERE discussion_id = ANY(${discussionIds}::uuid[]) AND claim = 'secret' AND proof IS DISTINCT FROM 'unverified'`.execute(
    db,
  );
  return new Set(rows.map((row) => row.discussion_id));
}

/** The kind of the code host that the repository is connected to; undefined for plain git. */
export async function selectHostKind(db: Db, repositoryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('code_host_repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select('h.kind')
    .where('r.repository_id', '=', repositoryId)
    .executeTakeFirst();
  return row?.kind;
}
