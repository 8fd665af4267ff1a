/** POST /api/v2/plans/:seriesId/close: nothing more is to come of it. */
import { defineOperation } from '../../context.ts';
import { requireRole } from '../../platform/core/actor.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { ChangePlanStatusInput, Plan } from './contract.ts';

export const closePlan = defineOperation({
  name: 'close-plan',
  group: 'Plans',
  summary: 'Close a plan',
  description: 'It can be reopened. Members, admins and owners.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/close', status: 200 },
  accepts: ['session'],
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note = null, seriesId }) {
    requireRole(context.actor, 'member');
    return changeAndReadPlan(context, seriesId, async (change) => change.act('close', 'closed', note));
  },
});
