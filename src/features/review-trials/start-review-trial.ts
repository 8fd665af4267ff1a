/** POST /api/v2/review-trials: tries a reviewer on past pull requests, or all of them on what a code host merged. Posts nothing. */
import { type Context, defineOperation } from '../../context.ts';
import { invalidRequest, notFound, Problem } from '../../platform/core/errors/errors.ts';
import { hasRole } from '../../platform/core/operations/actor.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { findTriedReviewer } from '../reviewers/index.ts';
import { ReviewTrial, StartReviewTrialInput, TRIAL_LIMITS } from './contract.ts';
import { presentTrial } from './present-trial.ts';
import { insertTrial, insertTrialPullRequests, selectHostExists, selectTrials } from './trial-store.ts';

export const startReviewTrial = defineOperation({
  name: 'start-review-trial',
  group: 'Reviews',
  summary: 'Try a reviewer on past pull requests',
  description:
    'Runs a version of a reviewer on the newest 100 pull requests that you can see and where it applies, or all active reviewers on the newest 100 that were merged on a code host. Nothing is posted. One at a time in an organization.',
  http: { method: 'POST', path: '/api/v2/review-trials', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: StartReviewTrialInput,
  output: ReviewTrial,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, input) {
    const { actor } = context;
    const what = await findSubject(context, input);
    const trial = {
      ...{
        id: uuidv7(),
        organizationId: actor.organizationId,
        userId: actor.userId,
        at: context.clock.now(),
      },
      ...what,
    };
    const trials = await inTransaction(context.db, async (db) => {
      if (!(await insertTrial(db, trial)))
        throw new Problem('conflict', 'Another trial is running. Wait until it is done, or cancel it.');
      if ((await insertTrialPullRequests(db, actor, trial, TRIAL_LIMITS.pullRequests)) === 0)
        throw new Problem('conflict', 'There are no past pull requests to try it on yet.');
      return selectTrials(db, actor, { id: trial.id }, 1);
    });
    return presentTrial(trials[0]!);
  },
});

type Input = { reviewerId?: string; version?: number; codeHostId?: string };

async function findSubject({ actor, db }: Context, { codeHostId, reviewerId, version }: Input) {
  if ((reviewerId === undefined) === (codeHostId === undefined))
    throw invalidRequest([{ path: 'reviewerId', message: 'must be given, or `codeHostId` instead' }]);
  if (reviewerId !== undefined) {
    const reviewer = await findTriedReviewer(db, actor, reviewerId, version);
    return { reviewerId, version: reviewer.version, codeHostId: null };
  }
  if (!hasRole(actor.role, 'admin')) throw new Problem('forbidden', 'Only admins can do this.');
  if (!(await selectHostExists(db, actor.organizationId, codeHostId!))) throw notFound('The code host');
  return { reviewerId: null, version: null, codeHostId: codeHostId! };
}
