/** GET /api/v2/inbox: the caller's inbox, newest first. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { InboxPage, ListInboxInput } from './contract.ts';
import { countUnread, selectInbox } from './inbox-store.ts';
import { presentInboxItem } from './present-inbox-item.ts';

export const listInbox = defineOperation({
  name: 'list-inbox',
  group: 'Inbox',
  summary: 'List your inbox',
  description:
    "Comments on your plans and pull requests, replies in your threads, review requests, approvals and change requests, and new versions and commits of what you reviewed. Your own actions, muted threads and muted pull requests aren't included.",
  http: { method: 'GET', path: '/api/v2/inbox', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListInboxInput,
  output: InboxPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectInbox(db, actor, {
      unread: input.unread ?? false,
      beforeId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { items: page.map(presentInboxItem), unreadCount: await countUnread(db, actor), nextCursor };
  },
});
