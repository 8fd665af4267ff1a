/** Whether a person can approve what they see: unlike the other verdicts, it depends on who wrote the commits. */
import type { Context } from '../../../context.ts';
import { selfApprovalIn } from '../reading/allowed-verdicts.ts';
import { reviewBlockedBecause } from '../reading/who-may-review.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { hasPushed, selectAuthorId } from '../store/review-store.ts';
import { findOwnCommit } from './own-commit.ts';

/** Why the caller can't approve the newest head; null if they can. Reads its commits. */
export async function approvalBlockedBecause(
  context: Context,
  pullRequest: FoundPullRequest,
): Promise<string | null> {
  const { actor, db } = context;
  const organization = await selfApprovalIn(db, actor);
  const person = {
    isOpener: (await selectAuthorId(db, pullRequest.id)) === actor.userId,
    hasPushed: await hasPushed(db, pullRequest.id, actor.userId),
    ownCommit: await findOwnCommit(context, pullRequest),
  };
  return reviewBlockedBecause('approved', person, organization) ?? null;
}
