/** Tells the author's other devices that their pending comments changed. */
import type { Context } from '../../../context.ts';
import { ownTopic } from '../../pull-requests/index.ts';

export function announcePending(context: Context, pullRequestId: string): void {
  context.afterCommit(() => context.feed.announce(ownTopic(context.actor, pullRequestId)));
}
