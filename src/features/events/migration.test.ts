/** Plan events, inbox items and unhandled events from before the common event log are kept. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { makeOrganizationRow, makeUser } from '../../../test/helpers/service/factories.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, migrate, openDatabase } from '../../platform/db/index.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { lockIdlePullRequests } from '../pull-requests/index.ts';
import { createEventOutbox, type OutboxEvent } from './event-outbox.ts';
import { selectEventsAfter } from './event-store.ts';

afterAll(cleanUp);

const MIGRATIONS = join(import.meta.dirname, '../../platform/db/migrations');
const log = createLog({ level: 'silent', terminal: false });

/** Where a table is stored; a rewrite would change it. */
async function fileOf(db: Db, table: string): Promise<unknown> {
  return (await sql`SELECT pg_relation_filenode(${table}) AS file`.execute(db)).rows;
}

it('keeps them without rewriting a table', async () => {
  const connection = await createTestDatabase({ migrated: false });
  const earlier = temporaryFolder();
  for (const name of readdirSync(MIGRATIONS).filter((file) => file < '0010')) {
    cpSync(join(MIGRATIONS, name), join(earlier, name));
  }
  await migrate(connection, log, earlier);
  const database = await openDatabase(connection, { poolSize: 2, onConnectionLost: () => undefined });
  const { db } = database;
  const organizationId = await makeOrganizationRow(db, 'Acme', new Date());
  const member = await makeUser(db, { name: 'Mia', email: 'mia@acme.example' }, new Date());
  const [planId, at] = [uuidv7(), new Date('2026-01-31T12:00:00.000Z')];
  await sql`INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at, updated_at,
      version, content_since, last_event, comment_count)
    VALUES (${planId}, ${organizationId}, ${uuidv7()}, 'pending', 'A plan', 'codex', ${member.id}, ${at}, ${at}, 1, 1, 2, 0)`.execute(
    db,
  );
  await sql`INSERT INTO plan_events (plan_id, number, organization_id, kind, actor_kind, data, created_at)
    SELECT ${planId}, n, ${organizationId}, 'status_changed', 'service', '{"to": "closed"}', ${at}
    FROM generate_series(1, 2) n`.execute(db);
  await sql`INSERT INTO plan_outbox VALUES (${planId}, ${organizationId}, 1)`.execute(db);
  await sql`INSERT INTO inbox_items (id, organization_id, user_id, plan_id, event_number, kind, created_at)
    VALUES (${uuidv7()}, ${organizationId}, ${member.id}, ${planId}, 1, 'comment', ${at})`.execute(db);
  const before = [await fileOf(db, 'plan_events'), await fileOf(db, 'inbox_items')];

  await migrate(connection, log);
  expect([await fileOf(db, 'events'), await fileOf(db, 'inbox_items')]).toEqual(before);
  const events = await selectEventsAfter(db, planId, 0, 10);
  expect(events.map(({ data, number }) => [number, data])).toEqual([
    ['1', { to: 'closed' }],
    ['2', { to: 'closed' }],
  ]);
  const items = await db
    .selectFrom('inbox_items')
    .select(['subject_kind', 'subject_id', 'event_number'])
    .execute();
  expect(items).toEqual([{ subject_kind: 'plan', subject_id: planId, event_number: '1' }]);
  const handled: OutboxEvent[] = [];
  const outbox = createEventOutbox({
    handlers: [
      async (_db, some) => {
        handled.push(...some);
        return [];
      },
    ],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: () => undefined,
    log,
  });
  await outbox.run(db, at);
  expect(handled.map(({ number, subjectId, subjectKind }) => [subjectKind, subjectId, number])).toEqual([
    ['plan', planId, '2'],
  ]);
  await database.close();
});
