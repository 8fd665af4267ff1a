/** POST /api/v2/plans/:seriesId/mark-implemented: marks an approved plan as implemented. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { ChangePlanStatusInput, Plan } from '../contract.ts';
import { changeAndReadPlan } from './change-plan.ts';

export const markPlanImplemented = defineOperation({
  name: 'mark-plan-implemented',
  group: 'Plans',
  summary: 'Mark an approved plan as implemented',
  description: 'For approved plans that were implemented without a linked pull request.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/mark-implemented', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['not_found', 'conflict'],
  async run(context, { note: sent, seriesId }) {
    const note = sent === undefined ? null : await maskText(sent);
    return changeAndReadPlan(context, seriesId, async (change) =>
      change.act('mark-implemented', 'marked_implemented', note),
    );
  },
});
