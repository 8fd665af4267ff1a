/** Repositories from before cloning existed survive the migration, and so do their plans. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { makeOrganizationRow } from '../../../test/helpers/service/factories.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { migrate, openDatabase } from '../../platform/db/index.ts';
import { operatorIn, presentRepositories, selectRepositories } from './index.ts';

afterAll(cleanUp);

const MIGRATIONS = join(import.meta.dirname, '../../platform/db/migrations');
const log = createLog({ level: 'silent', terminal: false });

it('keeps them, without a URL', async () => {
  const connection = await createTestDatabase({ migrated: false });
  const earlier = temporaryFolder();
  for (const name of ['0001_accounts', '0002_planner_events', '0003_plans']) {
    cpSync(join(MIGRATIONS, `${name}.sql`), join(earlier, `${name}.sql`));
  }
  await migrate(connection, log, earlier);
  const database = await openDatabase(connection, { poolSize: 2, onConnectionLost: () => undefined });
  const { db } = database;
  const organizationId = await makeOrganizationRow(db, 'Acme', new Date());
  const id = uuidv7();
  const createdAt = new Date('2026-01-31T12:00:00.000Z');
  await db
    .insertInto('repositories')
    .values({
      id,
      organization_id: organizationId,
      name: 'acme/api',
      head_commit: 'abc',
      created_at: createdAt,
    })
    .execute();
  await migrate(connection, log);
  const operator = operatorIn(organizationId);
  const shown = await presentRepositories(
    db,
    operator,
    await selectRepositories(db, operator, { limit: 10 }),
  );
  expect(shown).toMatchObject([
    {
      id,
      name: 'acme/api',
      url: null,
      state: 'waiting',
      activity: null,
      headCommit: 'abc',
      visibility: 'organization',
      credentialKind: 'none',
      updatedAt: createdAt.toISOString(),
    },
  ]);
  await database.close();
});
