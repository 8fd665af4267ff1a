/** Loads the facts that the rule in `pull-request-interest.ts` needs, for a whole batch with a fixed number of queries. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { membersOf } from '../teams/index.ts';
import { interestedInPullRequestEvent, PULL_REQUEST_INBOX_EVENTS } from './pull-request-interest.ts';
import {
  selectCommentThreads,
  selectPeopleWithAccess,
  selectPullRequestPeople,
} from './pull-request-people-store.ts';
import type { Interest } from './recipients.ts';

/**
 * Only people who can see the repository: being asked for a review, or having commented once, reveals nothing. People who
 * muted the pull request are only told that their review is requested.
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
  const teams = await membersOf(
    db,
    concerning.flatMap(({ data }) => idsIn(data.teamIds)),
  );
  const interests = new Map(
    concerning.flatMap((event): [OutboxEvent, Interest[]][] => {
      const { data, kind, subjectId } = event;
      const involved = people.get(subjectId);
      if (!involved) return [];
      const interested = interestedInPullRequestEvent({
        kind,
        ...involved,
        askedIds: idsIn(data.userIds),
        askedTeamMemberIds: idsIn(data.teamIds).flatMap((teamId) => teams.get(teamId) ?? []),
        threadAuthorIds: [...new Set(commentsOf(event).flatMap((id) => threads.get(id) ?? []))],
        verdict: typeof data.verdict === 'string' ? data.verdict : null,
        isBypass: Array.isArray(data.bypassed) && data.bypassed.length > 0,
        state: typeof data.to === 'string' ? data.to : null,
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
        return (
          found !== undefined &&
          (!found.muted || kind === 'review_requested' || kind === 'team_review_requested')
        );
      }),
    ]),
  );
}

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
