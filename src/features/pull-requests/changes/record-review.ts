/** Records a review, with the comments that were submitted with it. The one way in which people give verdicts. */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { holdActivations, isOnlyActivePerson } from '../../memberships/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import type { PullRequest } from '../contract.ts';
import { findOwnCommit } from '../files/own-commit.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { ownWorkBecause, reviewBlockedBecause } from '../reading/who-may-review.ts';
import { wasHead } from '../store/pull-request-store.ts';
import {
  deleteReviewRequests,
  dismissRequests,
  hasOpenRequest,
  hasPushed,
  insertVerdict,
  selectAuthorId,
  selectLastVerdict,
} from '../store/review-store.ts';
import type { PullRequestChange } from './pull-request-change.ts';
import { requireActive } from './require-active.ts';
import { headMoved } from './require-head.ts';
import { sendingOf } from './sending.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export interface ReviewToRecord {
  pullRequestId: string;
  verdict: 'approved' | 'changes_requested' | 'commented';
  /** Masked. */
  note: string | null;
  /** The head that was reviewed; default: the newest. */
  commit: string | undefined;
  /** Whether that may be an earlier head; never for an approval. */
  earlierHead?: boolean;
}

/** Adds the review's comments in its transaction. Returns what its event says about them. */
type AddComments = (change: PullRequestChange, verdictId: string) => Promise<Record<string, unknown>>;

export async function recordReview(
  context: Context,
  { commit, earlierHead: mayBeEarlier = false, note, pullRequestId, verdict }: ReviewToRecord,
  addComments?: AddComments,
): Promise<z.input<typeof PullRequest>> {
  const { actor } = context;
  // Before the lock, because git is asked.
  const found = await findPullRequest(context, pullRequestId);
  if (verdict !== 'commented') requireActive(found);
  const isEarlier =
    mayBeEarlier &&
    verdict !== 'approved' &&
    commit !== undefined &&
    (await wasHead(context.db, found.id, commit));
  if (commit !== undefined && commit !== found.head_commit && !isEarlier) {
    throw await headMoved(context, { pullRequestId, reviewed: commit, head: found.head_commit });
  }
  const mayLift =
    verdict === 'commented' &&
    found.origin === 'git' &&
    (await hasOpenRequest(context.db, found.id, actor.userId));
  const ownCommit = verdict === 'approved' || mayLift ? await findOwnCommit(context, found) : null;
  return changeAndReadPullRequest(context, pullRequestId, async (change) => {
    const { at, db, pullRequest } = change;
    const { id, organization_id: organizationId } = pullRequest;
    const person = {
      isOpener: (await selectAuthorId(db, id)) === actor.userId,
      hasPushed: (verdict === 'approved' || mayLift) && (await hasPushed(db, id, actor.userId)),
      ownCommit,
    };
    const isOwn = verdict === 'approved' && ownWorkBecause(person) !== undefined;
    // Who has written some of it since, for example by a suggestion, can't approve any more to take back a request for changes.
    if (mayLift && ownWorkBecause(person) !== undefined) await dismissRequests(db, id, actor.userId, at);
    // Locked, so that nobody can become active between the count and the approval.
    if (isOwn) await holdActivations(db, organizationId);
    const onlyActivePerson = isOwn && (await isOnlyActivePerson(db, actor));
    const selfApproval = await isSettingOn(db, organizationId, 'self_approval');
    const blocked = reviewBlockedBecause(verdict, person, { selfApproval, onlyActivePerson });
    if (blocked) throw new Problem('forbidden', blocked);
    if (verdict !== 'commented') requireActive(pullRequest);
    if (commit !== undefined && commit !== pullRequest.head_commit && !isEarlier) {
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
    if (verdict === 'approved' && !wasRequested && !addComments) {
      const last = await selectLastVerdict(db, id, actor.userId);
      if (last && isRepeated(last, note, pullRequest)) return;
    }
    const verdictId = uuidv7();
    const headCommit = isEarlier ? commit : pullRequest.head_commit;
    await insertVerdict(db, {
      id: verdictId,
      pullRequestId: id,
      organizationId,
      userId: actor.userId,
      name: actor.userName,
      verdict,
      note,
      commit: headCommit,
      baseBranch: pullRequest.base_branch,
      ...(verdict === 'approved' && {
        ownWork: !isOwn ? 'no' : onlyActivePerson ? 'only_person' : 'self_approval',
      }),
      at,
      sending: sendingOf(pullRequest),
    });
    const comments = await addComments?.(change, verdictId);
    change.record('pull_request_reviewed', { verdictId, verdict, headCommit, ...comments });
  });
}

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
