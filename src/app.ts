/** The composition root: wires the database, operations and HTTP server together, without listening. */

import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createSessionFinder } from './features/accounts/index.ts';
import { createKeyFinder, explainKey } from './features/api-keys/index.ts';
import { createHostLookup } from './features/code-hosts/index.ts';
import { createAgentNotes } from './features/first-steps/index.ts';
import { createAgentSignIn } from './features/oauth/index.ts';
import { createIdentityProviders } from './features/single-sign-on/index.ts';
import { selectQueues } from './features/system/index.ts';
import { createMetrics } from './metrics.ts';
import { checkFreeSpace, freeBytesOf } from './platform/core/errors/disk-full.ts';
import type { Actor } from './platform/core/operations/actor.ts';
import type { Operation } from './platform/core/operations/operation.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Clock } from './platform/core/text/clock.ts';
import { packageVersion } from './platform/core/text/package-version.ts';
import { OpenWaits } from './platform/core/work/open-waits.ts';
import { type Database, isOutage } from './platform/db/index.ts';
import { runOnce } from './platform/idempotency/index.ts';
import type { NodeFeed } from './platform/live/index.ts';
import { createServer } from './transports/http/index.ts';
import { createMcpEndpoint, type McpFixtures } from './transports/mcp/index.ts';

const FLUSH_EVERY_MS = 5_000;
const READY_WITHIN_MS = 2_000;

export interface App {
  server: FastifyInstance;
  /** Set the URL once it is final. */
  site: { baseUrl: string };
  /** From now on `/readyz` fails, so that a load balancer stops sending requests here. */
  beginShutdown(): void;
  /** Saves which credentials were used. */
  flush(): Promise<void>;
  /** Finishes the requests in progress, then closes. */
  close(): Promise<void>;
}

export async function createApp(services: {
  config: Config;
  database: Database;
  operations: readonly Operation<Context>[];
  feed: NodeFeed;
  secrets: SecretBox;
  code: Context['code'];
  codeHosts: Context['codeHosts'];
  state: Context['state'];
  clock: Clock;
  log: Log;
  /** The folder of the built web app; without it, no pages are served. */
  webAppFolder?: string;
  /** Added to the MCP server by protocol tests. */
  mcpFixtures?: McpFixtures<Context>;
}): Promise<App> {
  const { clock, code, codeHosts, config, database, feed, log, operations, secrets, state } = services;
  const { db } = database;
  const site = { baseUrl: config.baseUrl };
  const keys = createKeyFinder(db, clock);
  const sessions = createSessionFinder(db, clock, config.sessionLife);
  const agents = createAgentSignIn({
    db,
    clock,
    log,
    secrets,
    site,
    clientMetadataDocuments: config.oauthClientMetadataDocuments,
  });
  const isOnHost = createHostLookup({ db, codeHosts, secrets });
  const identityProviders = createIdentityProviders();
  const stopping = new AbortController();
  const waits = new OpenWaits(config.maxWaitsPerCredential);

  const server = await createServer<Context>({
    operations,
    authenticate: {
      byKey: keys.find,
      bySession: sessions.find,
      byToken: agents.find,
      explain: { key: (secret) => explainKey(db, secret), token: agents.explain },
    },
    createContext: (call) => ({
      ...call,
      actor: call.actor as Actor,
      db,
      clock,
      feed,
      secrets,
      code,
      codeHosts,
      isOnHost,
      identityProviders,
      state,
      waits,
      baseUrl: site.baseUrl,
      settings: config,
    }),
    runOnce,
    isOutage,
    async checkReady() {
      if (stopping.signal.aborted) throw new Error('The service is stopping.');
      await checkFreeSpace(config.dataDir);
      await database.ping(READY_WITHIN_MS);
    },
    stopping: stopping.signal,
    site,
    webAppFolder: services.webAppFolder,
    mcp: createMcpEndpoint({
      operations,
      settings: config,
      version: packageVersion(),
      site,
      log,
      isOutage,
      noteAgent: createAgentNotes(db, clock),
      ...services.mcpFixtures,
    }),
    agentSignIn: agents,
    log,
    metrics: createMetrics({
      pool: database.load,
      searches: code.load,
      waits: () => waits.total,
      freeBytes: () => freeBytesOf(config.dataDir),
      jobs: () => selectQueues(db),
    }),
    settings: config,
  });

  const flush = async () => {
    await keys.flush();
    await sessions.flush();
    await agents.flush();
  };
  /** Failing to save when a credential was last used is logged, but is not an error for the caller. */
  const tryFlush = () =>
    flush().catch((error: unknown) =>
      log.warn({ err: error }, 'could not save when credentials were last used'),
    );
  const flushing = setInterval(() => void tryFlush(), FLUSH_EVERY_MS);
  flushing.unref();

  return {
    server,
    site,
    beginShutdown: () => stopping.abort(),
    flush,
    async close() {
      stopping.abort();
      clearInterval(flushing);
      await server.close();
      await tryFlush();
    },
  };
}
