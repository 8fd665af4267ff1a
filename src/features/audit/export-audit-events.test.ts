/** The audit log as a CSV file, over HTTP. */
import { expect, it } from 'vitest';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { exportAuditEvents } from './export-audit-events.ts';
import { operatorOf, recordAudit } from './index.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;

async function exported(query = '', token = acme.admin.token) {
  const reply = await fetch(`${service.url}/api/v2/audit-events.csv${query}`, {
    headers: { cookie: `countersign=${token}` },
  });
  return { reply, lines: (await reply.text()).split('\r\n') };
}

async function record(count: number, subjectName: string, organizationId = acme.id): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (let n = 0; n < count; n += 1) {
      const at = new Date(clock.now().getTime() + n);
      await recordAudit(transaction, operatorOf(organizationId, at), {
        action: 'member.added',
        subjectName,
        detail: { role: 'member' },
      });
    }
  });
}

it('200: a file with a line for each event of this organization, newest first, over several batches', async () => {
  await record(1203, 'Grace');
  await record(2, 'Mallory', globex.id);
  const { lines, reply } = await exported('?action=member.added');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(lines[0]).toBe(
    'time,action,actor kind,actor name,actor id,subject name,subject id,detail,address,request id,id',
  );
  const events = lines.slice(1, -1);
  expect([events.length, lines.at(-1)]).toEqual([1203, '']);
  expect(
    events.every((line) => line.includes(',member.added,operator,,,Grace,,"{""role"":""member""}",')),
  ).toBe(true);
  const times = events.map((line) => line.split(',', 1)[0]!);
  expect(times).toEqual(times.toSorted().reverse());
  expect(new Set(events).size).toBe(1203);
});

it('200: has the filters of the list, and neutralizes formulas', async () => {
  const from = new Date(clock.now().getTime() + 60_000);
  clock.advance(60_000);
  await record(1, '=cmd|calc');
  const { lines } = await exported(`?from=${from.toISOString()}`);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(`,"'=cmd|calc",`);
  expect((await exported(`?until=2020-01-01T00:00:00Z`)).lines).toHaveLength(2);
  expect((await exported(`?userId=${acme.viewer.userId}&action=switch.moved`)).lines).toHaveLength(2);
});

it('403: a member, and a key', async () => {
  expect((await service.call(exportAuditEvents, {}, withSession(acme.member))).status).toBe(403);
  expect((await service.call(exportAuditEvents, {}, withKey(acme.admin))).status).toBe(403);
});

it('400: a filter that the list rejects too', async () => {
  expect((await service.call(exportAuditEvents, { from: 'yesterday' }, withSession(acme.admin))).status).toBe(
    400,
  );
});
