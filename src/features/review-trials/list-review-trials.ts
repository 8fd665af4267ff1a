/** GET /api/v2/review-trials: the newest trials of a reviewer, a code host or the organization. */
import { defineOperation } from '../../context.ts';
import { ListReviewTrialsInput, ReviewTrials, TRIAL_LIMITS } from './contract.ts';
import { presentTrial } from './present-trial.ts';
import { selectTrials } from './trial-store.ts';

export const listReviewTrials = defineOperation({
  name: 'list-review-trials',
  group: 'Reviews',
  summary: 'List trials of reviewers',
  http: { method: 'GET', path: '/api/v2/review-trials', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListReviewTrialsInput,
  output: ReviewTrials,
  problems: [],
  async run({ actor, db }, filter) {
    const rows = await selectTrials(db, actor, filter, TRIAL_LIMITS.trials);
    return { trials: rows.map(presentTrial) };
  },
});
