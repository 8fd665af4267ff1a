/** The audit records added since a test last looked. */
import type { Db } from '../../../src/platform/db/index.ts';

export type AuditTrail = () => Promise<AuditRecord[]>;

export interface AuditRecord {
  action: string;
  organizationId: string;
  kind: string;
  userId: string | null;
  subjectId: string | null;
  subjectName: string | null;
  detail: unknown;
}

/** Each call returns the records since the previous call, oldest first. */
export async function followAudit(db: Db): Promise<AuditTrail> {
  const seen = new Set<string>();
  const next = async () => {
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const fresh = rows.filter((row) => !seen.has(row.id));
    for (const row of fresh) seen.add(row.id);
    return fresh.map((row) => ({
      action: row.action,
      organizationId: row.organization_id,
      kind: row.actor_kind,
      userId: row.actor_user_id,
      subjectId: row.subject_id,
      subjectName: row.subject_name,
      detail: row.detail,
    }));
  };
  await next();
  return next;
}
