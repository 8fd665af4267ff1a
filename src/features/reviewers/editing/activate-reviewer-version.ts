/** POST /api/v2/reviewers/:reviewerId/activate: makes another version the active one. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { ActivateReviewerVersionInput, ReviewerDetail } from '../contract.ts';
import { selectVersion, updateReviewer } from '../store/reviewer-store.ts';
import { editReviewer } from './edit-reviewer.ts';
import { readReviewer } from './read-reviewer.ts';
import { refuseTakenTitle } from './save-reviewer.ts';

export const activateReviewerVersion = defineOperation({
  name: 'activate-reviewer-version',
  group: 'Reviewers',
  summary: 'Activate a version of a reviewer',
  http: { method: 'POST', path: '/api/v2/reviewers/:reviewerId/activate', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ActivateReviewerVersionInput,
  output: ReviewerDetail,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { reviewerId, version }) {
    const { organizationId } = context.actor;
    await editReviewer(context, reviewerId, async (db, reviewer) => {
      const wanted = await selectVersion(db, organizationId, reviewerId, version);
      if (!wanted) throw notFound('The version');
      if (version === reviewer.active_version) return;
      await refuseTakenTitle(db, organizationId, wanted.title, reviewerId);
      await updateReviewer(db, organizationId, reviewerId, {
        title: wanted.title,
        active_version: version,
        updated_at: context.clock.now(),
      });
      await recordAudit(db, callerOf(context), {
        action: 'reviewer.version_activated',
        subjectId: reviewerId,
        subjectName: wanted.title,
        detail: { version: { from: reviewer.active_version, to: version } },
      });
    });
    return readReviewer(context, reviewerId);
  },
});
