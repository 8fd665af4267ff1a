/** Adds plan events to the inboxes of their recipients. Loads the facts that the rule in `recipients.ts` needs. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../plans/index.ts';
import { insertInboxItems } from './inbox-store.ts';
import {
  selectActiveMembers,
  selectPlanCreators,
  selectReviewers,
  selectThreads,
  selectVersionAuthors,
} from './people-store.ts';
import { type EventFacts, INBOX_EVENT_KINDS, recipientsOf } from './recipients.ts';

/** Handles a whole batch with a fixed number of queries. */
export async function notifyPeople(db: Db, events: OutboxEvent[]): Promise<string[]> {
  const concerning = events.filter((event) => INBOX_EVENT_KINDS.has(event.kind));
  if (concerning.length === 0) return [];
  const of = (...kinds: string[]) => concerning.filter((event) => kinds.includes(event.kind));
  const creators = await selectPlanCreators(db, unique(concerning.map(({ planId }) => planId)));
  const threads = await selectThreads(db, texts(of('comment_added'), 'commentId'));
  const authors = await selectVersionAuthors(db, texts(of('approved', 'changes_requested'), 'versionId'));
  const reviewers = await selectReviewers(db, unique(of('version_added').map(({ planId }) => planId)));

  const facts = concerning.map((event): EventFacts => {
    const { data } = event;
    const thread = threads.get(String(data.commentId));
    return {
      kind: event.kind,
      actorId: event.actorUserId,
      planCreatorId: creators.get(event.planId)!,
      versionAuthorId: authors.get(String(data.versionId)) ?? null,
      isReply: typeof data.parentId === 'string',
      threadAuthorIds: thread?.authorIds ?? [],
      mutedIds: new Set(thread?.mutedIds),
      askedIds: Array.isArray(data.userIds) ? data.userIds.map(String) : [],
      reviewerIds: reviewers.get(event.planId) ?? [],
      unchanged: data.unchanged === true,
      activeIds: new Set(),
    };
  });
  const candidates = facts.map((fact, index) => ({
    organizationId: concerning[index]!.organizationId,
    userIds: [
      fact.planCreatorId,
      fact.versionAuthorId,
      ...fact.threadAuthorIds,
      ...fact.askedIds,
      ...fact.reviewerIds,
    ],
  }));
  const active = await selectActiveMembers(
    db,
    candidates.flatMap(({ organizationId, userIds }) =>
      userIds.flatMap((userId) => (userId === null ? [] : [{ organizationId, userId }])),
    ),
  );
  const items = concerning.flatMap((event, index) => {
    const activeIds = active.get(event.organizationId) ?? new Set();
    return [...recipientsOf({ ...facts[index]!, activeIds })].map(([userId, kind]) => ({
      id: uuidv7(),
      organizationId: event.organizationId,
      userId,
      planId: event.planId,
      eventNumber: event.number,
      kind,
      at: event.createdAt,
    }));
  });
  await insertInboxItems(db, items);
  return [];
}

function texts(events: OutboxEvent[], name: string): string[] {
  return unique(events.flatMap(({ data }) => (typeof data[name] === 'string' ? [data[name]] : [])));
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
