/** GET /api/v2/pull-requests/:pullRequestId/pending-comments: what the caller has written for a review that is not submitted. */
import { defineOperation } from '../../../context.ts';
import { findPullRequest } from '../../pull-requests/index.ts';
import { ListPendingCommentsInput, PendingCommentList } from './pending-contract.ts';
import { readPendingComments } from './read-pending.ts';

export const listPendingComments = defineOperation({
  name: 'list-pending-comments',
  group: 'Reviews',
  summary: 'List your pending comments on a pull request',
  description: 'Nobody else sees them until you submit your review.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/pending-comments', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListPendingCommentsInput,
  output: PendingCommentList,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const pullRequest = await findPullRequest(context, pullRequestId);
    return { comments: await readPendingComments(context, pullRequest) };
  },
});
