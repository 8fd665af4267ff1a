/** Adds events to the inboxes of their recipients. Who is involved in an event depends on the kind of its subject. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent, SubjectKind } from '../events/index.ts';
import { selectActiveByOrganization } from '../memberships/index.ts';
import { deleteCommentItems, insertInboxItems, markSettledRead, replaceRequests } from './inbox-store.ts';
import { loadCodeHostInterest } from './load-code-host-interest.ts';
import { loadMentions } from './load-mentions.ts';
import { loadPlanInterest } from './load-plan-interest.ts';
import { loadPullRequestInterest } from './load-pull-request-interest.ts';
import { loadSecretInterest } from './load-secret-interest.ts';
import { asksForReviews, endsConflicts, isOver } from './pull-request-interest.ts';
import { type Interest, recipientsOf } from './recipients.ts';

/** The people involved in each event; events that concern nobody may be missing. */
type LoadInterest = (db: Db, events: OutboxEvent[]) => Promise<Map<OutboxEvent, Interest[]>>;

const INTEREST: Record<SubjectKind, LoadInterest> = {
  plan: loadPlanInterest,
  pull_request: loadPullRequestInterest,
  code_host: loadCodeHostInterest,
};

/** Handles a whole batch with a fixed number of queries. */
export async function notifyPeople(db: Db, events: OutboxEvent[], now: Date): Promise<string[]> {
  const interests = new Map<OutboxEvent, Interest[]>();
  for (const [kind, some] of Map.groupBy(events, (event) => event.subjectKind)) {
    for (const [event, interested] of await INTEREST[kind](db, some)) interests.set(event, interested);
  }
  for (const [event, userIds] of await loadSecretInterest(db, events))
    interests.set(
      event,
      userIds.map((userId) => [userId, 'leaked_secret']),
    );
  for (const [event, userIds] of await loadMentions(db, events, now))
    interests.set(event, withMentions(interests.get(event) ?? [], userIds));
  const people = [...interests].flatMap(([{ organizationId }, interested]) =>
    interested.map(([userId]) => ({ organizationId, userId })),
  );
  const settled = events.flatMap((event) => {
    const { createdAt: at, number, subjectId } = event;
    return endsConflicts(event) ? [{ subjectId, number, at, isOver: isOver(event) }] : [];
  });
  // Before and after: a request that comes again after closing replaces one that closing settled.
  await markSettledRead(db, settled);
  if (people.length > 0) {
    await notify(db, events, interests, people);
    await markSettledRead(db, settled);
  }
  const deleted = events.flatMap(({ data, kind, subjectId }) =>
    kind === 'discussion_edited' && data.deleted === true && typeof data.commentId === 'string'
      ? [{ subjectId, commentId: data.commentId }]
      : [],
  );
  await deleteCommentItems(db, deleted);
  return [];
}

/** A mention says more than a comment or reply, and less than a decision. */
function withMentions(interested: Interest[], userIds: string[]): Interest[] {
  const isLess = ([, kind]: Interest) => kind === 'comment' || kind === 'reply' || kind === 'new_version';
  return [
    ...interested.filter((one) => !isLess(one)),
    ...userIds.map((userId): Interest => [userId, 'mentioned']),
    ...interested.filter(isLess),
  ];
}

async function notify(
  db: Db,
  events: OutboxEvent[],
  interests: Map<OutboxEvent, Interest[]>,
  people: { organizationId: string; userId: string }[],
): Promise<void> {
  const active = await selectActiveByOrganization(db, people);
  // In the order of the events: the inbox is sorted by the IDs of its items.
  const items = events.flatMap((event) => {
    const interested = interests.get(event) ?? [];
    const { actorUserId: actorId, organizationId, subjectId, subjectKind } = event;
    const activeIds = active.get(organizationId) ?? new Set();
    return [...recipientsOf({ actorId, interested, activeIds })].map(([userId, kind]) => ({
      id: uuidv7(),
      organizationId,
      userId,
      subjectKind,
      subjectId,
      eventNumber: event.number,
      kind,
      at: event.createdAt,
      isAgain: asksForReviews(event) && (kind === 'review_requested' || kind === 'team_review_requested'),
    }));
  });
  const again = Map.groupBy(
    items.filter(({ isAgain }) => isAgain),
    ({ subjectId, userId }) => `${userId} ${subjectId}`,
  );
  // The last of several in one batch: what is closed between settles those before.
  const requests = await replaceRequests(
    db,
    [...again.values()].map((ofPerson) => ofPerson.at(-1)!),
  );
  await insertInboxItems(
    db,
    items.filter((item) => !item.isAgain || requests.includes(item)),
  );
}
