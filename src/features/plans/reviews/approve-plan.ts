/** POST /api/v2/plans/:seriesId/approve: a person approves the version they reviewed. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { holdActivations, isOnlyActivePerson } from '../../memberships/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { changeAndReadPlan } from '../changes/change-plan.ts';
import { ApprovePlanInput, Plan } from '../contract.ts';
import { approvalBlockedBecause } from '../status/who-may-approve.ts';
import { selectApprovers, wroteContent } from '../store/review-store.ts';
import { recordReview } from './record-review.ts';
import { requireNewest } from './require-newest.ts';

export const approvePlan = defineOperation({
  name: 'approve-plan',
  group: 'Plans',
  summary: 'Approve a version of a plan',
  description:
    "Only the latest version can be approved. You can't approve a version you wrote or a plan you created, unless the `self_approval` switch is on or you are the only active person in the organization. An implemented plan stays implemented.",
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/approve', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ApprovePlanInput,
  output: Plan,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { note: sent, seriesId, versionId }) {
    const note = sent === undefined ? null : await maskText(sent);
    const { actor } = context;
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { db, plan } = change;
      requireNewest(change, versionId);
      const person = {
        wroteContent: await wroteContent(db, plan.id, plan.content_since, actor.userId),
        createdPlan: plan.created_by === actor.userId,
      };
      const selfApproval = await isSettingOn(db, plan.organization_id, 'self_approval');
      let blocked = approvalBlockedBecause(person, { selfApproval, onlyActivePerson: false });
      if (blocked) {
        // Locked, so that nobody can become active between the count and the approval.
        await holdActivations(db, plan.organization_id);
        const onlyActivePerson = await isOnlyActivePerson(db, actor);
        blocked = approvalBlockedBecause(person, { selfApproval, onlyActivePerson });
      }
      if (blocked) throw new Problem('forbidden', blocked);
      if (!(await selectApprovers(db, plan.id, plan.content_since)).includes(actor.userId)) {
        await recordReview(change, { userId: actor.userId, verdict: 'approved', note });
        change.set({ changes_requested_at: null, updated_at: change.at });
      }
      change.act('approve', 'approved', note);
    });
  },
});
