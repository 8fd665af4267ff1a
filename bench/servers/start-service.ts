/** The service with the production wiring and its own PostgreSQL (durable, as in production), with an API key. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createOrganization } from '../../src/features/accounts/index.ts';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import type { NodeCode } from '../../src/features/mirrors/index.ts';
import { createNode } from '../../src/node.ts';
import type { Operation } from '../../src/platform/core/operations/operation.ts';
import type { SecretBox } from '../../src/platform/core/ports/secret-box.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { systemClock } from '../../src/platform/core/text/clock.ts';
import {
  type Connection,
  type Db,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from '../../src/platform/db/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';

export interface BenchService {
  url: string;
  key: string;
  db: Db;
  connection: Connection;
  owner: { organizationId: string; userId: string };
  mirrors: NodeCode;
  secrets: SecretBox;
  /** Reports that it is ready, with whatever the measurement needs to know. */
  announce(ready: Record<string, string>): void;
}

export async function startService(
  operations: readonly Operation<Context>[],
  { allowPrivateAddresses = false } = {},
): Promise<BenchService> {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const config = readConfig({
    ...{ PORT: '0', DATA_DIR: dir, RATE_LIMIT_PER_KEY: '10000000' },
    ALLOW_PRIVATE_ADDRESSES: String(allowPrivateAddresses),
  });
  const log = createLog({ level: config.logLevel, terminal: false });
  const postgres = await startEmbeddedPostgres({ dir, log });
  await migrate(postgres.connection, log);
  const database = await openDatabase(postgres.connection, {
    poolSize: config.databasePoolSize,
    onConnectionLost: (error) => log.error({ err: error }, 'a database connection was lost'),
  });
  const { db } = database;
  const at = systemClock.now();
  const owner = await createOrganization(
    db,
    { organizationName: 'Bench', name: 'Bench', email: 'bench@example.com', passwordHash: '-' },
    (organizationId) => operatorOf(organizationId, at),
    at,
  );
  const { secret } = await generateApiKey(db, owner, 'bench', operatorOf(owner.organizationId, at));
  const secrets = createSecretBox(randomBytes(32));
  const node = await createNode({ config, database, log, operations, secrets });
  const { mirrors } = node;
  const url = await node.app!.server.listen({ host: '127.0.0.1', port: 0 });
  node.site.baseUrl = url;
  node.work();
  process.on('SIGTERM', async () => {
    await node.close();
    await database.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    url,
    key: secret,
    db,
    connection: database.connection,
    owner,
    mirrors,
    secrets,
    announce: (ready) => void writeSync(3, `${JSON.stringify({ ready: { url, key: secret, ...ready } })}\n`),
  };
}
