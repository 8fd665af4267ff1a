/** The core of the service on PostgreSQL 15, the oldest that is supported. `npm run test:postgres15` runs all tests on it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { restoreBackup, verifyBackup, writeBackup } from '../../../src/platform/backup/index.ts';
import { describeSchema } from '../../../src/platform/db/describe-schema.ts';
import { type Connection, migrate, withConnection } from '../../../src/platform/db/index.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { fillTables, readAllRows } from '../../helpers/database/fill-tables.ts';
import { findPostgres15, startPostgres15 } from '../../helpers/database/postgres-15.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { postPlan } from '../../helpers/rows/plans.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';

const programs = findPostgres15();
const server = programs ? await startPostgres15(programs, { fsync: 'off' }) : undefined;
afterAll(async () => {
  await server?.stop();
  await cleanUp();
});
const createDatabase = async (name: string): Promise<Connection> => {
  await withConnection(server!.connection, (client) => client.query(`CREATE DATABASE ${name}`));
  return { ...server!.connection, database: name };
};
const migrated = server ? await createDatabase('migrated') : undefined;
if (migrated) await migrate(migrated, pino({ level: 'silent' }));

describe.skipIf(!programs)('PostgreSQL 15', () => {
  it('gets the same schema', async () => {
    const { description } = await withConnection(migrated!, describeSchema);
    const file = join(import.meta.dirname, '../../../src/platform/db/schema.txt');
    expect(description.trim()).toBe(readFileSync(file, 'utf8').trim());
  });

  it('takes a backup of a newer PostgreSQL', async () => {
    const source = await createTestDatabase();
    await fillTables(source, 2);
    const file = join(temporaryFolder(), 'everything.backup');
    const { signal } = new AbortController();
    await writeBackup({ connection: source, file, secret: null, signal });
    const target = await createDatabase('restored');
    await restoreBackup({
      connection: target,
      file,
      verified: await verifyBackup(file, () => undefined),
      signal,
      onProgress: () => undefined,
      beforeCommit: async () => undefined,
    });
    expect(await readAllRows(target)).toEqual(await readAllRows(source));
  });

  it('serves requests and runs jobs', async () => {
    const service = await startTestService({ connection: migrated!, worker: true });
    const plan = await postPlan(service, service.acme.owner);
    expect(plan.status).toBe(201);
    const found = await service.request('GET', '/api/v2/plans', { as: withSession(service.acme.owner) });
    expect(found).toMatchObject({ status: 200 });
    await vi.waitFor(
      async () =>
        expect(await service.db.selectFrom('event_outbox').select('subject_id').execute()).toEqual([]),
      { timeout: 20_000 },
    );
  });
});
