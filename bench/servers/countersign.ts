/** P1's own side: the production wiring with one operation that sends the sample reply, and a key to call it with. */
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createOrganization } from '../../src/accounts/index.ts';
import { generateApiKey } from '../../src/api-keys/index.ts';
import { createApp } from '../../src/app.ts';
import { operatorOf } from '../../src/audit/index.ts';
import { readConfig } from '../../src/config.ts';
import { defineOperation } from '../../src/context.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { migrate, openDatabase, startEmbeddedPostgres } from '../../src/db/index.ts';
import { createChangeFeed } from '../../src/live/index.ts';
import { SAMPLE_REPLY } from './sample-reply.ts';

const sendSample = defineOperation({
  name: 'send-sample',
  group: 'Bench',
  summary: 'Send the sample reply',
  http: { method: 'GET', path: '/api/v2/sample', status: 200 },
  accepts: ['key'],
  input: z.object({}),
  output: z.object({
    excludedConfig: z.array(
      z.object({ repoName: z.string(), paths: z.array(z.string()), repoId: z.string() }),
    ),
    orgConfig: z.array(
      z.object({
        key: z.string(),
        configurationId: z.string(),
        enabled: z.boolean(),
        configurationMetadata: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  problems: [],
  run: async () => SAMPLE_REPLY,
});

const dir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const config = readConfig({ PORT: '0', DATA_DIR: dir, RATE_LIMIT_PER_KEY: '10000000' });
const log = createLog({ level: config.logLevel, terminal: false });
const postgres = await startEmbeddedPostgres({ dir, log });
await migrate(postgres.connection, log);
const database = await openDatabase(postgres.connection, {
  poolSize: config.databasePoolSize,
  onConnectionLost: (error) => log.error({ err: error }, 'a database connection was lost'),
});
const at = systemClock.now();
const owner = await createOrganization(
  database.db,
  { organizationName: 'Bench', name: 'Bench', email: 'bench@example.com', passwordHash: '-' },
  (organizationId) => operatorOf(organizationId, at),
  at,
);
const { secret } = await generateApiKey(database.db, owner, 'bench', operatorOf(owner.organizationId, at));
const feed = createChangeFeed({ connection: database.connection, db: database.db, log });
const app = await createApp({
  config,
  database,
  operations: [sendSample],
  feed,
  clock: systemClock,
  log,
});
const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', async () => {
  await app.close();
  await feed.close();
  await database.close();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
});
writeSync(3, `${JSON.stringify({ ready: { url, key: secret } })}\n`);
