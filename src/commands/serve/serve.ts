/** `countersign serve`: starts the service and shuts it down cleanly. */
import { buildWebApp, WEB_APP_FOLDER } from '../../build-web-app.ts';
import type { Config } from '../../config.ts';
import { EXIT_CODES, type StartFailure } from '../../platform/core/errors/start-failure.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { configureTracing } from '../../platform/core/telemetry/tracing.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import {
  type Connection,
  connectionFromUrl,
  keepRunning,
  migrate,
  openDatabase,
  watchQueries,
} from '../../platform/db/index.ts';
import type { Call, Command } from '../command.ts';
import { Stopped, unlessStopped } from '../terminal/stop-signal.ts';
import { listen } from './listen.ts';
import { openFolder, openStorage, type Storage } from './open-storage.ts';

/** After the requests: for saving pending data and closing the pool. */
const MAX_CLOSE_MS = 10_000;
/** Delays preparing the first search, so that it doesn't slow down the first pages. */
const WARM_UP_DELAY_MS = 3000;
/** Loading the queue blocks the process briefly, so it happens after the first requests. */
const QUEUE_DELAY_MS = 1_000;
/** For the complete shutdown of the embedded PostgreSQL. */
const MAX_POSTGRES_STOP_MS = 40_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Start the service',
  detail:
    'Without DATABASE_URL it starts its own PostgreSQL in the data folder. Ctrl-C or SIGTERM stops it after running requests\nhave finished. A second Ctrl-C stops it immediately.',
  options: [
    { name: 'port', value: 'number', meaning: 'Listen on this port instead of PORT.' },
    { name: 'host', value: 'address', meaning: 'Listen on this address instead of HOST.' },
    {
      name: 'roles',
      value: 'roles',
      meaning: 'Run these roles instead of ROLES: web, worker or both.',
    },
  ],
  settings: { port: 'PORT', host: 'HOST', roles: 'ROLES' },
  example: 'countersign serve --port 8080',
  quiet: false,
  createsDatabase: true,
  async run(call) {
    const { log } = call;
    const failing = failureSignal(log);
    const stopped = AbortSignal.any([call.stopped, failing.signal]);
    call.stopped.addEventListener('abort', () =>
      log.info({ signal: call.stopped.reason.signal }, 'stopping: waiting for running requests to finish'),
    );
    let early = false;
    try {
      await using stack = new AsyncDisposableStack();
      await start({ ...call, stopped }, stack, failing.fail);
      await aborted(stopped);
      cutOffAfter(call.config, log);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      early = true;
    } finally {
      failing.release();
    }
    log.info('stopped');
    if (failing.exitCode() !== 0) process.exitCode = failing.exitCode();
    // Work abandoned by a stop during startup must not keep the process alive.
    if (early) process.exit();
  },
};

/** Exits even if something hangs, including PostgreSQL. */
function cutOffAfter(config: Config, log: Log): void {
  const stopPostgresMs = config.databaseUrl ? 0 : MAX_POSTGRES_STOP_MS;
  const cutOff = () => {
    log.fatal('shutdown took too long and was aborted');
    process.exit(EXIT_CODES.failed.code);
  };
  setTimeout(cutOff, config.shutdownTimeoutMs + MAX_CLOSE_MS + stopPostgresMs).unref();
}

/** Starts everything in order; started resources are on the stack and are stopped in reverse order. */
async function start(call: Call, stack: AsyncDisposableStack, fail: Fail): Promise<void> {
  const { config, environment, log, stopped } = call;
  // Most of the program is loaded while PostgreSQL starts in its own process.
  const loading = Promise.all([
    import('../../node.ts'),
    import('../../features/accounts/index.ts'),
    import('../../platform/secrets/index.ts'),
    import('../../features/webhooks/index.ts'),
  ]);
  loading.catch(() => undefined);
  if (config.tracing) await startTracing(config.tracing, stack, log);
  const startEnded = new AbortController();
  const building = config.roles.includes('web')
    ? buildWebApp((line) => process.stdout.write(`${line}\n`), startEnded.signal)
    : Promise.resolve();
  stack.defer(async () => {
    startEnded.abort();
    await building;
  });
  const folderOptions = { config, log, purpose: 'serve', stopped } as const;
  const storage: Opened = config.databaseUrl
    ? { folder: await openFolder(stack, { ...folderOptions, evenIfFull: true }) }
    : await openStorage(stack, {
        ...folderOptions,
        // Under systemd, /tmp is private, and commands on the host couldn't find the socket there.
        socketPlace: environment.STATE_DIRECTORY?.split(':')[0],
      });
  const connection: Connection = storage.postgres?.connection ?? connectionFromUrl(config.databaseUrl!);
  const opening = openDatabase(connection, {
    poolSize: config.databasePoolSize,
    onConnectionLost: (error) => log.warn({ err: error }, 'a database connection was lost'),
    onQuery: watchQueries({ log, slowMs: config.slowQueryMs }),
  });
  const database = await unlessStopped(stopped, opening);
  stack.defer(() => database.close());
  if (storage.postgres) {
    keepRunning(storage.postgres, { log, stopped }).catch((error: StartFailure) => {
      log.fatal({ err: error }, 'PostgreSQL cannot be restarted; stopping the service');
      fail(error.exitCode);
    });
  }
  await unlessStopped(stopped, migrate(database.connection, log));

  const [{ createNode }, { offerSetup }, { openSecrets }, { sealPlainSecrets }] = await loading;
  void warnOfOldGit(log);
  const secrets = await unlessStopped(stopped, openSecrets({ db: database.db, file: config.secretFile }));
  await unlessStopped(stopped, sealPlainSecrets(database.db, secrets));
  await unlessStopped(stopped, building);
  const node = await createNode({
    ...{ config, database, log, secrets },
    webAppFolder: WEB_APP_FOLDER,
    queueDelayMs: QUEUE_DELAY_MS,
  });
  stack.defer(node.close);
  // Work stops while running requests finish.
  stopped.addEventListener('abort', node.beginShutdown);
  if (!node.app) {
    node.work();
    announce(storage, undefined);
    process.stdout.write(
      'Countersign is running background jobs only and serves no requests (ROLES=worker).\n',
    );
    return;
  }
  const port = await listen(node.app.server, config);
  node.site.baseUrl = config.baseUrl.replace(/:0$/, `:${port}`);
  node.work();
  announce(storage, node.site.baseUrl);
  const setupLink = await offerSetup(database.db, node.site.baseUrl, systemClock.now());
  stopped.throwIfAborted();
  process.stdout.write(banner(config, node.site.baseUrl, setupLink));
  const warmingUp = setTimeout(node.mirrors.warmUp, WARM_UP_DELAY_MS);
  stack.defer(() => clearTimeout(warmingUp));
}

/** `countersign doctor` says it too. */
async function warnOfOldGit(log: Log): Promise<void> {
  const { oldGitProblem, programVersion } = await import('../../features/system/index.ts');
  const old = oldGitProblem((await programVersion('git')) ?? '');
  if (old) log.warn(`${old.detail}. ${old.next}`);
}

/** Loaded only if tracing is on. Queued spans are sent after everything else has stopped. */
async function startTracing(
  settings: NonNullable<Config['tracing']>,
  stack: AsyncDisposableStack,
  log: Log,
): Promise<void> {
  const { createTraceExporter } = await import('../../platform/core/network/export-traces.ts');
  const exporter = createTraceExporter(settings, { log });
  configureTracing({ ...settings, record: exporter.add });
  stack.defer(() => exporter.close());
}

/** With DATABASE_URL, a node has its folder to itself too: mirrors, indexes and the secret file. */
type Opened = Pick<Storage, 'folder'> & Partial<Storage>;

/** Publishes how commands on this host can reach this service and its embedded database. */
function announce({ folder, postgres }: Opened, address: string | undefined): void {
  folder.announce({ address, database: postgres && reachable(postgres) });
}

function reachable({ connection, passwordFile }: Storage['postgres']) {
  const { host, port, user, database } = connection;
  return { host, port, user, database, passwordFile };
}

function banner(config: Config, baseUrl: string, setupLink: string | undefined): string {
  const database = config.databaseUrl
    ? 'the PostgreSQL of DATABASE_URL'
    : `PostgreSQL 18 in ${config.dataDir}`;
  return [
    '',
    `  Countersign is ready at ${baseUrl}`,
    '',
    ...(setupLink ? [`  Set it up (works once):  ${setupLink}`] : []),
    `  API reference:           ${baseUrl}/docs`,
    `  Data:                    ${database}`,
    '',
    '',
  ].join('\n');
}

type Fail = (exitCode: number) => void;

/** A stop caused by the service itself: resources are still stopped in order, and the exit code gives the reason. */
function failureSignal(log: Log): { signal: AbortSignal; fail: Fail; exitCode(): number; release(): void } {
  const controller = new AbortController();
  let exitCode = 0;
  const fail: Fail = (code) => {
    exitCode ||= code;
    controller.abort(new Stopped('SIGTERM'));
  };
  const onUnexpected = (error: Error) => {
    log.fatal({ err: error }, 'unexpected error; stopping the service');
    fail(EXIT_CODES.failed.code);
  };
  process.on('uncaughtException', onUnexpected);
  return {
    signal: controller.signal,
    fail,
    exitCode: () => exitCode,
    release: () => void process.off('uncaughtException', onUnexpected),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
