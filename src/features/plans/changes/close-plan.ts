/** POST /api/v2/plans/:seriesId/close: closes a plan that won't be implemented. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { ChangePlanStatusInput, Plan } from '../contract.ts';
import { changeAndReadPlan } from './change-plan.ts';

export const closePlan = defineOperation({
  name: 'close-plan',
  group: 'Plans',
  summary: 'Close a plan',
  description: "For plans that won't be implemented. A closed plan can be reopened.",
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/close', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['not_found', 'conflict'],
  async run(context, { note: sent, seriesId }) {
    const note = sent === undefined ? null : await maskText(sent);
    return changeAndReadPlan(context, seriesId, async (change) => change.act('close', 'closed', note));
  },
});
