/** Timed jobs delete rows past their retention period, and nothing else. */
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { act, postPlan } from '../../../test/helpers/rows/plans.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { readConfig } from '../../config.ts';
import { jobs } from '../../jobs.ts';
import type { Retention } from '../../platform/core/ports/retention.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { TimedJob } from '../../platform/queue/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const service = await startTestService({ connection: await createTestDatabase() });
const { acme, db } = service;

/** Runs the timed jobs that delete old rows, with these settings, the given number of days from now. */
async function run(settings: Record<string, string>, days: number): Promise<void> {
  const { retention } = readConfig(settings);
  const cleanups = jobs.filter(({ name }) =>
    ['events', 'planner-sessions', 'audit-events', 'webhook-deliveries', 'mails'].includes(
      name.replace('delete-old-', ''),
    ),
  );
  expect(cleanups).toHaveLength(5);
  const now = new Date(Date.now() + days * DAY_MS);
  for (const { run } of cleanups as TimedJob<{ retention: Retention }>[]) await run(db, now, { retention });
}
const ALL = {
  EVENT_RETENTION_DAYS: '10',
  AUDIT_RETENTION_DAYS: '10',
  PLANNER_SESSION_RETENTION_DAYS: '10',
  WEBHOOK_DELIVERY_RETENTION_DAYS: '10',
  MAIL_RETENTION_DAYS: '10',
};
const TABLES = [
  'events',
  'inbox_items',
  'audit_events',
  'planner_events',
  'planner_sessions',
  'mails',
] as const;
const counts = async () => {
  const found: Record<string, number> = {};
  for (const table of TABLES) {
    const rows = await db.selectFrom(table).select('organization_id').execute();
    found[table] = rows.length;
  }
  return found;
};

it('keeps everything for its time, and an event that was not handled for as long as that takes', async () => {
  const { body: plan } = await postPlan(service, acme.member);
  await act(service, acme.admin, plan, 'approve', { versionId: plan.versionId });
  const [event] = await db.selectFrom('events').selectAll().orderBy('number').execute();
  const of = { organization_id: acme.id, user_id: acme.member.userId };
  const { subject_id, subject_kind } = event!;
  const at = service.clock.now();
  const item = { subject_id, subject_kind, event_number: event!.number, kind: 'comment' as const };
  await db
    .insertInto('inbox_items')
    .values({ id: uuidv7(), ...of, ...item, created_at: at })
    .execute();
  const mail = { digest: false, item_ids: [], state: 'sent' as const, attempts: 1 };
  await db
    .insertInto('mails')
    .values({ id: uuidv7(), ...of, ...mail, created_at: at, due_at: at })
    .execute();
  await service.request('POST', '/api/v2/mcp-sessions/events', {
    as: { key: acme.member.key },
    body: { sessionId: plan.seriesId, eventType: 'started' },
  });
  const before = await counts();
  expect(
    Object.values(before).every((count) => count > 0),
    JSON.stringify(before),
  ).toBe(true);

  await run({}, 29);
  await run(ALL, 9);
  expect(await counts()).toEqual(before);
  await run({}, 31);
  expect(await counts()).toEqual({ ...before, mails: 0 });

  await run(ALL, 11);
  const unhandled = { ...before, mails: 0, audit_events: 0, planner_events: 0, planner_sessions: 0 };
  expect(await counts()).toEqual(unhandled);
  await db.deleteFrom('event_outbox').execute();
  await run(ALL, 11);
  expect(await counts()).toEqual({ ...unhandled, events: 0, inbox_items: 0 });
});

it('refuses a time that is none, and names every such setting', () => {
  expect(() => readConfig({ AUDIT_RETENTION_DAYS: '-1', SESSION_IDLE_DAYS: '0' })).toThrow(
    /SESSION_IDLE_DAYS must be an integer from 1 to 365[\s\S]*AUDIT_RETENTION_DAYS must be an integer from 0 to 36,500/,
  );
});
