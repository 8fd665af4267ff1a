/** Queries that delete events, which takes the inbox items that they caused. */
import { sql } from 'kysely';
import { type Db, deleteInBatches } from '../../platform/db/index.ts';
import { deleteEvents, deleteEventsOf, oldEvents, removeFromOutbox } from '../events/index.ts';

export function deleteOldEvents(db: Db, before: Date): Promise<void> {
  return deleteInBatches(
    db,
    (limit) => sql`WITH old AS (${oldEvents(before, limit)}),
      items AS (DELETE FROM inbox_items i USING old WHERE (i.subject_id, i.event_number) = (old.subject_id, old.number))
      ${deleteEvents(sql`old`)}`,
  );
}

/** The subject is deleted. */
export async function forgetSubject(db: Db, organizationId: string, subjectId: string): Promise<void> {
  await removeFromOutbox(db, organizationId, subjectId);
  await db
    .deleteFrom('inbox_items')
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', subjectId)
    .execute();
  await deleteEventsOf(db, organizationId, subjectId);
}
