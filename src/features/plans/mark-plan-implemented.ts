/** POST /api/v2/plans/:seriesId/mark-implemented: an approved plan was carried out. */
import { defineOperation } from '../../context.ts';
import { requireRole } from '../../platform/core/actor.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { ChangePlanStatusInput, Plan } from './contract.ts';

export const markPlanImplemented = defineOperation({
  name: 'mark-plan-implemented',
  group: 'Plans',
  summary: 'Mark an approved plan as implemented',
  description: 'For what no linked pull request tells. Members, admins and owners.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/mark-implemented', status: 200 },
  accepts: ['session'],
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note = null, seriesId }) {
    requireRole(context.actor, 'member');
    return changeAndReadPlan(context, seriesId, async (change) =>
      change.act('mark-implemented', 'marked_implemented', note),
    );
  },
});
