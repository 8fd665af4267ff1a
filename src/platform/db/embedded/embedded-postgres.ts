/** The private PostgreSQL in the data folder: started, waited for and stopped together with the service. */
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../core/log.ts';
import { errorCode, StartFailure } from '../../core/start-failure.ts';
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
  /** The file that holds the password, for `DataFolder.announce`. */
  passwordFile: string;
  /** Of the server that was started last. */
  readonly pid: number;
  /** Settles when the server that was started last has exited, whether `stop` ended it or not; never rejects. */
  readonly exited: Promise<PostgresExit>;
  hasExited(): boolean;
  /** Starts a server that has exited again, at the same address; gives once it takes connections. */
  restart(): Promise<void>;
  /** Fast shutdown, and an immediate one when that hangs. May be called twice, and during a restart. */
  stop(): Promise<void>;
};

const DATABASE = 'countersign';
/** The one database of a cluster that one can connect to before ours exists, and that cannot be dropped by mistake. */
const ALWAYS_THERE = 'template1';
const POLL_MS = 12;
const START_MS = 60_000;
/** A usual start takes far less. */
const TELL_AFTER_MS = 2_000;
/** A server that says it is recovering from a crash gets this long instead. */
const RECOVERY_MS = 15 * 60_000;

/** Starts PostgreSQL in `dir`, whose lock the caller holds, and gives it once it takes connections. */
export async function startEmbeddedPostgres(options: {
  dir: string;
  log: Log;
  settings?: Record<string, string>;
  /** The folder of the npm package with the programs, when it is not the installed one. */
  packageFolder?: string;
  /** Where the short-lived folder with the socket may be, when not in the usual places. */
  runtimePlaces?: string[];
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
        // Processes of the server that died may still be writing.
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

/** Ready means that a connection to our own database succeeded; the database is made at the first start. */
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
  let database = options.isNew ? ALWAYS_THERE : DATABASE;
  for (;;) {
    const error = await tryConnection(connection, database);
    if (!error) return;
    stopped?.throwIfAborted();
    if (server.hasExited()) {
      const { lastLines } = await server.exited;
      throw programFailure(dir, 'The embedded PostgreSQL ended while it was starting.', lastLines);
    }
    const code = errorCode(error);
    const waitedMs = performance.now() - start;
    if (code === '57P03' && limitMs === START_MS && waitedMs > TELL_AFTER_MS) {
      limitMs = RECOVERY_MS;
      log.info('PostgreSQL is recovering from an unclean end');
    }
    if (code === '28P01') throw wrongPassword(dir, error);
    if (code === '3D000') database = ALWAYS_THERE;
    else if (code && !NOT_READY_YET.has(code)) {
      throw programFailure(
        dir,
        `The embedded PostgreSQL cannot be used: ${error.message}.`,
        server.lastLines(),
      );
    }
    if (waitedMs > limitMs) {
      throw programFailure(dir, 'The embedded PostgreSQL does not take connections.', server.lastLines());
    }
    await delay(POLL_MS);
  }
}

/** No socket, nobody behind it, a connection cut off, still starting up. Errors without a code are of this kind too. */
const NOT_READY_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03']);

/** Connects once and makes our database when connected to another; gives what went wrong. */
async function tryConnection(connection: EmbeddedConnection, database: string): Promise<Error | undefined> {
  const client = new pg.Client({ ...connection, database, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // A connection that breaks later makes the call that is waiting on it fail.
  try {
    await client.connect();
    if (database !== DATABASE) await makeDatabase(client);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Renames the empty database that initdb leaves, which takes a tenth of the time of making another. */
async function makeDatabase(client: pg.Client): Promise<void> {
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
    `The embedded PostgreSQL refuses the password in ${passwordFile(dir)}, so that file does not belong to this cluster. Restore it from the backup that the data folder came from.`,
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
