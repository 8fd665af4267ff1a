/** Loads the facts that the rule in `pull-request-interest.ts` needs, for a whole batch with a fixed number of queries. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { membersOf } from '../teams/index.ts';
import type { InboxKind } from './contract.ts';
import {
  asksForReviews,
  interestedInPullRequestEvent,
  PULL_REQUEST_INBOX_EVENTS,
} from './pull-request-interest.ts';
import {
  selectCommentThreads,
  selectLaterRequests,
  selectPeopleWithAccess,
  selectPullRequestPeople,
} from './pull-request-people-store.ts';
import type { Interest } from './recipients.ts';

/**
 * Only people who can see the repository: being asked for a review, or having commented once, reveals nothing. People who
 * muted the pull request are only told that their review is requested, or that they are assigned.
 */
export async function loadPullRequestInterest(
  db: Db,
  events: OutboxEvent[],
): Promise<Map<OutboxEvent, Interest[]>> {
  const concerning = events.filter(
    (event) => PULL_REQUEST_INBOX_EVENTS.has(event.kind) && !isFurtherFinding(event),
  );
  if (concerning.length === 0) return new Map();
  const people = await selectPullRequestPeople(db, [...new Set(concerning.map((event) => event.subjectId))]);
  const threads = await selectCommentThreads(db, concerning.flatMap(commentsOf));
  const idsIn = (ids: unknown) => (Array.isArray(ids) ? ids.map(String) : []);
  // Since then it may have become a draft, or ready, or more people may have been asked: they get an item for that.
  const later = await selectLaterRequests(
    db,
    concerning.filter((event) => event.kind === 'pull_request_review_requested' || asksForReviews(event)),
  );
  const laterThan = ({ number, subjectId }: OutboxEvent) => later.get(`${subjectId} ${number}`) ?? [];
  const teams = await membersOf(
    db,
    concerning.flatMap((event) => [
      ...idsIn(event.data.teamIds),
      ...laterThan(event).flatMap(({ teamIds }) => teamIds),
    ]),
  );
  const membersIn = (teamIds: string[]) => teamIds.flatMap((teamId) => teams.get(teamId) ?? []);
  const interests = new Map(
    concerning.flatMap((event): [OutboxEvent, Interest[]][] => {
      const { data, kind, subjectId } = event;
      const involved = people.get(subjectId);
      if (!involved) return [];
      const changes = laterThan(event);
      const askedLater = new Set(
        changes.flatMap(({ isRequest, teamIds, userIds }) =>
          isRequest ? [...userIds, ...membersIn(teamIds)] : [],
        ),
      );
      const isNotLater = (userId: string) => !askedLater.has(userId);
      const nextState = changes.find(({ isRequest }) => !isRequest);
      const interested = interestedInPullRequestEvent({
        kind,
        ...involved,
        isByMember: event.actorUserId !== null,
        isDraft: nextState ? nextState.from === 'draft' : involved.isDraft,
        requestedIds: involved.requestedIds.filter(isNotLater),
        requestedTeamMemberIds: involved.requestedTeamMemberIds.filter(isNotLater),
        askedIds: idsIn(data.userIds),
        askedTeamMemberIds: membersIn(idsIn(data.teamIds)),
        threadAuthorIds: [...new Set(commentsOf(event).flatMap((id) => threads.get(id) ?? []))],
        verdict: typeof data.verdict === 'string' ? data.verdict : null,
        dismissedId: typeof data.userId === 'string' ? data.userId : null,
        stoppedForId: data.isOn === false && typeof data.userId === 'string' ? data.userId : null,
        isBypass: Array.isArray(data.bypassed) && data.bypassed.length > 0,
        state: typeof data.to === 'string' ? data.to : null,
        isReady: asksForReviews(event),
      });
      return [[event, interested]];
    }),
  );
  const pairs = [...interests].flatMap(([{ subjectId: pullRequestId }, interested]) =>
    interested.map(([userId]) => ({ pullRequestId, userId })),
  );
  const withAccess = await selectPeopleWithAccess(db, pairs);
  return new Map(
    [...interests].map(([event, interested]) => [
      event,
      interested.filter(([userId, kind]) => {
        const found = withAccess.get(`${event.subjectId} ${userId}`);
        return found !== undefined && (!found.muted || ASKS.has(kind));
      }),
    ]),
  );
}

const ASKS: ReadonlySet<InboxKind> = new Set(['review_requested', 'team_review_requested', 'assigned']);

/** Its comment, or those of a review that was submitted with comments. */
function commentsOf({ data: { commentId, commentIds } }: OutboxEvent): string[] {
  if (typeof commentId === 'string') return [commentId];
  return Array.isArray(commentIds) ? commentIds.map(String) : [];
}

/** The findings of one review are one item, that of the first. */
function isFurtherFinding({ data }: OutboxEvent): boolean {
  const { finding } = data;
  return typeof finding === 'object' && finding !== null && 'number' in finding && finding.number !== 1;
}
