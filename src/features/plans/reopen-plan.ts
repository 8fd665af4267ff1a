/** POST /api/v2/plans/:seriesId/reopen: a closed plan is pending again. */
import { defineOperation } from '../../context.ts';
import { requireRole } from '../../platform/core/actor.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { ChangePlanStatusInput, Plan } from './contract.ts';
import { withdrawApprovals } from './review-store.ts';

export const reopenPlan = defineOperation({
  name: 'reopen-plan',
  group: 'Plans',
  summary: 'Reopen a closed plan',
  description: 'It is pending then, whatever it was before. Members, admins and owners.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/reopen', status: 200 },
  accepts: ['session'],
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note = null, seriesId }) {
    requireRole(context.actor, 'member');
    return changeAndReadPlan(context, seriesId, async (change) => {
      change.act('reopen', 'reopened', note);
      // What was approved before it was closed has to be approved again.
      await withdrawApprovals(change.db, change.plan.id, change.at);
    });
  },
});
