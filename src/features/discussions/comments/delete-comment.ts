/** DELETE /api/v2/pull-requests/:pullRequestId/comments/:commentId: a comment of a discussion or of the conversation; its place stays. */
import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import {
  insertRemoval,
  replaceByDeleted,
  selectCommentOf,
  withPullRequest,
} from '../../pull-requests/index.ts';
import { CommentDeleted, DeleteCommentInput } from '../contract.ts';
import { deleteDiscussion, selectComments, selectHostKind } from '../discussion-store.ts';
import { findDiscussion } from '../find-discussion.ts';
import { judgeAgain } from '../judge-again.ts';

export const deleteComment = defineOperation({
  name: 'delete-comment',
  group: 'Reviews',
  summary: 'Delete a comment',
  description:
    'The author or an admin. Its text and earlier texts are gone for good; the page shows where it was and who deleted it. A discussion whose only comment it was is deleted. What was posted on a code host for it is deleted there too; comments that were written there are deleted there, and then here.',
  http: {
    method: 'DELETE',
    path: '/api/v2/pull-requests/:pullRequestId/comments/:commentId',
    status: 200,
  },
  accepts: ['session'],
  role: 'member',
  input: DeleteCommentInput,
  output: CommentDeleted,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { commentId, pullRequestId }) {
    const { actor } = context;
    return withPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const comment = await selectCommentOf(db, pullRequestId, commentId);
      if (!comment) throw notFound('The comment');
      if (comment.author_user_id === null)
        throw new Problem(
          'forbidden',
          'Findings and comments of bots can be dismissed or resolved, not deleted.',
        );
      if (comment.author_user_id !== actor.userId && !hasRole(actor.role, 'admin'))
        throw new Problem('forbidden', 'Only the author or an admin can delete a comment.');
      const { discussion_id: discussionId } = comment;
      if (pullRequest.origin === 'host') {
        refuseUndeletable(comment, await selectHostKind(db, pullRequest.repository_id));
        await insertRemoval(db, {
          ...{ commentId, pullRequestId, hostCommentId: comment.host_comment_id, at },
          organizationId: pullRequest.organization_id,
        });
      }
      const discussion = discussionId === null ? null : await findDiscussion(change, discussionId);
      const others = discussion && (await selectComments(db, [discussion.id])).get(discussion.id)!;
      const discussionDeleted = others?.length === 1;
      change.set({ comment_count: pullRequest.comment_count - 1 });
      if (discussion && discussionDeleted) {
        await deleteDiscussion(db, discussion.id);
        change.set({
          discussion_count: pullRequest.discussion_count - 1,
          open_discussion_count: pullRequest.open_discussion_count - Number(discussion.status === 'open'),
        });
      } else {
        await replaceByDeleted(db, { id: commentId, deletedBy: actor.userId, at });
        if (discussion) await judgeAgain(change, discussion.id);
      }
      const where = discussionId === null ? {} : { discussionId };
      change.record('discussion_edited', { ...where, commentId, deleted: true });
      return { discussionDeleted };
    });
  },
});

/** A comment that the host would keep is left to people there: it would come back. */
function refuseUndeletable(
  comment: NonNullable<Awaited<ReturnType<typeof selectCommentOf>>>,
  hostKind: string | undefined,
): void {
  const { discussion_id: discussionId, host_comment_id: hostId, sending } = comment;
  if (sending === 'none')
    throw new Problem(
      'conflict',
      'This comment was written on the code host. Delete it there; it is then deleted here.',
    );
  if (hostId === null ? sending === 'sent' : hostId.startsWith('review:'))
    throw new Problem(
      'conflict',
      'The code host shows this comment in the text of a review, which can’t be deleted. Edit it instead.',
    );
  if (hostKind === 'gitea' && discussionId !== null && !hostId?.startsWith('conversation:'))
    throw new Problem(
      'conflict',
      'Gitea and Forgejo don’t let Countersign delete comments on lines. Delete it there; it is then deleted here.',
    );
}
