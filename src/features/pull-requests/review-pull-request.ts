/** POST /api/v2/pull-requests/:pullRequestId/reviews: approves it, requests changes, or comments on it as a whole. */
import { defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../platform/core/errors.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { holdActivations, isOnlyActivePerson } from '../memberships/index.ts';
import { isSwitchedOn } from '../switches/index.ts';
import { PullRequest, ReviewPullRequestInput } from './contract.ts';
import { requireActive } from './require-active.ts';
import { deleteReviewRequests, insertVerdict, selectAuthorId } from './review-store.ts';
import { sendingOf } from './sending.ts';
import { reviewBlockedBecause } from './who-may-review.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const reviewPullRequest = defineOperation({
  name: 'review-pull-request',
  group: 'Pull requests',
  summary: 'Review a pull request',
  description:
    'Approves it, requests changes, or only leaves a note. Authors can’t approve their own pull requests unless nobody else can. On a code host the review says whose it is.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/reviews', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ReviewPullRequestInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { commit, note: sentNote, pullRequestId, verdict }) {
    const { actor } = context;
    const note = sentNote?.trim() ? await maskText(sentNote) : null;
    if (note === null && verdict !== 'approved') {
      throw invalidRequest([{ path: 'note', message: 'is required unless you approve' }]);
    }
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const { id, organization_id: organizationId } = pullRequest;
      const own = (await selectAuthorId(db, id)) === actor.userId;
      const selfApproval = own && (await isSwitchedOn(db, organizationId, 'self_approval'));
      let blocked = reviewBlockedBecause(verdict, own, { selfApproval, onlyActivePerson: false });
      if (blocked) {
        // Locked, so that nobody can become active between the count and the approval.
        await holdActivations(db, organizationId);
        const onlyActivePerson = await isOnlyActivePerson(db, actor);
        blocked = reviewBlockedBecause(verdict, own, { selfApproval, onlyActivePerson });
      }
      if (blocked) throw new Problem('forbidden', blocked);
      if (verdict !== 'commented') requireActive(pullRequest);
      if (commit !== undefined && commit !== pullRequest.head_commit) {
        throw new Problem('conflict', 'New commits were pushed since the one you reviewed.');
      }
      const verdictId = uuidv7();
      await insertVerdict(db, {
        id: verdictId,
        pullRequestId: id,
        organizationId,
        userId: actor.userId,
        userName: actor.userName,
        verdict,
        note,
        commit: pullRequest.head_commit,
        at,
        sending: sendingOf(pullRequest),
      });
      if (verdict !== 'commented') await deleteReviewRequests(db, id, [actor.userId]);
      change.record('pull_request_reviewed', { verdictId, verdict, headCommit: pullRequest.head_commit });
    });
  },
});
