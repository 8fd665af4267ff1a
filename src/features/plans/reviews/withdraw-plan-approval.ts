/** POST /api/v2/plans/:seriesId/withdraw-approval: withdraws your own approval or, as an admin, all of them. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { changeAndReadPlan } from '../changes/change-plan.ts';
import { ChangePlanStatusInput, Plan } from '../contract.ts';
import { decideStatus } from '../status/plan-status.ts';
import { selectApprovers, withdrawApprovals } from '../store/review-store.ts';

export const withdrawPlanApproval = defineOperation({
  name: 'withdraw-plan-approval',
  group: 'Plans',
  summary: 'Withdraw an approval',
  description:
    'Withdraws your own approval. If you have none and are an admin or owner, withdraws all approvals. Without any approval left, an approved plan becomes pending; an implemented one stays implemented, and counts as not approved.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/withdraw-approval', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangePlanStatusInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note: sent, seriesId }) {
    const note = sent === undefined ? null : await maskText(sent);
    const { actor } = context;
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      const approvers = await selectApprovers(db, plan.id, plan.content_since);
      const own = approvers.includes(actor.userId);
      // Checked first, even if other approvals remain: the status decides whether there is anything to withdraw.
      const outcome = decideStatus(plan.status, 'withdraw-approval');
      if (outcome.decision === 'refuse') throw new Problem('conflict', outcome.because);
      if (approvers.length === 0) throw new Problem('conflict', 'The plan is not approved.');
      if (!own && !hasRole(actor.role, 'admin')) {
        throw new Problem('forbidden', 'Only the approver or an admin can withdraw an approval.');
      }
      await withdrawApprovals(db, plan.id, at, own ? actor.userId : undefined);
      change.record('approval_withdrawn', { version: plan.version, versionId: plan.version_id, note });
      change.set({ updated_at: at });
      if (!own || approvers.length === 1) change.act('withdraw-approval', 'approval_withdrawn', note);
    });
  },
});
