/** Lists the reviews that a user can give now, so that the page offers only those. */
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { isOnlyActivePerson } from '../../memberships/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { VERDICTS } from '../contract.ts';
import type { PullRequestAction } from './pull-request-actions.ts';
import { reviewBlockedBecause } from './who-may-review.ts';

export async function allowedVerdicts(
  db: Db,
  actor: Pick<Actor, 'organizationId' | 'userId'>,
  pullRequest: {
    authorId: string | null;
    ownWorkIds: readonly string[];
    actions: readonly PullRequestAction[];
  },
): Promise<(typeof VERDICTS)[number][]> {
  if (!pullRequest.actions.includes('review')) return [];
  const isOpener = pullRequest.authorId === actor.userId;
  // A person who pushed is refused in the same way as an author.
  const hasPushed = pullRequest.ownWorkIds.includes(actor.userId);
  if (!isOpener && !hasPushed) return [...VERDICTS];
  const organization = await selfApprovalIn(db, actor);
  const person = { isOpener, hasPushed, ownCommit: null };
  return VERDICTS.filter((verdict) => reviewBlockedBecause(verdict, person, organization) === undefined);
}

/** The two ways in which an organization lets people approve their own work. */
export async function selfApprovalIn(db: Db, actor: Pick<Actor, 'organizationId' | 'userId'>) {
  return {
    selfApproval: await isSettingOn(db, actor.organizationId, 'self_approval'),
    onlyActivePerson: await isOnlyActivePerson(db, actor),
  };
}
