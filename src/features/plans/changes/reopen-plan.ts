/** POST /api/v2/plans/:seriesId/reopen: makes a closed plan pending again. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { ChangePlanStatusInput, Plan } from '../contract.ts';
import { withdrawApprovals } from '../store/review-store.ts';
import { changeAndReadPlan } from './change-plan.ts';

export const reopenPlan = defineOperation({
  name: 'reopen-plan',
  group: 'Plans',
  summary: 'Reopen a closed plan',
  description: 'The plan becomes pending, no matter what its status was before it was closed.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/reopen', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['not_found', 'conflict'],
  async run(context, { note: sent, seriesId }) {
    const note = sent === undefined ? null : await maskText(sent);
    return changeAndReadPlan(context, seriesId, async (change) => {
      change.act('reopen', 'reopened', note);
      // A plan that was approved before it was closed has to be approved again.
      await withdrawApprovals(change.db, change.plan.id, change.at);
    });
  },
});
