/** Queries for the outbox of events: the next events, and how far each subject's events have been handled. */
import { type Expression, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { SubjectKind } from './subject.ts';

const SUBJECTS_AT_ONCE = 20;

export interface OutboxEvent {
  subjectKind: SubjectKind;
  subjectId: string;
  number: string;
  organizationId: string;
  kind: string;
  actorKind: 'key' | 'session' | 'oauth' | 'service';
  actorUserId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** One subject, or the next ones in order of ID, with exceptions. */
export type Which = { subjectId: string } | { after: string; except: string[] };

export interface Subject {
  kind: SubjectKind;
  id: string;
}

export interface Batch {
  events: OutboxEvent[];
  /** The subjects in this batch, in order of ID. */
  subjects: Subject[];
  /** Whether some subject may have more events. */
  full: boolean;
}

interface ClaimedRow {
  subject_kind: SubjectKind;
  subject_id: string;
  number: string | null;
  organization_id: string;
  kind: string;
  actor_kind: OutboxEvent['actorKind'];
  actor_user_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

type ClaimedEvent = ClaimedRow & { number: string };

function matching(which: Which) {
  if ('subjectId' in which) return sql`subject_id = ${which.subjectId}`;
  return sql`subject_id > ${which.after} AND subject_id <> ALL(${which.except}::uuid[])`;
}

/** Locks subjects that no other worker has locked and returns their next events. */
export async function claimEvents(db: Db, which: Which, eventsPerSubject: number): Promise<Batch> {
  const { rows } = await sql<ClaimedRow>`
    WITH held AS MATERIALIZED (
      SELECT subject_id, subject_kind, handled FROM event_outbox WHERE ${matching(which)}
      ORDER BY subject_id LIMIT ${sql.lit(SUBJECTS_AT_ONCE)} FOR UPDATE SKIP LOCKED
    )
    SELECT held.subject_kind, held.subject_id, e.number, e.organization_id, e.kind, e.actor_kind, e.actor_user_id, e.data,
      e.created_at
    FROM held LEFT JOIN LATERAL (
      SELECT * FROM events WHERE subject_id = held.subject_id AND number > held.handled
      ORDER BY number LIMIT ${eventsPerSubject}
    ) e ON true
    ORDER BY held.subject_id, e.number`.execute(db);
  const bySubject = Map.groupBy(rows, (row) => row.subject_id);
  const subjects = [...bySubject].map(([id, [row]]) => ({ kind: row!.subject_kind, id }));
  const events = oldestFirst(rows.filter((row): row is ClaimedEvent => row.number !== null));
  const full = [...bySubject.values()].some(
    (found) => found.length === eventsPerSubject && found[0]!.number !== null,
  );
  return { events, subjects, full };
}

/** Ordered by time across subjects, and by number within a subject even if the clocks of nodes disagree. */
function oldestFirst(rows: ClaimedEvent[]): OutboxEvent[] {
  let [subjectId, at] = ['', 0];
  const timed = rows.map((row) => {
    at = Math.max(subjectId === row.subject_id ? at : 0, row.created_at.getTime());
    subjectId = row.subject_id;
    return { at, event: fromRow(row) };
  });
  return timed.sort((left, right) => left.at - right.at).map(({ event }) => event);
}

function fromRow(row: ClaimedEvent): OutboxEvent {
  return {
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    number: row.number,
    organizationId: row.organization_id,
    kind: row.kind,
    actorKind: row.actor_kind,
    actorUserId: row.actor_user_id,
    data: row.data,
    createdAt: row.created_at,
  };
}

/** Called last before the commit, because writers of the subject's events wait for this row. */
export async function markHandled(db: Db, events: { subjectId: string; number: string }[]): Promise<void> {
  await sql`UPDATE event_outbox o SET handled = done.number
    FROM (SELECT subject_id, max(number) AS number
      FROM unnest(${events.map((event) => event.subjectId)}::uuid[], ${events.map((event) => event.number)}::bigint[])
        AS handled (subject_id, number) GROUP BY subject_id) AS done
    WHERE o.subject_id = done.subject_id`.execute(db);
}

/**
 * A query that locks the rows of those subjects that nobody else has locked, and selects their `id` and `last_event`. It is
 * not executed on its own: `removeFinished` runs it in its own statement, so that the lock is as short as possible.
 */
export type LockIdle = (db: Db, subjectIds: string[]) => Expression<{ id: string; last_event: string }>;

/** Removes subjects whose events were all handled. The lock makes sure that no event is being written. */
export async function removeFinished(db: Db, subjectIds: string[], lockIdle: LockIdle): Promise<void> {
  await sql`
    WITH idle AS (${lockIdle(db, subjectIds)})
    DELETE FROM event_outbox o USING idle WHERE o.subject_id = idle.id AND o.handled = idle.last_event`.execute(
    db,
  );
}

export async function subjectsAfter(db: Db, which: Which): Promise<Subject[]> {
  const { rows } = await sql<Subject>`SELECT subject_kind AS kind, subject_id AS id FROM event_outbox
    WHERE ${matching(which)} ORDER BY subject_id LIMIT ${sql.lit(SUBJECTS_AT_ONCE)}`.execute(db);
  return rows;
}
