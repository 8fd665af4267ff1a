/** DELETE /api/v2/pull-requests/:pullRequestId/pending-comments/:commentId: removes a comment from the caller's review. */
import { defineOperation } from '../../../context.ts';
import { findPullRequest, withPullRequest } from '../../pull-requests/index.ts';
import { announcePending } from './announce-pending.ts';
import { DeletePendingCommentInput } from './pending-contract.ts';
import { deletePendingComments } from './pending-store.ts';
import { pendingReviewOf } from './read-pending.ts';

export const deletePendingComment = defineOperation({
  name: 'delete-pending-comment',
  group: 'Reviews',
  summary: 'Delete a comment of your pending review',
  description: 'Does nothing if it is already gone.',
  http: {
    method: 'DELETE',
    path: '/api/v2/pull-requests/:pullRequestId/pending-comments/:commentId',
    status: 204,
  },
  accepts: ['session'],
  role: 'member',
  input: DeletePendingCommentInput,
  output: null,
  problems: ['not_found'],
  async run(context, { commentId, pullRequestId }) {
    const { id } = await findPullRequest(context, pullRequestId);
    await withPullRequest(context, id, async ({ db }) => {
      await deletePendingComments(db, pendingReviewOf(context, id), [commentId]);
    });
    announcePending(context, id);
  },
});
