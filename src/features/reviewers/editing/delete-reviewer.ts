/** DELETE /api/v2/reviewers/:reviewerId: deletes a custom reviewer; what it opened stays. */
import { defineOperation } from '../../../context.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { GetReviewerInput } from '../contract.ts';
import { updateReviewer } from '../store/reviewer-store.ts';
import { editReviewer } from './edit-reviewer.ts';

export const deleteReviewer = defineOperation({
  name: 'delete-reviewer',
  group: 'Reviewers',
  summary: 'Delete a reviewer',
  description: 'The discussions that it opened stay, under its title.',
  http: { method: 'DELETE', path: '/api/v2/reviewers/:reviewerId', status: 204 },
  accepts: ['session'],
  role: 'member',
  input: GetReviewerInput,
  output: null,
  problems: ['forbidden', 'not_found'],
  async run(context, { reviewerId }) {
    await editReviewer(context, reviewerId, async (db, reviewer) => {
      const at = context.clock.now();
      await updateReviewer(db, context.actor.organizationId, reviewerId, { deleted_at: at, updated_at: at });
      await recordAudit(db, callerOf(context), {
        action: 'reviewer.deleted',
        subjectId: reviewerId,
        subjectName: reviewer.title,
      });
    });
  },
});
