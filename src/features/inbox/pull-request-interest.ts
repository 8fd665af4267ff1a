/** Who is involved in an event of a pull request, and why. Pure. */
import type { InboxKind } from './contract.ts';
import type { Interest } from './recipients.ts';

/** The kinds of events of pull requests that create inbox items. */
export const PULL_REQUEST_INBOX_EVENTS: ReadonlySet<string> = new Set([
  'pull_request_pushed',
  'pull_request_state_changed',
  'pull_request_review_requested',
  'pull_request_assignees_changed',
  'pull_request_reviewed',
  'pull_request_review_dismissed',
  'pull_request_conflicted',
  'pull_request_merge_when_ready',
  'pull_request_commented',
  'discussion_opened',
  'discussion_replied',
]);

interface PullRequestEvent {
  kind: string;
  data: Record<string, unknown>;
}

/** Whether nothing is left to do about conflicts: they were resolved, or the pull request was merged or closed. */
export function endsConflicts(event: PullRequestEvent): boolean {
  return event.kind === 'pull_request_conflicts_resolved' || isOver(event);
}

/** Whether it was merged or closed: nobody has to review it any more. */
export function isOver({ data, kind }: PullRequestEvent): boolean {
  return kind === 'pull_request_state_changed' && (data.to === 'merged' || data.to === 'closed');
}

/** Whether it is ready for review from now on, or again: whose review is requested gets a new item. */
export function asksForReviews({ data, kind }: PullRequestEvent): boolean {
  return (
    kind === 'pull_request_state_changed' &&
    data.to === 'open' &&
    (data.from === 'draft' || data.from === 'closed')
  );
}

/** The facts about an event that determine who is involved. */
export interface PullRequestEventFacts {
  kind: string;
  /** The member who opened it; null if that is nobody of the organization. */
  authorId: string | null;
  /** Whether a member did it here, such as updating the branch. */
  isByMember: boolean;
  /** The owners of the organization. */
  ownerIds: readonly string[];
  /** The people who reviewed it or were asked to. */
  reviewerIds: readonly string[];
  /** The people whose review is requested now. */
  requestedIds: readonly string[];
  requestedTeamMemberIds: readonly string[];
  /** Whether it was one at the time of the event, which counts for review requests. */
  isDraft: boolean;
  /** Whether reviews that were requested can be given from now on: it ends the draft, or reopens the pull request. */
  isReady: boolean;
  /** The people whose review this event requests, or whom it assigns. */
  askedIds: readonly string[];
  /** The members of the teams whose review this event requests. */
  askedTeamMemberIds: readonly string[];
  /** The people who wrote in the discussion, or in the general conversation, before; for a review, in those that it replies in. */
  threadAuthorIds: readonly string[];
  verdict: string | null;
  /** Whose review was dismissed. */
  dismissedId: string | null;
  /** Whose merge waited for it, if that was turned off. */
  stoppedForId: string | null;
  /** The new state. */
  state: string | null;
  /** Whether the merge rule was bypassed. */
  isBypass: boolean;
}

/** The most specific reason comes first. */
export function interestedInPullRequestEvent(facts: PullRequestEventFacts): Interest[] {
  const each = (userIds: readonly string[], kind: InboxKind): Interest[] =>
    userIds.map((userId) => [userId, kind]);
  const author = facts.authorId === null ? [] : [facts.authorId];
  switch (facts.kind) {
    case 'pull_request_review_requested':
      // A draft asks nobody before it is ready.
      if (facts.isDraft) return [];
      return [
        ...each(facts.askedIds, 'review_requested'),
        ...each(
          facts.askedTeamMemberIds.filter((userId) => userId !== facts.authorId),
          'team_review_requested',
        ),
      ];
    case 'pull_request_assignees_changed':
      return each(facts.askedIds, 'assigned');
    case 'pull_request_reviewed':
      return [
        ...each(
          author,
          facts.verdict === 'approved' || facts.verdict === 'changes_requested' ? facts.verdict : 'comment',
        ),
        ...each(facts.threadAuthorIds, 'reply'),
      ];
    case 'pull_request_review_dismissed':
      return facts.dismissedId === null ? [] : [[facts.dismissedId, 'review_dismissed']];
    case 'pull_request_pushed':
      // Git doesn't say who pushed: for the author, only what was certainly somebody else is news.
      return each([...(facts.isByMember ? author : []), ...facts.reviewerIds], 'new_commits');
    case 'pull_request_conflicted':
      return each(author, 'conflicts');
    case 'pull_request_merge_when_ready':
      return facts.stoppedForId === null ? [] : [[facts.stoppedForId, 'merge_stopped']];
    case 'pull_request_state_changed':
      if (facts.isReady)
        return [
          ...each(facts.requestedIds, 'review_requested'),
          ...each(
            facts.requestedTeamMemberIds.filter((userId) => userId !== facts.authorId),
            'team_review_requested',
          ),
        ];
      return facts.state === 'merged' || facts.state === 'closed'
        ? each([...author, ...facts.reviewerIds, ...(facts.isBypass ? facts.ownerIds : [])], facts.state)
        : [];
    case 'pull_request_commented':
    case 'discussion_opened':
    case 'discussion_replied':
      return [...each(facts.threadAuthorIds, 'reply'), ...each(author, 'comment')];
    default:
      return [];
  }
}
