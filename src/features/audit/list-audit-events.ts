/** GET /api/v2/audit-events: what happened in the organization, newest first. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readTimeCursor, timeCursorOf } from '../../platform/core/operations/page.ts';
import { type AuditEventRow, selectAuditEvents } from './audit-store.ts';
import { AuditEventPage, ListAuditEventsInput } from './contract.ts';
import { readFilter } from './read-filter.ts';

export const listAuditEvents = defineOperation({
  name: 'list-audit-events',
  group: 'Audit',
  summary: 'List the audit log',
  description: 'Sign-ins, keys, people and roles: who did what, when and from where, newest first.',
  http: { method: 'GET', path: '/api/v2/audit-events', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListAuditEventsInput,
  output: AuditEventPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectAuditEvents(db, actor.organizationId, {
      ...readFilter(input),
      before: readTimeCursor(input.cursor),
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => timeCursorOf(row.created_at, row.id));
    return { events: page.map(presentAuditEvent), nextCursor };
  },
});

function presentAuditEvent(row: AuditEventRow) {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_user_id, name: row.actor_name },
    subject: { id: row.subject_id, name: row.subject_name },
    detail: row.detail as Record<string, unknown>,
    address: row.address,
    requestId: row.request_id,
  };
}
