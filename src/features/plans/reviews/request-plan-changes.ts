/** POST /api/v2/plans/:seriesId/request-changes: a person requests changes to the version they reviewed. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { changeAndReadPlan } from '../changes/change-plan.ts';
import { Plan, RequestPlanChangesInput } from '../contract.ts';
import { withdrawApprovals } from '../store/review-store.ts';
import { recordReview } from './record-review.ts';
import { requireNewest } from './require-newest.ts';

export const requestPlanChanges = defineOperation({
  name: 'request-plan-changes',
  group: 'Plans',
  summary: 'Request changes to a plan',
  description:
    'Withdraws all approvals: an approved plan becomes pending. An implemented plan stays implemented, and counts as not approved.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/request-changes', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RequestPlanChangesInput,
  output: Plan,
  problems: ['not_found', 'conflict'],
  async run(context, { note: sent, seriesId, versionId }) {
    const note = await maskText(sent);
    const { actor } = context;
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      requireNewest(change, versionId);
      await withdrawApprovals(db, plan.id, at);
      await recordReview(change, { userId: actor.userId, verdict: 'changes_requested', note });
      change.set({ changes_requested_at: at, updated_at: at });
      change.act('request-changes', 'changes_requested', note);
    });
  },
});
