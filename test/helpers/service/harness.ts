/** The whole service on its own database, over real HTTP, with two organizations. */
import { afterAll } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import type { NodeCode } from '../../../src/features/mirrors/index.ts';
import { createNode, type ServiceNode } from '../../../src/node.ts';
import {
  type Operation,
  pathParameters,
  readsQuery,
} from '../../../src/platform/core/operations/operation.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import type { Clock } from '../../../src/platform/core/text/clock.ts';
import { type Connection, type Db, openDatabase, watchQueries } from '../../../src/platform/db/index.ts';
import type { McpFixtures } from '../../../src/transports/mcp/index.ts';
import { createTestDatabase } from '../database/database.ts';
import { temporaryDataDir } from '../git/mirrors.ts';
import { makeOrganization, type Organization, type Person } from './factories.ts';
import { testSecrets } from './secrets.ts';
import { type Answer, type Credential, type RequestOptions, sendRequest } from './send-request.ts';

export type { Answer, Credential, RequestOptions } from './send-request.ts';

export interface TestClock extends Clock {
  /** Moves the clock; it keeps running unless it was set. */
  advance(milliseconds: number): void;
}

export interface TestService {
  url: string;
  connection: Connection;
  db: Db;
  clock: TestClock;
  mirrors: NodeCode;
  codeHosts: Context['codeHosts'];
  /** Every log line written so far. */
  logLines: string[];
  acme: Organization;
  globex: Organization;
  /** Records which credentials were used, as the service does every few seconds. */
  flush(): Promise<void>;
  /** Calls an operation over HTTP according to its definition. */
  call(operation: Operation<Context>, input: Record<string, unknown>, as: Credential): Promise<Answer>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** Starts it once for the calling test file and stops it afterward. */
export async function startTestService(
  options: {
    settings?: Record<string, string>;
    operations?: readonly Operation<Context>[];
    connection?: Connection;
    /** The folder of the built web app; without one no pages are served. */
    webAppFolder?: string;
    /** Also do the background work, as `ROLES=worker` does. */
    worker?: boolean;
    /** Added to the MCP server by protocol tests. */
    mcpFixtures?: McpFixtures<Context>;
  } = {},
): Promise<TestService> {
  const connection = options.connection ?? (await createTestDatabase());
  const config = readConfig({
    RATE_LIMIT: 'off',
    PORT: '0',
    LOG_LEVEL: 'debug',
    DATA_DIR: temporaryDataDir(),
    ...options.settings,
  });
  const logLines: string[] = [];
  const log = createLog({
    level: config.logLevel,
    terminal: false,
    destination: { write: (line) => void logLines.push(line) },
  });
  const database = await openDatabase(connection, {
    poolSize: 10,
    onConnectionLost: () => undefined,
    onQuery: watchQueries({ log, slowMs: config.slowQueryMs }),
  });
  const clock = testClock();
  let node: ServiceNode | undefined = await createNode({
    ...{ config, database, log, clock, secrets: testSecrets },
    operations: options.operations,
    webAppFolder: options.webAppFolder,
    mcpFixtures: options.mcpFixtures,
    // Facts are extracted when a test asks for them.
    extract: async () => undefined,
  });
  const url = await node.app!.server.listen({ host: '127.0.0.1', port: 0 });
  if (options.settings?.BASE_URL === undefined) node.site.baseUrl = url;
  if (options.worker) node.work();
  afterAll(async () => {
    await node?.close();
    await database.close();
    // A worker keeps the modules of all its files, and with them what they refer to.
    node = undefined;
    logLines.length = 0;
  });
  const { codeHosts, mirrors } = node;

  const request: TestService['request'] = (method, path, requestOptions = {}) =>
    sendRequest(url, config.baseUrl, method, path, requestOptions);
  return {
    url,
    connection,
    db: database.db,
    clock,
    mirrors,
    codeHosts,
    logLines,
    acme: await makeOrganization(database.db, 'Acme', clock.now()),
    globex: await makeOrganization(database.db, 'Globex', clock.now()),
    flush: async () => node?.app?.flush(),
    request,
    call: (operation, input, as) => {
      const { path, body } = requestFor(operation as Operation, input);
      return request(operation.http.method, path, { as, body });
    },
  };
}

export const withKey = (person: Person): Credential => ({ key: person.key });
export const withSession = (person: Person): Credential => ({ session: person.token });

function requestFor(operation: Operation, input: Record<string, unknown>): { path: string; body?: unknown } {
  const rest = { ...input };
  let path: string = operation.http.path;
  for (const name of pathParameters(operation)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(rest[name])));
    delete rest[name];
  }
  if (!readsQuery(operation)) return { path, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, String(value)]),
  ).toString();
  return { path: query ? `${path}?${query}` : path };
}

function testClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance: (milliseconds) => {
      offsetMs += milliseconds;
    },
  };
}
