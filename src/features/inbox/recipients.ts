/**
 * Who gets an inbox item for a plan event, and of which kind. Invariants: people are never notified of their own actions,
 * only active members are notified, and each person is notified at most once per event.
 */
import type { InboxKind } from './contract.ts';

/** The kinds of events that create inbox items. */
export const INBOX_EVENT_KINDS: ReadonlySet<string> = new Set([
  'comment_added',
  'review_requested',
  'approved',
  'changes_requested',
  'version_added',
]);

/** The facts about an event that determine its recipients. */
export interface EventFacts {
  kind: string;
  /** Null if the service itself is the actor. */
  actorId: string | null;
  planCreatorId: string;
  /** The author of the version that was approved or needs changes. */
  versionAuthorId: string | null;
  /** Whether the comment is a reply. */
  isReply: boolean;
  /** The people who wrote in the thread before. */
  threadAuthorIds: readonly string[];
  /** The people who muted the thread. */
  mutedIds: ReadonlySet<string>;
  /** The people whose review this event requests. */
  askedIds: readonly string[];
  /** The people who reviewed the plan, were asked to, or commented on it. */
  reviewerIds: readonly string[];
  /** Whether the new version has the same content as the previous one. */
  unchanged: boolean;
  activeIds: ReadonlySet<string>;
}

export function recipientsOf(facts: EventFacts): Map<string, InboxKind> {
  const recipients = new Map<string, InboxKind>();
  for (const [userId, kind] of interested(facts)) {
    if (userId === facts.actorId || !facts.activeIds.has(userId)) continue;
    if (!recipients.has(userId)) recipients.set(userId, kind);
  }
  return recipients;
}

/** The people involved in the event. If a person is listed more than once, the first reason counts. */
function interested(facts: EventFacts): [string, InboxKind][] {
  const each = (userIds: readonly string[], kind: InboxKind): [string, InboxKind][] =>
    userIds.map((userId) => [userId, kind]);
  const owners = facts.versionAuthorId ? [facts.planCreatorId, facts.versionAuthorId] : [facts.planCreatorId];
  switch (facts.kind) {
    case 'comment_added':
      return [
        ...each(facts.isReply ? facts.threadAuthorIds : [], 'reply'),
        ...each([facts.planCreatorId], 'comment'),
      ].filter(([userId]) => !facts.mutedIds.has(userId));
    case 'review_requested':
      return each(facts.askedIds, 'review_requested');
    case 'approved':
      return each(owners, 'approved');
    case 'changes_requested':
      return each(owners, 'changes_requested');
    case 'version_added':
      return facts.unchanged ? [] : each(facts.reviewerIds, 'new_version');
    default:
      return [];
  }
}
