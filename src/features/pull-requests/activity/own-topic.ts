/** News about a pull request for one person alone, on all their devices. */
import type { Actor } from '../../../platform/core/operations/actor.ts';

/** Not an event of the pull request: it has no number, and nobody else receives it. */
export const OWN_NEWS = 'pending_comments_changed';

export function ownTopic({ userId }: Pick<Actor, 'userId'>, pullRequestId: string): string {
  return `${OWN_NEWS} ${userId} ${pullRequestId}`;
}
