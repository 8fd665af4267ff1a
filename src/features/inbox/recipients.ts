/**
 * Who finds an event of a plan in the inbox, and as what. Holds always: nobody is told of their own deed, nobody who is
 * not an active member is told of anything, and each person is told at most once.
 */
import type { InboxKind } from './contract.ts';

/** The kinds of events that anybody is told of. */
export const INBOX_EVENT_KINDS: ReadonlySet<string> = new Set([
  'comment_added',
  'review_requested',
  'approved',
  'changes_requested',
  'version_added',
]);

/** What must be known about an event to tell who should hear of it. */
export interface EventFacts {
  kind: string;
  /** Null when the service itself did it. */
  actorId: string | null;
  planCreatorId: string;
  /** Whoever wrote the version that was approved or is to be changed. */
  versionAuthorId: string | null;
  /** A reply, and not the first comment of its thread. */
  isReply: boolean;
  /** Everybody who wrote in the thread before. */
  threadAuthorIds: readonly string[];
  /** Everybody who muted the thread. */
  mutedIds: ReadonlySet<string>;
  /** Everybody who was asked by this event to review. */
  askedIds: readonly string[];
  /** Everybody who reviewed the plan, was asked to, or commented on it. */
  reviewerIds: readonly string[];
  /** The new version has the content of the one before. */
  unchanged: boolean;
  activeIds: ReadonlySet<string>;
}

export function recipientsOf(facts: EventFacts): Map<string, InboxKind> {
  const told = new Map<string, InboxKind>();
  for (const [userId, kind] of interested(facts)) {
    if (userId === facts.actorId || !facts.activeIds.has(userId)) continue;
    if (!told.has(userId)) told.set(userId, kind);
  }
  return told;
}

/** Those whom the event concerns; of several reasons for one person the first counts. */
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
