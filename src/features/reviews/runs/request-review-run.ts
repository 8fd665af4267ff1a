/** POST /api/v2/pull-requests/:pullRequestId/review-runs: reviews the newest commit, whatever the settings say. */
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { withPullRequest } from '../../pull-requests/index.ts';
import { RequestedReview, RequestReviewRunInput } from '../contract.ts';

export const requestReviewRun = defineOperation({
  name: 'request-review-run',
  group: 'Reviews',
  summary: 'Review a pull request now',
  description: 'Queues a review of the newest commit. A second request while one is queued changes nothing.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/review-runs', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RequestReviewRunInput,
  output: RequestedReview,
  problems: ['not_found', 'conflict'],
  async run(context, { pullRequestId }) {
    return withPullRequest(context, pullRequestId, async (change) => {
      const { merge_base: mergeBase, review_trigger: trigger } = change.pullRequest;
      if (mergeBase === null)
        throw new Problem('conflict', 'The commits of this pull request are not known yet.');
      if (trigger !== 'requested') change.wantReview('requested', context.actor.userId);
      return { due: true as const };
    });
  },
});
