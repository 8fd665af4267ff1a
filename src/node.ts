/** One node of the service: its copies of code, its web server and its background work. Production, tests and benchmarks start the same. */
import type { FastifyInstance } from 'fastify';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createCodeHosts, systemEnvironment } from './features/code-hosts/index.ts';
import type { NodeCode } from './features/mirrors/index.ts';
import { nodeJobs } from './jobs.ts';
import { openMirrors } from './open-mirrors.ts';
import { operations as allOperations } from './operations.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import { type Clock, systemClock } from './platform/core/text/clock.ts';
import { NodeState } from './platform/core/work/node-state.ts';
import type { Database } from './platform/db/index.ts';
import { createChangeFeed, nameNode } from './platform/live/index.ts';
import { startTimedJobs, startWorker, type Worker } from './worker.ts';

/** Everything in which nodes differ; the rest follows from their settings. */
export interface NodeParts {
  config: Config;
  /** Open and migrated; it stays open when the node is closed. */
  database: Database;
  log: Log;
  secrets: SecretBox;
  /** Default: the system's. */
  clock?: Clock;
  /** Default: those of the product. */
  operations?: Parameters<typeof createApp>[0]['operations'];
  webAppFolder?: string | undefined;
  mcpFixtures?: Parameters<typeof createApp>[0]['mcpFixtures'];
  /** Default: facts of new commits are extracted. */
  extract?: Parameters<typeof openMirrors>[0]['extract'];
  /** Delay before the queue starts: loading it must not slow down the first requests. */
  queueDelayMs?: number;
}

export interface ServiceNode {
  mirrors: NodeCode;
  codeHosts: Context['codeHosts'];
  /** Set the URL once it is final. */
  site: { baseUrl: string };
  /** Undefined without the role `web`. */
  app: App | undefined;
  /** Starts the background work of the node's roles. */
  work(): void;
  /** From now on `/readyz` fails, and no new work is started. */
  beginShutdown(): void;
  /** Finishes what is under way, within the time of the settings, and closes all but the database. */
  close(): Promise<void>;
}

export async function createNode(parts: NodeParts): Promise<ServiceNode> {
  const { clock = systemClock, config, database, log, secrets } = parts;
  const { connection, db } = database;
  await using starting = new AsyncDisposableStack();
  const feed = createChangeFeed({ connection, db, log, nodeName: nameNode(config.roles) });
  starting.defer(() => feed.close());
  const state = new NodeState({ db, secrets });
  starting.defer(() => state.close());
  const codeHosts = createCodeHosts(systemEnvironment(config.allowPrivateAddresses));
  const { extract } = parts;
  const mirrors = openMirrors({
    ...{ config, db, log, secrets, codeHosts, announce: feed.announce },
    ...(extract && { extract }),
  });
  starting.defer(() => mirrors.close());
  feed.onChange(mirrors.noticeChange);
  const workers: Worker[] = [];
  const stopWork = async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  };
  starting.defer(stopWork);
  const app = config.roles.includes('web')
    ? await createApp({
        ...{ config, database, feed, secrets, code: mirrors.code, codeHosts, state, clock, log },
        operations: parts.operations ?? allOperations,
        webAppFolder: parts.webAppFolder,
        mcpFixtures: parts.mcpFixtures,
      })
    : undefined;
  if (app) starting.defer(() => closeWithin(config.shutdownTimeoutMs, app.server, app.close(), log));
  const site = app?.site ?? { baseUrl: config.baseUrl };
  const stack = starting.move();
  return {
    mirrors,
    codeHosts,
    site,
    app,
    work() {
      workers.push(startTimedJobs(nodeJobs, { db, log, clock, mirrors }));
      if (!config.roles.includes('worker')) return;
      const { allowPrivateAddresses, mail, models, retention, scheduledBackups, singleSignOn } = config;
      workers.push(
        startWorker({
          ...{ connection, db, clock, log, feed, mirrors, secrets, codeHosts, state },
          ...{ allowPrivateAddresses, mail, models, retention, singleSignOn },
          baseUrl: () => site.baseUrl,
          backups: scheduledBackups && {
            ...scheduledBackups,
            secretFile: config.secretFile,
            passphrase: config.backupPassphrase,
          },
          queueDelayMs: parts.queueDelayMs ?? 0,
        }),
      );
    },
    beginShutdown() {
      app?.beginShutdown();
      void stopWork();
    },
    close: () => stack.disposeAsync(),
  };
}

/** Lets running requests finish, and closes those that exceed the time limit. */
async function closeWithin(
  timeoutMs: number,
  server: FastifyInstance,
  closing: Promise<void>,
  log: Log,
): Promise<void> {
  const timer = setTimeout(() => {
    log.warn({ timeoutMs }, 'requests that did not finish in time were cut off');
    server.server.closeAllConnections();
  }, timeoutMs);
  await closing.finally(() => clearTimeout(timer));
}
