/** GET /api/v2/reviewers/:reviewerId: a reviewer with the content of its active version. */
import { defineOperation } from '../../../context.ts';
import { GetReviewerInput, ReviewerDetail } from '../contract.ts';
import { readReviewer } from './read-reviewer.ts';

export const getReviewer = defineOperation({
  name: 'get-reviewer',
  group: 'Reviewers',
  summary: 'Get a reviewer',
  http: { method: 'GET', path: '/api/v2/reviewers/:reviewerId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewerInput,
  output: ReviewerDetail,
  problems: ['not_found'],
  run: (context, { reviewerId }) => readReviewer(context, reviewerId),
});
