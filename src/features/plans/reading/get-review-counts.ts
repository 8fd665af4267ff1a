/** GET /api/v2/plans/review-counts: how many plans are waiting for the caller as a reviewer and as an author. */
import { defineOperation } from '../../../context.ts';
import { GetReviewCountsInput, ReviewCounts } from '../contract.ts';
import { countPlansInReview } from '../store/plan-list-store.ts';

export const getReviewCounts = defineOperation({
  name: 'get-review-counts',
  group: 'Plans',
  summary: 'Count the plans waiting for you',
  http: { method: 'GET', path: '/api/v2/plans/review-counts', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewCountsInput,
  output: ReviewCounts,
  problems: [],
  async run({ actor, db }) {
    return countPlansInReview(db, actor);
  },
});
