/** POST /api/v2/plans/:seriesId/review-requests: requests reviews from people. */
import { defineOperation } from '../../../context.ts';
import { type FieldError, invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { selectActiveMembers } from '../../memberships/index.ts';
import { changeAndReadPlan } from '../changes/change-plan.ts';
import { Plan, RequestPlanReviewInput } from '../contract.ts';
import { upsertReviewRequests } from '../store/review-store.ts';

export const requestPlanReview = defineOperation({
  name: 'request-plan-review',
  group: 'Plans',
  summary: 'Request reviews of a plan',
  description: 'Reviewers are notified in their inbox. Earlier reviewers are notified again.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/review-requests', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RequestPlanReviewInput,
  output: Plan,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    const { actor } = context;
    const userIds = [...new Set(input.userIds)];
    return changeAndReadPlan(context, input.seriesId, async (change) => {
      const { at, db, plan } = change;
      const members = await selectActiveMembers(db, plan.organization_id, userIds);
      const errors = input.userIds.flatMap((userId, index): FieldError[] =>
        members.has(userId)
          ? []
          : [{ path: `userIds[${index}]`, message: 'is not an active member of your organization' }],
      );
      if (errors.length > 0) throw invalidRequest(errors);
      if (plan.status === 'closed') throw new Problem('conflict', 'The plan is closed; reopen it first.');
      await upsertReviewRequests(db, {
        planId: plan.id,
        organizationId: plan.organization_id,
        userIds,
        requestedBy: actor.userId,
        at,
      });
      change.record('review_requested', { userIds });
    });
  },
});
