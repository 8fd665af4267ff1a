/** News about a pull request that are no events of it: they have no number, and only say what to read again. */
import type { Actor } from '../../../platform/core/operations/actor.ts';

/** For one person alone, on all their devices. */
export const OWN_NEWS = 'pending_comments_changed';

export function ownTopic({ userId }: Pick<Actor, 'userId'>, pullRequestId: string): string {
  return `${OWN_NEWS} ${userId} ${pullRequestId}`;
}

/** For everyone who looks at it. */
export const REACTION_NEWS = 'reactions_changed';

export function reactionsTopic(pullRequestId: string): string {
  return `${REACTION_NEWS} ${pullRequestId}`;
}
