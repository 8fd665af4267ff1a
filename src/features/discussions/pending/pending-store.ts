/** Queries for pending comments. Each names the author: nobody else ever reads them. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** The pending review of one person on one pull request. */
export interface PendingReview {
  organizationId: string;
  pullRequestId: string;
  userId: string;
}

export interface NewPendingComment {
  id: string;
  discussionId: string | null;
  file: string;
  side: 'new' | 'old';
  startLine: number;
  endLine: number;
  commit: string | null;
  commentedCode: string;
  body: string;
  at: Date;
}

export function selectPendingComments(
  db: Db,
  { organizationId, pullRequestId, userId }: PendingReview,
  only: { ids?: string[] } = {},
) {
  return db
    .selectFrom('pending_comments')
    .select(['id', 'discussion_id', 'is_reply', 'file', 'side', 'start_line', 'end_line', 'commit'])
    .select(['commented_code', 'body', 'created_at', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .$if(only.ids !== undefined, (query) => query.where('id', '=', sql<string>`ANY(${only.ids!}::uuid[])`))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type PendingRow = Awaited<ReturnType<typeof selectPendingComments>>[number];

export async function insertPendingComment(
  db: Db,
  { organizationId, pullRequestId, userId }: PendingReview,
  comment: NewPendingComment,
): Promise<void> {
  await db
    .insertInto('pending_comments')
    .values({
      id: comment.id,
      organization_id: organizationId,
      pull_request_id: pullRequestId,
      user_id: userId,
      discussion_id: comment.discussionId,
      is_reply: comment.discussionId !== null,
      file: comment.file,
      side: comment.side,
      start_line: comment.startLine,
      end_line: comment.endLine,
      commit: comment.commit,
      commented_code: comment.commentedCode,
      body: comment.body,
      created_at: comment.at,
      updated_at: comment.at,
    })
    .execute();
}

/** Returns whether there is one. */
export async function updatePendingComment(
  db: Db,
  { organizationId, pullRequestId, userId }: PendingReview,
  { at, body, id }: { id: string; body: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pending_comments')
    .set({ body, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** All of them without `ids`. Returns how many there were. */
export async function deletePendingComments(
  db: Db,
  { organizationId, pullRequestId, userId }: PendingReview,
  ids?: string[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('pending_comments')
    .where('organization_id', '=', organizationId)
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', '=', userId)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`ANY(${ids!}::uuid[])`))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
