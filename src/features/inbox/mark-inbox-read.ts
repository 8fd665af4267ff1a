/** POST /api/v2/inbox/read: some items, everything about one plan, or everything. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import { MarkInboxReadInput, UnreadCount } from './contract.ts';
import { countUnread, markAllRead, markItemsRead, markPlanRead } from './inbox-store.ts';

export const markInboxRead = defineOperation({
  name: 'mark-inbox-read',
  group: 'Inbox',
  summary: 'Mark as read',
  description:
    'Takes exactly one of `itemIds`, `seriesId` and `all`. Ids that are not in your inbox do nothing.',
  http: { method: 'POST', path: '/api/v2/inbox/read', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: MarkInboxReadInput,
  output: UnreadCount,
  problems: [],
  async run({ actor, clock, db }, { all, itemIds, seriesId }) {
    const given = [itemIds, seriesId, all].filter((value) => value !== undefined);
    if (given.length !== 1) {
      throw invalidRequest([{ path: '', message: 'takes exactly one of itemIds, seriesId and all' }]);
    }
    const now = clock.now();
    if (itemIds) await markItemsRead(db, actor, itemIds, now);
    else if (seriesId) await markPlanRead(db, actor, seriesId, now);
    else await markAllRead(db, actor, now);
    return { unreadCount: await countUnread(db, actor) };
  },
});
