/** Deletes rows past their retention period, a thousand at a time, so that no lock is held for long. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

const BATCH = 1000;

/** Runs a statement that deletes up to a batch and returns one row for each, until nothing is left. */
async function inBatches(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  while ((await statement.execute(db)).rows.length === BATCH);
}

/** With the inbox items that they caused. An event that was not handled yet is kept. */
export function deleteOldEvents(db: Db, before: Date): Promise<void> {
  return inBatches(
    db,
    sql`
      WITH old AS (
        SELECT subject_id, number FROM events e WHERE created_at < ${before}
          AND NOT EXISTS (SELECT FROM event_outbox o WHERE o.subject_id = e.subject_id AND o.handled < e.number)
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      items AS (DELETE FROM inbox_items i USING old WHERE (i.subject_id, i.event_number) = (old.subject_id, old.number))
      DELETE FROM events e USING old WHERE (e.subject_id, e.number) = (old.subject_id, old.number)
      RETURNING 1`,
  );
}

export function deleteOldAuditEvents(db: Db, before: Date): Promise<void> {
  return inBatches(
    db,
    sql`
      DELETE FROM audit_events WHERE id IN (
        SELECT id FROM audit_events WHERE created_at < ${before} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`,
  );
}

/** A session is deleted with its last event. */
export async function deleteOldPlannerSessions(db: Db, before: Date): Promise<void> {
  await inBatches(
    db,
    sql`
      DELETE FROM planner_events WHERE id IN (
        SELECT id FROM planner_events WHERE created_at < ${before} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`,
  );
  await inBatches(
    db,
    sql`
      DELETE FROM planner_sessions WHERE (organization_id, id) IN (
        SELECT organization_id, id FROM planner_sessions s WHERE last_event_at < ${before}
          AND NOT EXISTS (SELECT FROM planner_events e WHERE e.organization_id = s.organization_id AND e.session_id = s.id)
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING 1`,
  );
}
