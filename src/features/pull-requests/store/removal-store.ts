/** Queries for comments that were deleted here and have to be deleted on the code host. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export async function insertRemoval(
  db: Db,
  removal: {
    commentId: string;
    organizationId: string;
    pullRequestId: string;
    hostCommentId: string | null;
    at: Date;
  },
): Promise<void> {
  await db
    .insertInto('comment_removals')
    .values({
      comment_id: removal.commentId,
      organization_id: removal.organizationId,
      pull_request_id: removal.pullRequestId,
      host_comment_id: removal.hostCommentId,
      attempts: 0,
      removed_at: removal.at,
    })
    .execute();
}

/** Oldest first. */
export function selectRemovals(db: Db, pullRequestId: string) {
  return db
    .selectFrom('comment_removals')
    .select(['comment_id', 'host_comment_id', 'attempts'])
    .where('pull_request_id', '=', pullRequestId)
    .orderBy('removed_at')
    .orderBy('comment_id')
    .execute();
}

export type RemovalRow = Awaited<ReturnType<typeof selectRemovals>>[number];

export async function countRemovalAttempt(db: Db, commentId: string): Promise<void> {
  await db
    .updateTable('comment_removals')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('comment_id', '=', commentId)
    .execute();
}

export async function deleteRemovals(db: Db, commentIds: string[]): Promise<void> {
  if (commentIds.length > 0)
    await sql`DELETE FROM comment_removals WHERE comment_id = ANY(${commentIds}::uuid[])`.execute(db);
}
