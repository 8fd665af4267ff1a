/** POST /api/v2/pull-requests/:pullRequestId/reviews/:verdictId/dismissal: an admin sets aside an approval or a request for changes. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { DismissReviewInput, PullRequest } from '../contract.ts';
import { findOwnCommit } from '../files/own-commit.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { partIn } from '../reading/who-may-review.ts';
import { isBeingMerged } from '../store/merge-store.ts';
import { hasPushed, selectAuthorId, selectVerdictToDismiss, updateVerdict } from '../store/review-store.ts';
import { requireActive } from './require-active.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const dismissReview = defineOperation({
  name: 'dismiss-review',
  group: 'Pull requests',
  summary: 'Dismiss a review',
  description:
    'For admins: a member’s newest approval or request for changes no longer counts. Who dismissed it and why stays on the pull request and in the audit log, and the reviewer is notified and can review again. It never approves. Whoever opened, wrote or pushed some of it can’t dismiss a request for changes, unless the `self_approval` switch is on. Reviews of a code host are dismissed there.',
  http: {
    method: 'POST',
    path: '/api/v2/pull-requests/:pullRequestId/reviews/:verdictId/dismissal',
    status: 200,
  },
  accepts: ['session'],
  role: 'admin',
  input: DismissReviewInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId, reason: sent, verdictId }) {
    const { actor } = context;
    const reason = await maskText(sent.trim());
    const found = await findPullRequest(context, pullRequestId);
    if (found.origin === 'host')
      throw new Problem('conflict', `Dismiss reviews of this pull request on its code host: ${found.url}`);
    requireActive(found);
    const { verdict } = await findDismissible(context.db, found.id, verdictId);
    const isRequest = verdict === 'changes_requested';
    // Before the lock, because git is asked.
    const ownCommit = isRequest ? await findOwnCommit(context, found) : null;
    return changeAndReadPullRequest(context, found.id, async (change) => {
      const { at, db, pullRequest } = change;
      const { id, organization_id: organizationId } = pullRequest;
      requireActive(pullRequest);
      if (await isBeingMerged(db, id))
        throw new Problem('conflict', 'This pull request is being merged right now.');
      const { name, userId } = await findDismissible(db, id, verdictId);
      if (isRequest && !(await isSettingOn(db, organizationId, 'self_approval'))) {
        const isOpener = (await selectAuthorId(db, id)) === actor.userId;
        const part = partIn({ isOpener, hasPushed: await hasPushed(db, id, actor.userId), ownCommit });
        if (part) throw new Problem('forbidden', `${part}; another admin has to dismiss this review.`);
      }
      await updateVerdict(db, verdictId, {
        dismissed_at: at,
        dismissed_by: actor.userId,
        dismissal_reason: reason,
      });
      await recordAudit(db, callerOf(context), {
        action: 'pull_request.review_dismissed',
        subjectId: id,
        subjectName: pullRequest.title,
        detail: { number: pullRequest.number, verdict, reviewer: name, reason },
      });
      change.record('pull_request_review_dismissed', { verdictId, verdict, userId });
    });
  },
});

/** Refuses a review that another one replaced meanwhile, or that somebody else dismissed. */
async function findDismissible(db: Db, pullRequestId: string, verdictId: string) {
  const found = await selectVerdictToDismiss(db, pullRequestId, verdictId);
  if (!found) throw notFound('The review');
  const { dismissed_at: dismissedAt, dismissed_by: by, is_newest: isNewest, name, verdict } = found;
  if (verdict === 'commented')
    throw new Problem('conflict', 'Only approvals and requests for changes can be dismissed.');
  if (dismissedAt !== null) throw new Problem('conflict', `${by ?? name} already dismissed this review.`);
  if (!isNewest) throw new Problem('conflict', `${name} reviewed again. Look at the new review first.`);
  return { name, userId: found.user_id, verdict };
}
