/** GET /api/v2/inbox/unread-count: the unread count in the navigation. */
import { defineOperation } from '../../context.ts';
import { GetUnreadCountInput, UnreadCount } from './contract.ts';
import { countUnread } from './inbox-store.ts';

export const getUnreadCount = defineOperation({
  name: 'get-unread-count',
  group: 'Inbox',
  summary: 'Count unread inbox items',
  http: { method: 'GET', path: '/api/v2/inbox/unread-count', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetUnreadCountInput,
  output: UnreadCount,
  problems: [],
  async run({ actor, db }) {
    return { unreadCount: await countUnread(db, actor) };
  },
});
