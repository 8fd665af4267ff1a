/** GET /api/v2/audit-events.csv: streams the whole audit log as a file, in the memory of one batch. */
import { type Context, defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { type AuditEventRow, type AuditFilter, selectAuditEvents } from './audit-store.ts';
import { AuditCsv, ExportAuditEventsInput } from './contract.ts';
import { csvLine } from './csv.ts';
import { readFilter } from './read-filter.ts';

const BATCH = 500;

const COLUMNS: Record<string, (row: AuditEventRow) => string | null> = {
  time: (row) => row.created_at.toISOString(),
  action: (row) => row.action,
  'actor kind': (row) => row.actor_kind,
  'actor name': (row) => row.actor_name,
  'actor id': (row) => row.actor_user_id,
  'subject name': (row) => row.subject_name,
  'subject id': (row) => row.subject_id,
  detail: (row) => (Object.keys(row.detail as object).length === 0 ? null : JSON.stringify(row.detail)),
  address: (row) => row.address,
  'request id': (row) => row.request_id,
  id: (row) => row.id,
};

export const exportAuditEvents = defineOperation({
  name: 'export-audit-events',
  group: 'Audit',
  summary: 'Export the audit log as CSV',
  description:
    'The whole log, or the events that match the filters, newest first. Values that a spreadsheet would run as a formula are prefixed with an apostrophe.',
  http: {
    method: 'GET',
    path: '/api/v2/audit-events.csv',
    status: 200,
    download: { contentType: 'text/csv; charset=utf-8', fileName: 'audit-log.csv' },
  },
  accepts: ['session'],
  role: 'admin',
  input: ExportAuditEventsInput,
  output: AuditCsv,
  problems: [],
  async run(context, input) {
    const filter = { ...readFilter(input), limit: BATCH };
    const first = await selectAuditEvents(context.db, context.actor.organizationId, filter);
    return writeCsv(context, filter, first) as never;
  },
});

async function* writeCsv(
  { actor, db, stillAllowed }: Context,
  filter: AuditFilter,
  first: AuditEventRow[],
): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  for (let rows = first; rows.length > 0; ) {
    yield rows.map((row) => csvLine(Object.values(COLUMNS).map((column) => column(row)))).join('');
    if (rows.length < BATCH) return;
    if (!(await stillAllowed())) throw new Problem('unauthenticated', 'The session has ended.');
    const { created_at: at, id } = rows.at(-1)!;
    rows = await selectAuditEvents(db, actor.organizationId, { ...filter, before: { at, id } });
  }
}
