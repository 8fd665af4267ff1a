/** DELETE /api/v2/pull-requests/:pullRequestId/pending-comments: discards the caller's pending review. */
import { defineOperation } from '../../../context.ts';
import { findPullRequest, withPullRequest } from '../../pull-requests/index.ts';
import { announcePending } from './announce-pending.ts';
import { DiscardPendingCommentsInput } from './pending-contract.ts';
import { deletePendingComments } from './pending-store.ts';
import { pendingReviewOf } from './read-pending.ts';

export const discardPendingComments = defineOperation({
  name: 'discard-pending-comments',
  group: 'Reviews',
  summary: 'Discard your pending review',
  description: 'Deletes all your pending comments on the pull request.',
  http: { method: 'DELETE', path: '/api/v2/pull-requests/:pullRequestId/pending-comments', status: 204 },
  accepts: ['session'],
  role: 'member',
  input: DiscardPendingCommentsInput,
  output: null,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const { id } = await findPullRequest(context, pullRequestId);
    await withPullRequest(context, id, async ({ db }) => {
      await deletePendingComments(db, pendingReviewOf(context, id));
    });
    announcePending(context, id);
  },
});
