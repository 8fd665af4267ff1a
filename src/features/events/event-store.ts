/** Queries for events. */
import { type RawBuilder, sql } from 'kysely';
import type { CredentialKind } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SubjectKind } from './subject.ts';

export interface ChangeSource {
  kind: CredentialKind | 'service';
  userId: string | null;
  /** Null if the service itself is the actor. */
  credentialId: string | null;
}

export interface NewEvent<Kind extends string = string> {
  number: number;
  kind: Kind;
  data: Record<string, unknown>;
  /** Default: who makes the change. */
  by?: ChangeSource | undefined;
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
      events.map(({ by, data, kind, number }) => ({
        ...subject,
        number,
        kind,
        actor_kind: by ? by.kind : source.actorKind,
        actor_user_id: by ? by.userId : source.actorUserId,
        actor_credential_id: by ? by.credentialId : source.actorCredentialId,
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

/** Part of a statement: up to `limit` events from before a time, as `subject_id` and `number`. An event that was not handled yet is kept. */
export function oldEvents(before: Date, limit: number): RawBuilder<unknown> {
  return sql`SELECT subject_id, number FROM events e WHERE created_at < ${before}
      AND NOT EXISTS (SELECT FROM event_outbox o WHERE o.subject_id = e.subject_id AND o.handled < e.number)
    LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/** Part of a statement: deletes the events of `old`, a part of it that has their `subject_id` and `number`. */
export function deleteEvents(old: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`DELETE FROM events e USING ${old} AS old WHERE (e.subject_id, e.number) = (old.subject_id, old.number)`;
}

/** All events of a subject that is deleted; its inbox items must be gone. */
export async function deleteEventsOf(db: Db, organizationId: string, subjectId: string): Promise<void> {
  await db
    .deleteFrom('events')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', subjectId)
    .execute();
}

/** From now on nobody hears of the subject's events. */
export async function removeFromOutbox(db: Db, organizationId: string, subjectId: string): Promise<void> {
  await db
    .deleteFrom('event_outbox')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', subjectId)
    .execute();
}

/**
 * Parts of a statement that writes events of a locked subject along with what happened. `rows` has the columns `subject_id`, `number`,
 * `organization_id`, `kind`, `actor_kind`, `actor_user_id`, `actor_credential_id`, `data` and `created_at` in this order.
 */
export function insertEventRows(subjectKind: SubjectKind, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`INSERT INTO events (subject_kind, subject_id, number, organization_id, kind, actor_kind, actor_user_id,
      actor_credential_id, data, created_at)
    SELECT ${subjectKind}::text, r.* FROM (${rows}) AS r`;
}

/** `rows` has the columns `subject_id`, `organization_id` and `handled`, the number of the last event before. */
export function insertOutboxRows(subjectKind: SubjectKind, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`INSERT INTO event_outbox (subject_kind, subject_id, organization_id, handled)
    SELECT ${subjectKind}::text, r.* FROM (${rows}) AS r ON CONFLICT DO NOTHING`;
}
