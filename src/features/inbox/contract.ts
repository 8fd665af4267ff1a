/** The inbox's shapes and limits. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { timestamp, uuid } from '../../platform/core/shapes.ts';

export const INBOX_KINDS = [
  'comment',
  'reply',
  'review_requested',
  'approved',
  'changes_requested',
  'new_version',
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

export const MAX_ITEMS_AT_ONCE = 200;
export const EXCERPT_CHARACTERS = 200;
/** Counting stops here: nobody needs to know more exactly than "99+". */
export const MAX_UNREAD_COUNTED = 100;

const unreadCount = () =>
  z.int().describe(`Counted up to ${MAX_UNREAD_COUNTED}, which stands for that many or more.`);

export const InboxItem = z
  .object({
    id: uuid(),
    kind: z.enum(INBOX_KINDS),
    createdAt: timestamp(),
    readAt: timestamp().nullable(),
    plan: z.object({ seriesId: uuid(), title: z.string(), status: z.string() }),
    actor: z.object({ id: uuid(), name: z.string() }).nullable().describe('Who did it.'),
    commentId: uuid().nullable(),
    threadId: uuid().nullable().describe('The first comment of its thread.'),
    version: z.int().nullable().describe('The version of the plan that it is about.'),
    excerpt: z.string().nullable().describe('How the comment or the note begins.'),
  })
  .meta({ id: 'InboxItem' });

export const ListInboxInput = z.object({
  unread: z.boolean().optional().describe('Only what you have not read yet.'),
  ...PAGE_INPUT,
});
export const InboxPage = z
  .object({
    items: z.array(InboxItem).describe('Newest first.'),
    unreadCount: unreadCount(),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'InboxPage' });

export const MarkInboxReadInput = z.object({
  itemIds: z.array(uuid()).min(1).max(MAX_ITEMS_AT_ONCE).optional().describe('These items.'),
  seriesId: uuid().optional().describe('Everything about this plan.'),
  all: z.literal(true).optional().describe('Everything.'),
  undo: z.iso
    .datetime()
    .optional()
    .describe('The `readAt` of an earlier reply: what was marked as read then is unread again.'),
});

export const GetUnreadCountInput = z.object({});
export const UnreadCount = z.object({ unreadCount: unreadCount() }).meta({ id: 'UnreadCount' });
export const MarkedRead = UnreadCount.extend({
  readAt: timestamp().nullable().describe('Sent as `undo`, it takes this back; null after an undo.'),
});
