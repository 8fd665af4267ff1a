/** PATCH /api/v2/reviewers/:reviewerId: turns a reviewer on or off. */
import { defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf } from '../audit/index.ts';
import { ChangeReviewerInput, ReviewerDetail } from './contract.ts';
import { readReviewer } from './read-reviewer.ts';
import { lockReviewer } from './reviewer-store.ts';
import { saveSwitch } from './save-reviewer.ts';
import { maySwitch } from './who-may-edit.ts';

export const changeReviewer = defineOperation({
  name: 'change-reviewer',
  group: 'Reviewers',
  summary: 'Turn a reviewer on or off',
  description: 'Admins can do this for every reviewer, members for those that they created.',
  http: { method: 'PATCH', path: '/api/v2/reviewers/:reviewerId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeReviewerInput,
  output: ReviewerDetail,
  problems: ['forbidden', 'not_found'],
  async run(context, { enabled, reviewerId }) {
    const { actor } = context;
    await inTransaction(context.db, async (db) => {
      const reviewer = await lockReviewer(db, actor.organizationId, reviewerId);
      if (!reviewer) throw notFound('The reviewer');
      if (!maySwitch(actor, reviewer)) {
        throw new Problem('forbidden', 'Only admins can turn this reviewer on and off.');
      }
      if (enabled === undefined || enabled === reviewer.enabled) return;
      await saveSwitch(db, callerOf(context), reviewer, enabled);
    });
    return readReviewer(context, reviewerId);
  },
});
