/** Queries that write comments: those of the general conversation, and those of discussions. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { KEPT_EDITS } from '../contract.ts';

export interface CommentAuthor {
  kind: 'person' | 'agent' | 'reviewer' | 'bot';
  userId: string | null;
  accountId: string | null;
  name: string;
  /** The reviewer whose title is shown instead of the name. */
  reviewerId?: string;
}

type Sending = 'none' | 'waiting' | 'sent' | 'failed';

export interface NewComment {
  id: string;
  organizationId: string;
  pullRequestId: string;
  /** Null: of the general conversation. */
  discussionId: string | null;
  hostCommentId: string | null;
  author: CommentAuthor;
  body: string;
  fixedIn: string | null;
  url: string | null;
  sending: Sending;
  at: Date;
  /** The review that it was submitted with. */
  verdictId?: string | undefined;
}

export async function insertComment(db: Db, comment: NewComment): Promise<void> {
  const { author } = comment;
  await db
    .insertInto('pull_request_comments')
    .values({
      id: comment.id,
      pull_request_id: comment.pullRequestId,
      organization_id: comment.organizationId,
      discussion_id: comment.discussionId,
      host_comment_id: comment.hostCommentId,
      author_kind: author.kind,
      author_user_id: author.userId,
      author_account_id: author.accountId,
      author_name: author.name,
      reviewer_id: author.reviewerId ?? null,
      body: comment.body,
      fixed_in: comment.fixedIn,
      created_at: comment.at,
      url: comment.url,
      sending: comment.sending,
      verdict_id: comment.verdictId ?? null,
    })
    .execute();
}

export async function updateComment(
  db: Db,
  commentId: string,
  set: {
    host_comment_id?: string;
    url?: string | null;
    body?: string;
    edited_at?: Date;
    sending?: Sending;
    sending_problem?: string | null;
  },
): Promise<void> {
  await db.updateTable('pull_request_comments').set(set).where('id', '=', commentId).execute();
}

/** Keeps what it said until now. `at` is when it was replaced. The first text and the newest ones stay. */
export async function keepCommentText(db: Db, commentId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ position: number }>`
    INSERT INTO comment_edits (comment_id, position, organization_id, body, written_at, replaced_at)
    SELECT c.id, (SELECT coalesce(max(e.position) + 1, 0) FROM comment_edits e WHERE e.comment_id = c.id),
      c.organization_id, c.body, coalesce(c.edited_at, c.created_at), ${at}
    FROM pull_request_comments c WHERE c.id = ${commentId} RETURNING position`.execute(db);
  const newest = rows[0]?.position ?? 0;
  await db
    .deleteFrom('comment_edits')
    .where('comment_id', '=', commentId)
    .where('position', '>', 0)
    .where('position', '<=', newest - KEPT_EDITS)
    .execute();
}

/** The earlier texts of a comment that were kept, oldest first; their positions count those that were not. */
export function selectCommentEdits(db: Db, commentId: string) {
  return db
    .selectFrom('comment_edits')
    .select(['position', 'body', 'written_at', 'replaced_at'])
    .where('comment_id', '=', commentId)
    .orderBy('position')
    .execute();
}

/** A comment of a pull request, for changing it. */
export function selectCommentOf(db: Db, pullRequestId: string, commentId: string) {
  return db
    .selectFrom('pull_request_comments')
    .select(['id', 'discussion_id', 'author_kind', 'author_user_id', 'body', 'created_at', 'sending'])
    .select('host_comment_id')
    .where('pull_request_id', '=', pullRequestId)
    .where('id', '=', commentId)
    .executeTakeFirst();
}

/** Its place stays, without anything it said. */
export async function replaceByDeleted(
  db: Db,
  comment: { id: string; deletedBy: string; at: Date },
): Promise<void> {
  await sql`INSERT INTO deleted_comments (id, organization_id, pull_request_id, discussion_id, created_at, deleted_at, deleted_by)
    SELECT c.id, c.organization_id, c.pull_request_id, c.discussion_id, c.created_at, ${comment.at}, ${comment.deletedBy}
    FROM pull_request_comments c WHERE c.id = ${comment.id}`.execute(db);
  await deleteComments(db, [comment.id]);
}

/** Deleted comments of a pull request, oldest first. */
export function selectDeletedComments(db: Db, pullRequestId: string) {
  return db
    .selectFrom('deleted_comments as c')
    .leftJoin('users as u', 'u.id', 'c.deleted_by')
    .select(['c.id', 'c.discussion_id', 'c.created_at', 'c.deleted_at', 'u.name as deleted_by'])
    .where('c.pull_request_id', '=', pullRequestId)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute();
}

export type DeletedCommentRow = Awaited<ReturnType<typeof selectDeletedComments>>[number];

export async function deleteComments(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await sql`DELETE FROM pull_request_comments WHERE id = ANY(${ids}::uuid[])`.execute(db);
}
