/** POST /api/v2/pull-requests/:pullRequestId/reviews: approves it, requests changes, or comments on it as a whole. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { holdActivations, isOnlyActivePerson } from '../../memberships/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { PullRequest, ReviewPullRequestInput } from '../contract.ts';
import { findOwnCommit } from '../files/own-commit.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { ownWorkBecause, reviewBlockedBecause } from '../reading/who-may-review.ts';
import {
  deleteReviewRequests,
  hasPushed,
  insertVerdict,
  selectAuthorId,
  selectLastVerdict,
} from '../store/review-store.ts';
import { requireActive } from './require-active.ts';
import { headMoved } from './require-head.ts';
import { sendingOf } from './sending.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const reviewPullRequest = defineOperation({
  name: 'review-pull-request',
  group: 'Pull requests',
  summary: 'Review a pull request',
  description:
    'Approves it, requests changes, or only leaves a note. An approval names the head that was reviewed; if new commits were pushed since, it is a conflict that says what changed. It counts for that head and the present base branch. Nobody approves what they opened, wrote or committed, unless the `self_approval` switch is on or they are the only active person. On a code host the review says whose it is.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/reviews', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ReviewPullRequestInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { commit, note: sentNote, pullRequestId, verdict }) {
    const { actor } = context;
    const note = sentNote?.trim() ? await maskText(sentNote) : null;
    if (note === null && verdict !== 'approved') {
      throw invalidRequest([{ path: 'note', message: 'is required unless you approve' }]);
    }
    if (commit === undefined && verdict === 'approved') {
      throw invalidRequest([{ path: 'commit', message: 'is required to approve: the head you reviewed' }]);
    }
    // Before the lock, because git is asked.
    const found = await findPullRequest(context, pullRequestId);
    if (verdict !== 'commented') requireActive(found);
    if (commit !== undefined && commit !== found.head_commit) {
      throw await headMoved(context, { pullRequestId, reviewed: commit, head: found.head_commit });
    }
    const ownCommit = verdict === 'approved' ? await findOwnCommit(context, found) : null;
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const { id, organization_id: organizationId } = pullRequest;
      const person = {
        isOpener: (await selectAuthorId(db, id)) === actor.userId,
        hasPushed: verdict === 'approved' && (await hasPushed(db, id, actor.userId)),
        ownCommit,
      };
      const isOwn = verdict === 'approved' && ownWorkBecause(person) !== undefined;
      // Locked, so that nobody can become active between the count and the approval.
      if (isOwn) await holdActivations(db, organizationId);
      const onlyActivePerson = isOwn && (await isOnlyActivePerson(db, actor));
      const selfApproval = await isSettingOn(db, organizationId, 'self_approval');
      const blocked = reviewBlockedBecause(verdict, person, { selfApproval, onlyActivePerson });
      if (blocked) throw new Problem('forbidden', blocked);
      if (verdict !== 'commented') requireActive(pullRequest);
      if (commit !== undefined && commit !== pullRequest.head_commit) {
        throw new Problem('conflict', 'New commits were pushed just now. Review them and try again.');
      }
      // Another base has other commits: who wrote them was not looked at.
      const isSameBase =
        found.base_branch === pullRequest.base_branch && found.merge_base === pullRequest.merge_base;
      if (verdict === 'approved' && !isSameBase) {
        throw new Problem('conflict', 'The base branch changed just now. Review the changes and try again.');
      }
      const wasRequested = verdict !== 'commented' && (await deleteReviewRequests(db, id, [actor.userId]));
      // Sent twice, by a double click or after a lost reply.
      if (verdict === 'approved' && !wasRequested) {
        const last = await selectLastVerdict(db, id, actor.userId);
        if (last && isRepeated(last, note, pullRequest)) return;
      }
      const verdictId = uuidv7();
      await insertVerdict(db, {
        id: verdictId,
        pullRequestId: id,
        organizationId,
        userId: actor.userId,
        name: actor.userName,
        verdict,
        note,
        commit: pullRequest.head_commit,
        baseBranch: pullRequest.base_branch,
        ...(verdict === 'approved' && {
          ownWork: !isOwn ? 'no' : onlyActivePerson ? 'only_person' : 'self_approval',
        }),
        at,
        sending: sendingOf(pullRequest),
      });
      change.record('pull_request_reviewed', { verdictId, verdict, headCommit: pullRequest.head_commit });
    });
  },
});

/** Whether an approval with this note would say nothing new. One that couldn't be sent is tried again. */
function isRepeated(
  last: NonNullable<Awaited<ReturnType<typeof selectLastVerdict>>>,
  note: string | null,
  pullRequest: { head_commit: string | null; base_branch: string },
): boolean {
  return (
    last.verdict === 'approved' &&
    // The version before didn't say whose work it was.
    last.own_work !== null &&
    last.dismissed_at === null &&
    last.sending !== 'failed' &&
    last.commit === pullRequest.head_commit &&
    last.base_branch === pullRequest.base_branch &&
    (note === null || note === last.note)
  );
}
