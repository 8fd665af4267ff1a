/** GET /api/v2/pull-requests/:pullRequestId/review-runs: the reviews of a pull request. */
import { defineOperation } from '../../../context.ts';
import { findPullRequest } from '../../pull-requests/index.ts';
import { ListReviewRunsInput, REVIEW_LIMITS, ReviewRuns } from '../contract.ts';
import { presentRun } from './present-review.ts';
import { selectRuns } from './review-run-store.ts';

export const listReviewRuns = defineOperation({
  name: 'list-review-runs',
  group: 'Reviews',
  summary: 'List the reviews of a pull request',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/review-runs', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListReviewRunsInput,
  output: ReviewRuns,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const pullRequest = await findPullRequest(context, pullRequestId);
    const runs = await selectRuns(context.db, pullRequest.id, REVIEW_LIMITS.maxRuns);
    return { runs: runs.map(presentRun), due: pullRequest.review_trigger !== null };
  },
});
