/** The shapes and limits of the inbox. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const INBOX_KINDS = [
  'comment',
  'reply',
  'mentioned',
  'assigned',
  'review_requested',
  'team_review_requested',
  'approved',
  'changes_requested',
  'review_dismissed',
  'new_version',
  'new_commits',
  'conflicts',
  'leaked_secret',
  'merged',
  'merge_stopped',
  'closed',
  'watched',
  'team_watched',
  'credential_refused',
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

export const MAX_ITEMS_AT_ONCE = 200;
export const EXCERPT_CHARACTERS = 200;
/** Counting stops here: the page shows "99+". */
export const MAX_UNREAD_COUNTED = 100;

const unreadCount = () =>
  z.int().describe(`At most ${MAX_UNREAD_COUNTED}, which means ${MAX_UNREAD_COUNTED} or more.`);

export const InboxItem = z
  .object({
    id: uuid(),
    kind: z.enum(INBOX_KINDS),
    createdAt: timestamp(),
    readAt: timestamp().nullable(),
    plan: z
      .object({ seriesId: uuid(), title: z.string(), status: z.string() })
      .nullable()
      .describe('Null if it is about something else.'),
    pullRequest: z
      .object({
        id: uuid(),
        number: z.int(),
        repository: z.string(),
        title: z.string(),
        state: z.string(),
      })
      .nullable(),
    codeHost: z
      .object({ id: uuid(), name: z.string() })
      .nullable()
      .describe('The code host that refused its credential.'),
    actor: z
      .object({
        id: uuid().nullable().describe('Null for reviewers, bots and people without an account here.'),
        name: z.string(),
      })
      .nullable()
      .describe('Who triggered the event; null for the service.'),
    commentId: uuid().nullable(),
    threadId: uuid().nullable().describe('The ID of the first comment in its thread.'),
    discussionId: uuid().nullable().describe('The review discussion it refers to.'),
    findings: z
      .int()
      .nullable()
      .describe('How many findings a review raised. The comment and discussion are those of the first.'),
    version: z.int().nullable().describe('The version of the plan it refers to.'),
    excerpt: z.string().nullable().describe('The beginning of the comment or note.'),
  })
  .meta({ id: 'InboxItem' });

export const ListInboxInput = z.object({
  unread: z.boolean().optional().describe('Return only unread items.'),
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
  itemIds: z.array(uuid()).min(1).max(MAX_ITEMS_AT_ONCE).optional().describe('Mark these items.'),
  seriesId: uuid().optional().describe('Mark all items of this plan.'),
  pullRequestId: uuid().optional().describe('Mark all items of this pull request.'),
  all: z.literal(true).optional().describe('Mark all items.'),
  undo: z.iso
    .datetime()
    .optional()
    .describe('The `readAt` of an earlier response: marks those items as unread again.'),
});

export const GetUnreadCountInput = z.object({});
export const UnreadCount = z.object({ unreadCount: unreadCount() }).meta({ id: 'UnreadCount' });
export const MarkedRead = UnreadCount.extend({
  readAt: timestamp().nullable().describe('Send this as `undo` to undo the request; null after an undo.'),
});
