/** Queries for events. */
import type { CredentialKind } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SubjectKind } from './subject.ts';

export interface NewEvent<Kind extends string = string> {
  number: number;
  kind: Kind;
  data: Record<string, unknown>;
}

export interface EventSource {
  subjectKind: SubjectKind;
  subjectId: string;
  organizationId: string;
  actorKind: CredentialKind | 'service';
  actorUserId: string | null;
  /** Null if the service itself is the actor. */
  actorCredentialId: string | null;
  at: Date;
}

/**
 * Writes events and adds their subject to the outbox. The subject's row must be locked, because the numbers continue its
 * last one.
 */
export async function insertEvents(db: Db, source: EventSource, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const subject = {
    subject_id: source.subjectId,
    subject_kind: source.subjectKind,
    organization_id: source.organizationId,
  };
  await db
    .insertInto('events')
    .values(
      events.map(({ data, kind, number }) => ({
        ...subject,
        number,
        kind,
        actor_kind: source.actorKind,
        actor_user_id: source.actorUserId,
        actor_credential_id: source.actorCredentialId,
        data: JSON.stringify(data),
        created_at: source.at,
      })),
    )
    .execute();
  await db
    .insertInto('event_outbox')
    .values({ ...subject, handled: events[0]!.number - 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function eventsOf(db: Db, subjectId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_user_id')
    .select([
      'e.number',
      'e.kind',
      'e.actor_kind',
      'e.actor_user_id',
      'e.actor_credential_id',
      'u.name as actor_name',
      'e.data',
      'e.created_at',
    ])
    .where('e.subject_id', '=', subjectId);
}

/** The events after this number, oldest first. */
export function selectEventsAfter(db: Db, subjectId: string, number: number, limit: number) {
  return eventsOf(db, subjectId)
    .where('e.number', '>', String(number))
    .orderBy('e.number')
    .limit(limit)
    .execute();
}

export type EventRow = Awaited<ReturnType<typeof selectEventsAfter>>[number];

/** The events before this number, newest first. */
export function selectEventsBefore(
  db: Db,
  subjectId: string,
  number: number | undefined,
  limit: number,
): Promise<EventRow[]> {
  return eventsOf(db, subjectId)
    .$if(number !== undefined, (query) => query.where('e.number', '<', String(number)))
    .orderBy('e.number', 'desc')
    .limit(limit)
    .execute();
}
