/** Queries on the audit log. */
import { sql } from 'kysely';
import type { CredentialKind } from '../../platform/core/operations/actor.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, deleteInBatches } from '../../platform/db/index.ts';

export interface AuditSource {
  organizationId: string;
  kind: CredentialKind | 'operator' | 'anonymous' | 'service';
  userId: string | null;
  address: string | null;
  requestId: string | null;
  at: Date;
}

export interface AuditEntry {
  action: string;
  subjectId?: string;
  subjectName?: string;
  detail?: Record<string, unknown>;
}

/** Inserts one record for each source; there must be at least one source. */
export async function insertAuditEvents(db: Db, sources: AuditSource[], entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_events')
    .values(
      sources.map((source) => ({
        id: uuidv7(),
        organization_id: source.organizationId,
        created_at: source.at,
        action: entry.action,
        actor_kind: source.kind,
        actor_user_id: source.userId,
        subject_id: entry.subjectId ?? null,
        subject_name: entry.subjectName ?? null,
        detail: JSON.stringify(entry.detail ?? {}),
        address: source.address,
        request_id: source.requestId,
      })),
    )
    .execute();
}

export interface AuditFilter {
  action?: string;
  userId?: string;
  from?: Date;
  until?: Date;
  before?: { at: Date; id: string };
  limit: number;
}

export function selectAuditEvents(db: Db, organizationId: string, filter: AuditFilter) {
  return db
    .selectFrom('audit_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_user_id')
    .select([
      'e.id',
      'e.created_at',
      'e.action',
      'e.actor_kind',
      'e.actor_user_id',
      'u.name as actor_name',
      'e.subject_id',
      'e.subject_name',
      'e.detail',
      'e.address',
      'e.request_id',
    ])
    .where('e.organization_id', '=', organizationId)
    .$if(filter.action !== undefined, (query) => query.where('e.action', '=', filter.action!))
    .$if(filter.userId !== undefined, (query) => query.where('e.actor_user_id', '=', filter.userId!))
    .$if(filter.from !== undefined, (query) => query.where('e.created_at', '>=', filter.from!))
    .$if(filter.until !== undefined, (query) => query.where('e.created_at', '<', filter.until!))
    .$if(filter.before !== undefined, (query) =>
      query.where(sql<boolean>`(e.created_at, e.id) < (${filter.before!.at}, ${filter.before!.id}::uuid)`),
    )
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(filter.limit)
    .execute();
}

export type AuditEventRow = Awaited<ReturnType<typeof selectAuditEvents>>[number];

export function deleteOldAuditEvents(db: Db, before: Date): Promise<void> {
  return deleteInBatches(
    db,
    (limit) => sql`DELETE FROM audit_events WHERE id IN (
      SELECT id FROM audit_events WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}

/** The log keeps what was done in a person's organizations, but not their name, IP address or email addresses. */
export async function clearPerson(
  db: Db,
  { id, name }: { id: string; name: string },
  { emails, newName }: { emails: string[]; newName: string },
): Promise<void> {
  const member = sql`organization_id IN (SELECT organization_id FROM memberships WHERE user_id = ${id})`;
  await sql`UPDATE audit_events SET address = NULL WHERE ${member} AND actor_user_id = ${id}`.execute(db);
  await sql`UPDATE audit_events SET subject_name = ${newName}
    WHERE ${member} AND (subject_id = ${id} OR subject_name = ANY(${emails}::text[]))`.execute(db);
  for (const [text, replacement] of [
    ...emails.map((email) => [email, 'deleted']),
    [JSON.stringify(name), JSON.stringify(newName)],
  ]) {
    await sql`UPDATE audit_events SET detail = replace(detail::text, ${text}, ${replacement})::jsonb
      WHERE ${member} AND position(${text} in detail::text) > 0`.execute(db);
  }
}
