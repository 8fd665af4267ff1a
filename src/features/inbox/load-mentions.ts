/** Finds whom the texts of events mention for the first time, for a whole batch of events. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { membersOf } from '../teams/index.ts';
import { insertMentions, selectReaders } from './mention-store.ts';
import { namedInTexts } from './named-in-texts.ts';

/** Only active people who can see the repository; of others it isn't kept that they were mentioned. */
export async function loadMentions(
  db: Db,
  events: OutboxEvent[],
  now: Date,
): Promise<Map<OutboxEvent, string[]>> {
  const named = await namedInTexts(db, events);
  if (named.length === 0) return new Map();
  const members = await membersOf(
    db,
    named.flatMap(({ teams }) => teams.map(({ id }) => id)),
  );
  const wanted = named.flatMap(({ event, sourceId, teams, userIds }) =>
    [...userIds, ...teams.flatMap(({ id }) => members.get(id) ?? [])].map((userId) => ({
      event,
      sourceId,
      userId,
    })),
  );
  const readers = await selectReaders(
    db,
    wanted.flatMap(({ event, userId }) =>
      event.subjectKind === 'pull_request' ? [{ pullRequestId: event.subjectId, userId }] : [],
    ),
  );
  const visible = wanted.filter(
    ({ event, userId }) =>
      event.subjectKind !== 'pull_request' || readers.has(`${event.subjectId} ${userId}`),
  );
  const inserted = await insertMentions(
    db,
    visible.map(({ event, sourceId, userId }) => ({
      sourceId,
      userId,
      organizationId: event.organizationId,
    })),
    now,
  );
  const isNew = new Set(inserted.map(({ source_id, user_id }) => `${source_id} ${user_id}`));
  const mentions = new Map<OutboxEvent, string[]>();
  // In the first event of the batch that has the text.
  for (const { event, sourceId, userId } of visible)
    if (isNew.delete(`${sourceId} ${userId}`)) mentions.set(event, [...(mentions.get(event) ?? []), userId]);
  return mentions;
}
