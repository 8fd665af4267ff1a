/** Another node of the service on the same database. */
import { afterAll } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import { createNode } from '../../../src/node.ts';
import type { Operation } from '../../../src/platform/core/operations/operation.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import type { Clock } from '../../../src/platform/core/text/clock.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { temporaryDataDir } from '../git/mirrors.ts';
import type { TestService } from './harness.ts';
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
  operations?: readonly Operation<Context>[],
): Promise<Node> {
  const config = readConfig({ RATE_LIMIT: 'off', PORT: '0', DATA_DIR: temporaryDataDir(), ...settings });
  const database = await openDatabase(first.connection, { poolSize: 10, onConnectionLost: () => undefined });
  const node = await createNode({
    ...{ config, database, operations, clock: first.clock, secrets: testSecrets },
    log: createLog({ level: 'silent', terminal: false }),
    extract: async () => undefined,
  });
  const app = node.app!;
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  if (settings.BASE_URL === undefined) node.site.baseUrl = url;
  afterAll(async () => {
    await node.close();
    await database.close();
  });
  return { url, flush: app.flush, stop: node.close };
}
