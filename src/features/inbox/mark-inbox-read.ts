/** POST /api/v2/inbox/read: marks some items, all items of a plan or pull request, or all items as read; or undoes that. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { MarkedRead, MarkInboxReadInput } from './contract.ts';
import {
  countUnread,
  markAllRead,
  markItemsRead,
  markPlanRead,
  markPullRequestRead,
  markUnread,
} from './inbox-store.ts';

export const markInboxRead = defineOperation({
  name: 'mark-inbox-read',
  group: 'Inbox',
  summary: 'Mark as read',
  description:
    "Send exactly one of `itemIds`, `seriesId`, `pullRequestId`, `all` and `undo`. IDs that aren't in your inbox are ignored.",
  http: { method: 'POST', path: '/api/v2/inbox/read', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: MarkInboxReadInput,
  output: MarkedRead,
  problems: [],
  async run({ actor, clock, db }, { all, itemIds, pullRequestId, seriesId, undo }) {
    const given = [itemIds, seriesId, pullRequestId, all, undo].filter((value) => value !== undefined);
    if (given.length !== 1) {
      throw invalidRequest([
        { path: '', message: 'must have exactly one of itemIds, seriesId, pullRequestId, all and undo' },
      ]);
    }
    const now = clock.now();
    if (itemIds) await markItemsRead(db, actor, itemIds, now);
    else if (seriesId) await markPlanRead(db, actor, seriesId, now);
    else if (pullRequestId) await markPullRequestRead(db, actor, pullRequestId, now);
    else if (all) await markAllRead(db, actor, now);
    else if (undo) await markUnread(db, actor, new Date(undo));
    const readAt = undo === undefined ? now.toISOString() : null;
    return { unreadCount: await countUnread(db, actor), readAt };
  },
});
