/** The private PostgreSQL in the data folder: started, waited for and stopped together with the service. */
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import { folderFailure } from './data-folder-failure.ts';
import { chooseAccount } from './postgres-account.ts';
import {
  clusterFolder,
  newClusterFolder,
  POSTGRES_USER,
  passwordFile,
  prepareCluster,
  programFailure,
} from './postgres-cluster.ts';
import { stopOrphans } from './postgres-orphans.ts';
import { findPostgresPackage } from './postgres-programs.ts';
import { makeRuntimeFolder, type RuntimeFolder, removeLeftover } from './postgres-runtime-folder.ts';
import { type PostgresExit, type PostgresServer, startServer } from './postgres-server.ts';

export type EmbeddedConnection = {
  /** The folder of the socket; on Windows an address. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl: false;
};

export type EmbeddedPostgres = {
  connection: EmbeddedConnection;
  /** The file with the password, for `DataFolder.announce`. */
  passwordFile: string;
  /** Process of the server that was started last. */
  readonly pid: number;
  /** Settles when the server that was started last has exited, whether `stop` ended it or not; never rejects. */
  readonly exited: Promise<PostgresExit>;
  hasExited(): boolean;
  /** Restarts a server that has exited, at the same address; resolves once it accepts connections. */
  restart(): Promise<void>;
  /** Fast shutdown, then an immediate one if that hangs. May be called twice, and during a restart. */
  stop(): Promise<void>;
};

const DATABASE = 'countersign';
/** A database that exists before ours does, and can't be dropped by mistake. */
const TEMPLATE_DATABASE = 'template1';
const POLL_MS = 12;
const START_MS = 60_000;
/** A normal start takes far less. */
const REPORT_AFTER_MS = 2_000;
/** The limit for a server that reports that it is recovering from a crash. */
const RECOVERY_MS = 15 * 60_000;

/** Starts PostgreSQL in `dir`, whose lock the caller holds; resolves once it accepts connections. */
export async function startEmbeddedPostgres(options: {
  dir: string;
  log: Log;
  settings?: Record<string, string>;
  /** The folder of the npm package with the programs, if not the installed one. */
  packageFolder?: string;
  /** Where the temporary folder with the socket may be created, if not in the default places. */
  runtimePlaces?: readonly string[];
  /** Stops a start that is still waiting for the server, which then rejects with the signal's reason. */
  stopped?: AbortSignal;
}): Promise<EmbeddedPostgres> {
  const dir = resolve(options.dir);
  const { log, settings = {}, stopped } = options;
  let runtime: RuntimeFolder | undefined;
  let server: PostgresServer | undefined;
  let restarting: Promise<void> | undefined;
  let stopping = false;
  const stop = async () => {
    stopping = true;
    await server?.stop();
    // A restart may have been between two servers.
    await restarting?.catch(() => undefined);
    await server?.stop();
    runtime?.remove();
  };
  try {
    const installed = options.packageFolder ?? findPostgresPackage();
    await stopOrphans(clusterFolder(dir), installed, log);
    await stopOrphans(newClusterFolder(dir), installed, log);
    removeLeftover(dir, log);
    const account = chooseAccount(clusterFolder(dir));
    runtime = await makeRuntimeFolder({
      dir,
      packageFolder: installed,
      account,
      log,
      places: options.runtimePlaces,
    });
    const cluster = await prepareCluster({
      ...runtime,
      dir,
      account,
      durable: settings.fsync !== 'off',
      log,
    });
    const connection: EmbeddedConnection = {
      ...(await chooseAddress(runtime)),
      user: POSTGRES_USER,
      password: cluster.password,
      database: DATABASE,
      ssl: false,
    };
    const { packageFolder } = runtime;
    const { host, port } = connection;
    const run = async (isNew: boolean) => {
      const place = { dir, clusterFolder: cluster.folder, packageFolder, account, host, port, settings };
      server = startServer(place);
      await waitUntilReady({ server, dir, connection, isNew, log, stopped });
    };
    const runAgain = async () => {
      try {
        // Processes of the crashed server may still be writing.
        await stopOrphans(cluster.folder, installed, log);
        if (!stopping) await run(false);
      } catch (error) {
        await server?.stop();
        throw folderFailure(error, dir);
      }
    };
    await run(cluster.isNew);
    return {
      connection,
      passwordFile: passwordFile(dir),
      get pid() {
        return server!.pid!;
      },
      get exited() {
        return server!.exited;
      },
      hasExited: () => server!.hasExited(),
      restart() {
        restarting = runAgain();
        return restarting;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw folderFailure(error, dir);
  }
}

/** Ready means that a connection to our own database succeeded; the first start creates the database. */
async function waitUntilReady(options: {
  server: PostgresServer;
  dir: string;
  connection: EmbeddedConnection;
  isNew: boolean;
  log: Log;
  stopped: AbortSignal | undefined;
}): Promise<void> {
  const { server, dir, connection, log, stopped } = options;
  const start = performance.now();
  let limitMs = START_MS;
  let database = options.isNew ? TEMPLATE_DATABASE : DATABASE;
  for (;;) {
    const error = await tryConnection(connection, database);
    if (!error) return;
    stopped?.throwIfAborted();
    if (server.hasExited()) {
      const { lastLines } = await server.exited;
      throw programFailure(dir, 'The embedded PostgreSQL exited during startup.', lastLines);
    }
    const code = errorCode(error);
    const waitedMs = performance.now() - start;
    if (code === '57P03' && limitMs === START_MS && waitedMs > REPORT_AFTER_MS) {
      limitMs = RECOVERY_MS;
      log.info('PostgreSQL is recovering from an unclean shutdown');
    }
    if (code === '28P01') throw wrongPassword(dir, error);
    if (code === '3D000') database = TEMPLATE_DATABASE;
    else if (code && !NOT_READY_YET.has(code)) {
      throw programFailure(
        dir,
        `The embedded PostgreSQL cannot be used: ${error.message}.`,
        server.lastLines(),
      );
    }
    if (waitedMs > limitMs) {
      throw programFailure(dir, 'The embedded PostgreSQL does not accept connections.', server.lastLines());
    }
    await delay(POLL_MS);
  }
}

/** No socket, no listener, a dropped connection, still starting up. Errors without a code count too. */
const NOT_READY_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03']);

/** Connects once, and creates our database if connected to another one; returns the error, if any. */
async function tryConnection(connection: EmbeddedConnection, database: string): Promise<Error | undefined> {
  const client = new pg.Client({ ...connection, database, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // The call that is waiting on a broken connection fails anyway.
  try {
    await client.connect();
    if (database !== DATABASE) await createDatabase(client);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Renames the empty database that initdb created, which takes a tenth of the time of creating another. */
async function createDatabase(client: pg.Client): Promise<void> {
  try {
    await client.query(`ALTER DATABASE postgres RENAME TO ${DATABASE}`);
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error;
    await client.query(`CREATE DATABASE ${DATABASE}`);
  }
}

function wrongPassword(dir: string, cause: unknown): StartFailure {
  return new StartFailure(
    'postgres_not_starting',
    `The embedded PostgreSQL rejects the password in ${passwordFile(dir)}, so the file does not belong to this cluster. Restore it from the same backup as the data folder.`,
    cause,
  );
}

async function chooseAddress(runtime: RuntimeFolder): Promise<{ host: string; port: number }> {
  if (process.platform !== 'win32') return { host: runtime.socketFolder, port: 5432 };
  return { host: '127.0.0.1', port: await freePort() };
}

function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
