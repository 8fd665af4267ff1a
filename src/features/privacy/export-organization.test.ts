/** The download of an organization, over HTTP. test/suites/operations/isolation.test.ts checks which rows and columns are in it. */
import { expect, it } from 'vitest';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { exportOrganization } from './export-organization.ts';
import { organizationLines } from './index.ts';

const service = await startTestService();
const { acme, db } = service;

it('200: a file with the rows of this organization, which is recorded', async () => {
  const reply = await fetch(`${service.url}/api/v2/organization/export`, {
    headers: { cookie: `countersign=${acme.admin.token}` },
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="organization.jsonl"');
  const text = await reply.text();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: 'export', organizationId: acme.id });
  expect(lines.at(-1)).toEqual({ kind: 'end', rows: lines.length - 2 });
  expect(lines.some(({ kind, row }) => kind === 'memberships' && row.user_id === acme.viewer.userId)).toBe(
    true,
  );
  const recorded = await db
    .selectFrom('audit_events')
    .select(['organization_id', 'actor_user_id'])
    .where('action', '=', 'organization.exported')
    .execute();
  expect(recorded).toEqual([{ organization_id: acme.id, actor_user_id: acme.admin.userId }]);
});

it('409: while another export of the organization runs, and not afterwards', async () => {
  const running = organizationLines(db, acme.id, service.clock.now());
  await running.next();
  const refused = await service.call(exportOrganization, {}, withSession(acme.admin));
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'An export of this organization is already running. Try again when it has ended.',
  ]);
  await running.return(0);
  expect((await service.call(exportOrganization, {}, withSession(acme.admin))).status).toBe(200);
});

it('403: a member, and a key', async () => {
  expect((await service.call(exportOrganization, {}, withSession(acme.member))).status).toBe(403);
  expect((await service.call(exportOrganization, {}, withKey(acme.admin))).status).toBe(403);
});
