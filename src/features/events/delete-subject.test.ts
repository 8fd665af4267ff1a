/** A pull request that is deleted with its repository takes its events along, even while the worker handles them. */
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import {
  BY_SERVICE,
  insertPullRequest,
  lockIdlePullRequests,
  type NewPullRequest,
} from '../pull-requests/index.ts';
import { createEventOutbox } from './event-outbox.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 4,
  onConnectionLost: () => undefined,
});
const { db } = database;
afterAll(() => database.close());
const at = new Date('2026-11-15T12:00:00.000Z');

it('leaves no event, inbox item or outbox entry', async () => {
  const { id: organizationId, member } = await makeOrganization(db, 'Acme', at);
  const [id, repositoryId] = [uuidv7(), uuidv7()];
  await db
    .insertInto('repositories')
    .values({ id: repositoryId, organization_id: organizationId, name: 'acme/api', created_at: at })
    .execute();
  const pullRequest: NewPullRequest = {
    id,
    organizationId,
    repositoryId,
    number: 1,
    origin: 'git',
    title: 'A change',
    description: '',
    state: 'open',
    author: { kind: 'person', userId: member.userId, accountId: null, name: 'Member' },
    headRepository: null,
    headBranch: 'feature',
    baseBranch: 'main',
    labels: [],
    url: null,
    createdAt: at,
    updatedAt: at,
    mergedAt: null,
    closedAt: null,
  };
  const change = (await insertPullRequest(db, pullRequest, at))!;
  change.record('pull_request_opened', {});
  await change.write(BY_SERVICE);

  let deleted: Promise<unknown> = Promise.resolve();
  const blocked = () =>
    sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'delete from "repositories"%'`
      .execute(db)
      .then(({ rows }) => rows.length);
  const outbox = createEventOutbox({
    handlers: [
      async (transaction) => {
        deleted = db.deleteFrom('repositories').where('id', '=', repositoryId).execute();
        deleted.catch(() => undefined);
        await expect.poll(blocked).toBe(1);
        await sql`INSERT INTO inbox_items (id, organization_id, user_id, subject_kind, subject_id, event_number, kind, created_at)
          VALUES (${uuidv7()}, ${organizationId}, ${member.userId}, 'pull_request', ${id}, 1, 'comment', ${at})`.execute(
          transaction,
        );
        return [];
      },
    ],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: () => undefined,
    log: createLog({ level: 'silent', terminal: false }),
  });
  expect(await outbox.run(db, at)).toBe(1);
  await deleted;
  for (const table of ['pull_requests', 'events', 'inbox_items', 'event_outbox'] as const) {
    expect({ table, rows: await db.selectFrom(table).selectAll().execute() }).toEqual({ table, rows: [] });
  }
});
