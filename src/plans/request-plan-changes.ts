/** POST /api/v2/plans/:seriesId/request-changes: a person wants the version they read changed, and says what. */
import { defineOperation } from '../context.ts';
import { requireRole } from '../core/actor.ts';
import { uuidv7 } from '../core/uuid.ts';
import { requireNewest } from './approve-plan.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { Plan, RequestPlanChangesInput } from './contract.ts';
import { deleteReviewRequest, insertReview, withdrawApprovals } from './review-store.ts';

export const requestPlanChanges = defineOperation({
  name: 'request-plan-changes',
  group: 'Plans',
  summary: 'Ask for changes to a plan',
  description:
    'An approved plan is pending again then: its approvals are withdrawn. Members, admins and owners.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/request-changes', status: 200 },
  accepts: ['session'],
  input: RequestPlanChangesInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note, seriesId, versionId }) {
    const { actor } = context;
    requireRole(actor, 'member');
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      requireNewest(change, versionId);
      await withdrawApprovals(db, plan.id, at);
      const reviewId = uuidv7();
      await insertReview(db, {
        id: reviewId,
        planId: plan.id,
        organizationId: plan.organization_id,
        versionId,
        userId: actor.userId,
        verdict: 'changes_requested',
        note,
        at,
      });
      await deleteReviewRequest(db, plan.id, actor.userId);
      change.record('changes_requested', { version: plan.version, versionId, reviewId, note });
      change.act('request-changes', 'changes_requested', note);
    });
  },
});
