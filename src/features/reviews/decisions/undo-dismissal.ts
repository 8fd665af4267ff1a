/** DELETE /api/v2/dismissals/:dismissalId: a person undoes a dismissal, so that later reviews raise the finding again. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { findDiscussion, setStatus } from '../../discussions/index.ts';
import { withPullRequest } from '../../pull-requests/index.ts';
import { UndoDismissalInput } from '../contract.ts';
import { selectFindingOf } from './decision-store.ts';
import { markUndone, selectDismissal } from './dismissal-store.ts';

export const undoDismissal = defineOperation({
  name: 'undo-dismissal',
  group: 'Reviews',
  summary: 'Undo a dismissal',
  description:
    'Later reviews raise what it covered again. Reopens the discussion if its pull request is open; other findings that were dismissed with it stay resolved. Earlier dismissals of the same discussion are undone too. People only.',
  http: { method: 'DELETE', path: '/api/v2/dismissals/:dismissalId', status: 204 },
  accepts: ['session'],
  role: 'member',
  input: UndoDismissalInput,
  output: null,
  problems: ['not_found'],
  async run(context, { dismissalId }) {
    const { actor } = context;
    const found = await selectDismissal(context.db, actor.organizationId, dismissalId);
    if (!found) throw notFound('The dismissal');
    const { discussion_id: discussionId, pull_request_id: pullRequestId, reason, scope } = found;
    await withPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      // Under the lock: of two people, one undoes it.
      if (!(await markUndone(db, discussionId, at)).includes(dismissalId)) throw notFound('The dismissal');
      const discussion = await findDiscussion(change, discussionId);
      const isOpen = pullRequest.state === 'open' || pullRequest.state === 'draft';
      // Leave alone a discussion that a commit addressed or a person resolved since.
      if (isOpen && discussion.status_cause === 'dismissed')
        await setStatus(change, discussion, 'reopen', {
          ...{ userId: actor.userId, accountId: null, name: actor.userName },
          reason: 'Dismissal undone.',
        });
      const finding = await selectFindingOf(db, actor.organizationId, discussionId);
      await recordAudit(db, callerOf(context), {
        action: 'dismissal.undone',
        subjectId: dismissalId,
        subjectName: finding?.title,
        detail: { discussionId, reason, scope },
      });
    });
  },
});
