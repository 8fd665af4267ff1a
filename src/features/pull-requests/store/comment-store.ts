/** Queries that write comments: those of the general conversation, and those of discussions. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

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

export async function deleteComments(db: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await sql`DELETE FROM pull_request_comments WHERE id = ANY(${ids}::uuid[])`.execute(db);
}
