/** Another node of the service on the same database. */
import { afterAll } from 'vitest';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { createCodeHosts, systemEnvironment } from '../src/features/code-hosts/index.ts';
import { operations as allOperations } from '../src/operations.ts';
import type { Clock } from '../src/platform/core/clock.ts';
import { createLog } from '../src/platform/core/log.ts';
import type { Operation } from '../src/platform/core/operation.ts';
import { openDatabase } from '../src/platform/db/index.ts';
import { createChangeFeed } from '../src/platform/live/index.ts';
import type { TestService } from './harness.ts';
import { startTestMirrors, temporaryDataDir } from './mirrors.ts';
import { testSecrets } from './secrets.ts';

export interface Node {
  url: string;
  /** Records which credentials were used, as the node does every few seconds. */
  flush(): Promise<void>;
  /** Stops it gracefully: running work finishes first. */
  stop(): Promise<void>;
}

/** It shares only the database and the clock with the first node. */
export async function startAnotherNode(
  first: Pick<TestService, 'connection'> & { clock: Clock },
  settings: Record<string, string> = {},
  operations: readonly Operation<Context>[] = allOperations,
): Promise<Node> {
  const config = readConfig({ RATE_LIMIT: 'off', PORT: '0', ...settings });
  const database = await openDatabase(first.connection, { poolSize: 10, onConnectionLost: () => undefined });
  const log = createLog({ level: 'silent', terminal: false });
  const feed = createChangeFeed({ connection: database.connection, db: database.db, log });
  const mirrors = startTestMirrors({
    db: database.db,
    log,
    announce: feed.announce,
    settings: { ...config, dataDir: temporaryDataDir() },
  });
  const app = await createApp({
    config,
    database,
    operations,
    feed,
    secrets: testSecrets,
    code: mirrors.code,
    codeHosts: createCodeHosts(systemEnvironment(config.allowPrivateAddresses)),
    clock: first.clock,
    log,
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  if (settings.BASE_URL === undefined) app.site.baseUrl = url;
  afterAll(async () => {
    await app.close();
    await feed.close();
    await database.close();
  });
  return { url, flush: app.flush, stop: app.close };
}
