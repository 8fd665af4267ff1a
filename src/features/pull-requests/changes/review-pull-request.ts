/** POST /api/v2/pull-requests/:pullRequestId/reviews: approves it, requests changes, or comments on it as a whole. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { PullRequest, ReviewPullRequestInput } from '../contract.ts';
import { recordReview } from './record-review.ts';

export const reviewPullRequest = defineOperation({
  name: 'review-pull-request',
  group: 'Pull requests',
  summary: 'Review a pull request',
  description:
    'Approves it, requests changes, or only leaves a note. An approval names the head that was reviewed; if new commits were pushed since, it is a conflict that says what changed. It counts for that head and the present base branch. Nobody approves what they opened, wrote or committed, unless the `self_approval` switch is on or they are the only active person. On a code host the review says whose it is.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/reviews', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ReviewPullRequestInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { commit, note: sentNote, pullRequestId, verdict }) {
    const note = sentNote?.trim() ? await maskText(sentNote) : null;
    if (note === null && verdict !== 'approved') {
      throw invalidRequest([{ path: 'note', message: 'is required unless you approve' }]);
    }
    if (commit === undefined && verdict === 'approved') {
      throw invalidRequest([{ path: 'commit', message: 'is required to approve: the head you reviewed' }]);
    }
    return recordReview(context, { pullRequestId, verdict, note, commit });
  },
});
