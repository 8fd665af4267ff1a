/** POST /api/v2/plans/:seriesId/withdraw-approval: takes back one's own approval; an admin may take back all. */
import { defineOperation } from '../../context.ts';
import { hasRole } from '../../platform/core/actor.ts';
import { Problem } from '../../platform/core/errors.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { ChangePlanStatusInput, Plan } from './contract.ts';
import { decideStatus } from './plan-status.ts';
import { selectApprovers, withdrawApprovals } from './review-store.ts';

export const withdrawPlanApproval = defineOperation({
  name: 'withdraw-plan-approval',
  group: 'Plans',
  summary: 'Withdraw an approval',
  description:
    'Your own. Where you gave none and are an admin or owner, all of them. Without any left, the plan is pending again.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/withdraw-approval', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note = null, seriesId }) {
    const { actor } = context;
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      const approvers = await selectApprovers(db, plan.id, plan.content_since);
      const own = approvers.includes(actor.userId);
      // Whether the last one or not: the rule says first whether there is anything to withdraw.
      const outcome = decideStatus(plan.status, 'withdraw-approval');
      if (outcome.decision === 'refuse') throw new Problem('conflict', outcome.because);
      if (!own && !hasRole(actor.role, 'admin')) {
        throw new Problem('forbidden', 'Only who approved it, or an administrator, may withdraw that.');
      }
      await withdrawApprovals(db, plan.id, at, own ? actor.userId : undefined);
      change.record('approval_withdrawn', { version: plan.version, versionId: plan.version_id, note });
      if (!own || approvers.length === 1) change.act('withdraw-approval', 'approval_withdrawn', note);
    });
  },
});
