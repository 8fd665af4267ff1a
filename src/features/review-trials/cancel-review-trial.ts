/** POST /api/v2/review-trials/:trialId/cancel: stops a trial; what it found so far stays. */
import { defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { hasRole } from '../../platform/core/operations/actor.ts';
import { CancelReviewTrialInput, ReviewTrial } from './contract.ts';
import { presentTrial } from './present-trial.ts';
import { finishTrial, selectTrial, selectTrials } from './trial-store.ts';

export const cancelReviewTrial = defineOperation({
  name: 'cancel-review-trial',
  group: 'Reviews',
  summary: 'Cancel a trial of a reviewer',
  description: 'By the person who started it, or an admin. Changes nothing if it is no longer running.',
  http: { method: 'POST', path: '/api/v2/review-trials/:trialId/cancel', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: CancelReviewTrialInput,
  output: ReviewTrial,
  problems: ['forbidden', 'not_found'],
  async run({ actor, clock, db }, { trialId }) {
    const trial = await selectTrial(db, actor.organizationId, trialId);
    if (!trial) throw notFound('The trial');
    if (trial.started_by !== actor.userId && !hasRole(actor.role, 'admin'))
      throw new Problem('forbidden', 'Only admins and the person who started this trial can cancel it.');
    await finishTrial(db, trialId, 'cancelled', clock.now());
    return presentTrial((await selectTrials(db, actor, { id: trialId }, 1))[0]!);
  },
});
