/** Loads the facts that the rule in `plan-interest.ts` needs, for a whole batch with a fixed number of queries. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { selectPlanCreators, selectReviewers, selectThreads, selectVersionAuthors } from './people-store.ts';
import { interestedInPlanEvent, PLAN_INBOX_EVENTS } from './plan-interest.ts';
import type { Interest } from './recipients.ts';

export async function loadPlanInterest(db: Db, events: OutboxEvent[]): Promise<Map<OutboxEvent, Interest[]>> {
  const concerning = events.filter((event) => PLAN_INBOX_EVENTS.has(event.kind));
  if (concerning.length === 0) return new Map();
  const of = (...kinds: string[]) => concerning.filter((event) => kinds.includes(event.kind));
  const creators = await selectPlanCreators(db, plansOf(concerning));
  const threads = await selectThreads(db, texts(of('comment_added'), 'commentId'));
  const authors = await selectVersionAuthors(db, texts(of('approved', 'changes_requested'), 'versionId'));
  const reviewers = await selectReviewers(db, plansOf(of('version_added')));
  return new Map(
    concerning.map((event) => {
      const { data, kind, subjectId } = event;
      const thread = threads.get(String(data.commentId));
      const interested = interestedInPlanEvent({
        kind,
        planCreatorId: creators.get(subjectId)!,
        versionAuthorId: authors.get(String(data.versionId)) ?? null,
        isReply: typeof data.parentId === 'string',
        threadAuthorIds: thread?.authorIds ?? [],
        mutedIds: new Set(thread?.mutedIds),
        askedIds: Array.isArray(data.userIds) ? data.userIds.map(String) : [],
        reviewerIds: reviewers.get(subjectId) ?? [],
        unchanged: data.unchanged === true,
      });
      return [event, interested];
    }),
  );
}

function plansOf(events: OutboxEvent[]): string[] {
  return [...new Set(events.map((event) => event.subjectId))];
}

function texts(events: OutboxEvent[], name: string): string[] {
  return [...new Set(events.flatMap(({ data }) => (typeof data[name] === 'string' ? [data[name]] : [])))];
}
