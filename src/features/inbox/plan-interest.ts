/** Who is involved in a plan event, and why. */
import type { InboxKind } from './contract.ts';
import type { Interest } from './recipients.ts';

/** The kinds of plan events that create inbox items. */
export const PLAN_INBOX_EVENTS: ReadonlySet<string> = new Set([
  'comment_added',
  'review_requested',
  'approved',
  'changes_requested',
  'version_added',
]);

/** The facts about an event that determine who is involved. */
export interface PlanEventFacts {
  kind: string;
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
}

/** The most specific reason comes first. */
export function interestedInPlanEvent(facts: PlanEventFacts): Interest[] {
  const each = (userIds: readonly string[], kind: InboxKind): Interest[] =>
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
