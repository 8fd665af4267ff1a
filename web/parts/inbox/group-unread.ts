/** Puts the unread entries of one pull request together, where the newest of them is. Pure. */
import type { InboxItem } from './inbox-rows.tsx';

/** Newest first, as given; an entry that stands alone is a list of one. */
export function groupUnread(items: readonly InboxItem[]): InboxItem[][] {
  const keyOf = ({ id, pullRequest, readAt }: InboxItem) =>
    readAt === null && pullRequest ? pullRequest.id : id;
  return [...Map.groupBy(items, keyOf).values()];
}
