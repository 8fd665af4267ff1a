/** DELETE /api/v2/plans/:seriesId: deletes a plan for everyone; no new versions can be posted to it. */

import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { GetPlanInput } from '../contract.ts';
import { changePlan } from './change-plan.ts';

export const deletePlan = defineOperation({
  name: 'delete-plan',
  group: 'Plans',
  summary: 'Delete a plan',
  description: "This can't be undone. Only the creator of the plan, admins and owners can delete it.",
  http: { method: 'DELETE', path: '/api/v2/plans/:seriesId', status: 204 },
  accepts: ['session'],
  role: 'member',
  input: GetPlanInput,
  output: null,
  problems: ['forbidden', 'not_found'],
  async run(context, { seriesId }) {
    const { actor } = context;
    await changePlan(context, seriesId, async (change) => {
      const { db, plan } = change;
      if (plan.created_by !== actor.userId && !hasRole(actor.role, 'admin')) {
        throw new Problem('forbidden', 'Only the creator of the plan or an admin can delete it.');
      }
      change.act('delete', 'deleted');
      await recordAudit(db, callerOf(context), {
        action: 'plan.deleted',
        subjectId: plan.series_id,
        subjectName: plan.title,
      });
    });
  },
});
