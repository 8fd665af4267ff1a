/** A refresh from a command while another process has claimed the repository. */
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { temporaryDataDir } from '../../../test/helpers/git/mirrors.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { readConfig } from '../../config.ts';
import { operatorOf } from '../../features/audit/index.ts';
import { createRepository } from '../../features/repositories/index.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { refreshHere } from './refresh-here.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 4,
  onConnectionLost: () => undefined,
});
const { db } = database;
const fixture = await makeRepository({ 'a.txt': 'a\n' });
afterAll(async () => {
  await fixture.remove();
  await database.close();
});

it('takes over from a dead process when no service is running', async () => {
  const acme = await makeOrganization(db, 'Acme', new Date());
  const config = readConfig({ DATA_DIR: temporaryDataDir() });
  const secrets = await openSecrets({ db, file: config.secretFile });
  const repositoryId = await createRepository(
    db,
    secrets,
    {
      name: 'acme/api',
      url: fixture.folder,
      credential: null,
      visibility: 'organization',
      memberIds: [],
      addedByOperator: true,
    },
    operatorOf(acme.id, new Date()),
  );
  // A refresh was requested after the dead process had started one, whose claim expires only now.
  await sql`UPDATE repositories SET refresh_token = ${uuidv7()}, state = 'cloning', activity = '{"phase":"receiving"}',
    refresh_started_at = clock_timestamp() - interval '1 minute', refresh_asked_at = clock_timestamp(),
    busy_until = clock_timestamp() + interval '1 second' WHERE id = ${repositoryId}`.execute(db);
  const call = {
    config,
    log: createLog({ level: 'silent', terminal: false }),
    options: {},
    stopped: new AbortController().signal,
    environment: {},
    setExitCode: () => undefined,
  };
  expect(await refreshHere(call, db, { organizationId: acme.id, repositoryId })).toMatchObject({
    state: 'ready',
    activity: null,
    headCommit: await fixture.git('rev-parse', 'main'),
  });
});
