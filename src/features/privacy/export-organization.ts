/** GET /api/v2/organization/export: streams everything in the organization as a file. */
import { type Context, defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ExportOrganizationInput, OrganizationExport } from './contract.ts';
import { organizationLines } from './organization-lines.ts';

export const exportOrganization = defineOperation({
  name: 'export-organization',
  group: 'Organization',
  summary: 'Export the organization as JSON lines',
  description:
    'A consistent snapshot of all rows, one JSON object per line, without password hashes, keys and encrypted credentials. Source code is not included. The last line has the number of rows: without it, the file is incomplete.',
  http: {
    method: 'GET',
    path: '/api/v2/organization/export',
    status: 200,
    download: { contentType: 'application/jsonl; charset=utf-8', fileName: 'organization.jsonl' },
  },
  accepts: ['session'],
  role: 'admin',
  input: ExportOrganizationInput,
  output: OrganizationExport,
  problems: ['conflict'],
  async run(context) {
    const { actor, clock, db, stillAllowed } = context;
    const exported = organizationLines(db, actor.organizationId, clock.now());
    // Refuses a second export before the reply begins.
    const first = await exported.next();
    await recordAudit(db, callerOf(context), { action: 'organization.exported' });
    return linesWhileAllowed(String(first.value), exported, stillAllowed) as never;
  },
});

async function* linesWhileAllowed(
  first: string,
  others: AsyncIterable<string>,
  stillAllowed: Context['stillAllowed'],
): AsyncGenerator<string> {
  yield first;
  for await (const lines of others) {
    if (!(await stillAllowed())) throw new Problem('unauthenticated', 'The session has ended.');
    yield lines;
  }
}
