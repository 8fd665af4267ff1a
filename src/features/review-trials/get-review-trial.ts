/** GET /api/v2/review-trials/:trialId: what a trial would have said, against what was said. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { GetReviewTrialInput, ReviewTrialDetails, TRIAL_LIMITS } from './contract.ts';
import { presentTrial } from './present-trial.ts';
import { selectTrialPullRequests, selectTrials } from './trial-store.ts';

export const getReviewTrial = defineOperation({
  name: 'get-review-trial',
  group: 'Reviews',
  summary: 'Get a trial of a reviewer',
  description: 'Pull requests in repositories that you can’t see are left out.',
  http: { method: 'GET', path: '/api/v2/review-trials/:trialId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetReviewTrialInput,
  output: ReviewTrialDetails,
  problems: ['not_found'],
  async run({ actor, db }, { trialId }) {
    const [trial] = await selectTrials(db, actor, { id: trialId }, 1);
    if (!trial) throw notFound('The trial');
    const rows = await selectTrialPullRequests(db, actor, trialId);
    const findings = rows.flatMap((row) =>
      row.findings.map(({ reviewer, ...finding }) => ({
        ...finding,
        reviewerTitle: reviewer,
        pullRequestId: row.pull_request_id,
        repoName: row.repository_name,
        prNumber: row.number,
      })),
    );
    return {
      ...presentTrial(trial),
      findings: findings.slice(0, TRIAL_LIMITS.findings),
      problems: rows.flatMap(({ number, problem, repository_name }) =>
        problem === null ? [] : [{ repoName: repository_name, prNumber: number, problem }],
      ),
    };
  },
});
