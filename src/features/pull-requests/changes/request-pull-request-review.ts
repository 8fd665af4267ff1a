/** POST /api/v2/pull-requests/:pullRequestId/review-requests: requests reviews from people and teams. */
import { defineOperation } from '../../../context.ts';
import { PullRequest, RequestPullRequestReviewInput } from '../contract.ts';
import { replaceReviewRequests } from '../store/review-store.ts';
import { acceptReviewers } from './accept-reviewers.ts';
import { requireActive } from './require-active.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const requestPullRequestReview = defineOperation({
  name: 'request-pull-request-review',
  group: 'Pull requests',
  summary: 'Request reviews of a pull request',
  description:
    'Reviewers are notified in their inbox. Earlier reviewers are notified again. One member answers for a team.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/review-requests', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RequestPullRequestReviewInput,
  output: PullRequest,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    return changeAndReadPullRequest(context, input.pullRequestId, async (change) => {
      const reviewers = await acceptReviewers(change, input);
      requireActive(change.pullRequest);
      await replaceReviewRequests(change.db, change.pullRequest, reviewers, change.at);
      change.record('pull_request_review_requested', {
        userIds: [...new Set(input.userIds ?? [])],
        ...(input.teamIds && { teamIds: [...new Set(input.teamIds)] }),
      });
    });
  },
});
