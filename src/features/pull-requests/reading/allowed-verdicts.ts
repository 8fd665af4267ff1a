/** Which reviews a user can give now, so that the page offers only those. */
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { isOnlyActivePerson } from '../../memberships/index.ts';
import { isSwitchedOn } from '../../switches/index.ts';
import { findOwnCommit } from '../changes/own-commit.ts';
import { VERDICTS } from '../contract.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';
import { selectAuthorId } from '../store/review-store.ts';
import type { PullRequestAction } from './pull-request-actions.ts';
import { reviewBlockedBecause } from './who-may-review.ts';

export async function allowedVerdicts(
  db: Db,
  actor: Pick<Actor, 'organizationId' | 'userId'>,
  pullRequest: { authorId: string | null; actions: readonly PullRequestAction[] },
): Promise<(typeof VERDICTS)[number][]> {
  if (!pullRequest.actions.includes('review')) return [];
  if (pullRequest.authorId !== actor.userId) return [...VERDICTS];
  const organization = await selfApprovalIn(db, actor);
  const person = { isOpener: true, ownCommit: null };
  return VERDICTS.filter((verdict) => reviewBlockedBecause(verdict, person, organization) === undefined);
}

/** Why the caller can't approve the newest head; null if they can. Reads its commits. */
export async function approvalBlockedBecause(
  context: Context,
  pullRequest: FoundPullRequest,
): Promise<string | null> {
  const { actor, db } = context;
  const organization = await selfApprovalIn(db, actor);
  const person = {
    isOpener: (await selectAuthorId(db, pullRequest.id)) === actor.userId,
    ownCommit: await findOwnCommit(context, pullRequest),
  };
  return reviewBlockedBecause('approved', person, organization) ?? null;
}

async function selfApprovalIn(db: Db, actor: Pick<Actor, 'organizationId' | 'userId'>) {
  return {
    selfApproval: await isSwitchedOn(db, actor.organizationId, 'self_approval'),
    onlyActivePerson: await isOnlyActivePerson(db, actor),
  };
}
