/** POST /api/v2/pull-requests/:pullRequestId/review-requests: requests reviews from people. */
import { defineOperation } from '../../../context.ts';
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import { PullRequest, RequestPullRequestReviewInput } from '../contract.ts';
import { replaceReviewRequests, selectAuthorId, selectPossibleReviewers } from '../store/review-store.ts';
import { requireActive } from './require-active.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const requestPullRequestReview = defineOperation({
  name: 'request-pull-request-review',
  group: 'Pull requests',
  summary: 'Request reviews of a pull request',
  description: 'Reviewers are notified in their inbox. Earlier reviewers are notified again.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/review-requests', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RequestPullRequestReviewInput,
  output: PullRequest,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    const userIds = [...new Set(input.userIds)];
    return changeAndReadPullRequest(context, input.pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const names = await selectPossibleReviewers(db, pullRequest.repository_id, userIds);
      const authorId = await selectAuthorId(db, pullRequest.id);
      const errors = input.userIds.flatMap((userId, index): FieldError[] => {
        const path = `userIds[${index}]`;
        if (userId === authorId) return [{ path, message: 'is the author of the pull request' }];
        if (names.has(userId)) return [];
        return [{ path, message: 'is not an active member who can see the repository' }];
      });
      if (errors.length > 0) throw invalidRequest(errors);
      requireActive(pullRequest);
      const reviewers = userIds.map((userId) => ({ userId, name: names.get(userId)! }));
      await replaceReviewRequests(db, pullRequest, reviewers, at);
      change.record('pull_request_review_requested', { userIds });
    });
  },
});
