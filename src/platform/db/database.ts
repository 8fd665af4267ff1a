/** The connection pool and the typed query builder on top of it. */
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';
import type { Connection } from './connection.ts';
import { connectionFailure } from './connection-failure.ts';
import { PreparingClient } from './preparing-client.ts';
import type { Tables } from './schema.ts';
import type { FinishedQuery } from './watch-queries.ts';

export type Db = Kysely<Tables>;

export const OLDEST_POSTGRES = 15;

export interface Database {
  db: Db;
  /** The connection that worked: with or without TLS where both were allowed. */
  connection: Connection;
  /** Connections in use, idle, and requests waiting for one. */
  load(): { total: number; idle: number; waiting: number };
  /** Fails when PostgreSQL does not respond in time, or when its disk is still full after a write failed for that reason. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize: number;
  /** Called when an idle connection is lost; the pool replaces it automatically. */
  onConnectionLost(error: Error): void;
  /** Called after every query of the pool, failed ones too. */
  onQuery?(query: FinishedQuery): void;
}

const STATEMENT_TIMEOUT_MS = 30_000;
/** How long a shutdown waits for running queries. */
const CLOSE_WITHIN_MS = 5_000;
const STARTING_UP = '57P03';
const DISK_FULL = '53100';
const WAIT_FOR_START_MS = 30_000;

export async function openDatabase(wanted: Connection, options: DatabaseOptions): Promise<Database> {
  const connection = await checkServer(wanted);
  const pool = new pg.Pool({
    Client: PreparingClient,
    ...driverOptions(connection),
    max: options.poolSize,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A server that no longer responds does not enforce its own timeout.
    query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  let closed: Promise<void> | undefined;
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The driver attaches its whole connection to the error, which does not belong in a log.
    delete error.client;
    // A server that stops right after us may still respond to our termination message.
    if (!closed) options.onConnectionLost(error);
  });
  // Nothing else listens for a connection lost between two queries of a transaction; the next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  /** Set when a write fails because the disk is full; cleared when one succeeds. */
  let diskIsFull = false;
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      options.onQuery?.({
        text: event.query.sql,
        ms: event.queryDurationMillis,
        error: event.level === 'error' ? event.error : undefined,
      });
      if (event.level === 'error' && errorCode(event.error) === DISK_FULL) diskIsFull = true;
    },
  });
  const ping = async () => {
    if (!diskIsFull) return sql`select 1`.execute(db);
    await tryToWrite(db);
    diskIsFull = false;
  };
  return {
    db,
    connection,
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: (timeoutMs) => within(timeoutMs, ping()),
    close: () => {
      closed ??= within(CLOSE_WITHIN_MS, db.destroy()).catch(options.onConnectionLost);
      return closed;
    },
  };
}

/** One connection outside the pool, for work that must not share its limits, such as migrations. */
export async function withConnection<T>(
  connection: Connection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(driverOptions(connection));
  // A broken connection fails the query that runs on it; without a listener, it would crash the process too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export function driverOptions(connection: Connection): pg.ClientConfig {
  const { host, port, user, password, database, ssl = false, options } = connection;
  return {
    host,
    port,
    user,
    password,
    database,
    ssl,
    application_name: 'countersign',
    connectionTimeoutMillis: 10_000,
    options: [options, '-c timezone=UTC'].filter(Boolean).join(' '),
  };
}

/** Runs in the open transaction if there is one, otherwise in a new one. */
export function inTransaction<T>(db: Db, run: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? run(db as Transaction<Tables>) : db.transaction().execute(run);
}

/** Connects once to report clearly what is wrong; waits for a server that is still starting. */
async function checkServer(connection: Connection): Promise<Connection> {
  const deadline = performance.now() + WAIT_FOR_START_MS;
  for (;;) {
    try {
      return await tryServer(connection);
    } catch (error) {
      if (error instanceof StartFailure) throw error;
      if (errorCode(error) !== STARTING_UP || performance.now() > deadline)
        throw connectionFailure(connection, error);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Returns the connection that works: the first one, or its fallback with or without TLS. */
async function tryServer(connection: Connection): Promise<Connection> {
  try {
    await checkVersion(connection);
    return connection;
  } catch (error) {
    const { sslOtherwise: ssl, ...rest } = connection;
    if (ssl === undefined || !isTlsError(error)) throw error;
    const other = { ...rest, ssl };
    return checkVersion(other).then(
      () => other,
      (second: unknown) => {
        // Reports the failure that got further.
        throw isTlsError(second) && errorCode(error) === '28000' ? error : second;
      },
    );
  }
}

function isTlsError(error: unknown): boolean {
  return errorCode(error) === '28000' || /does not support SSL/.test((error as Error).message);
}

async function checkVersion(connection: Connection): Promise<void> {
  const version = await withConnection(connection, async (client) => {
    const answer = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    return Number(answer.rows[0]!.server_version_num);
  });
  if (version >= OLDEST_POSTGRES * 10_000) return;
  throw new StartFailure(
    'database_too_old',
    `PostgreSQL ${Math.floor(version / 10_000)} is too old: Countersign requires version ${OLDEST_POSTGRES} or later.`,
  );
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`PostgreSQL did not respond within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a megabyte that disappears with its transaction. Rows of this size are not compressed. */
async function tryToWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`CREATE TEMPORARY TABLE disk_probe ON COMMIT DROP AS
      SELECT repeat('x', 1900) FROM generate_series(1, 512)`.execute(transaction);
  });
}

/** Codes that PostgreSQL reports while it stops, starts or is out of resources. */
const SERVER_AWAY = new Set([
  ...['57P01', '57P02', '57P03', '57P04', '57014', '08000', '08003', '08006'],
  ...['53000', DISK_FULL, '53200', '53300'], // out of disk space, memory or connections
]);
/** The server is unreachable. A missing file has the same code as a missing socket, but another system call. */
const CONNECTION_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'write']);
const NO_FILE = 'ENOENT';

/** Messages of the driver that have no code; the last two appear when a transaction is rolled back over a broken connection. */
const DRIVER_AWAY =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)/;

/** Whether an error means that PostgreSQL cannot be reached right now, so that retrying later makes sense. */
export function isOutage(error: unknown): boolean {
  const code = errorCode(error);
  const { syscall } = (error ?? {}) as { syscall?: string };
  if (syscall !== undefined) return code === NO_FILE ? syscall === 'connect' : CONNECTION_CALLS.has(syscall);
  if (code !== undefined) return SERVER_AWAY.has(code);
  return error instanceof Error && DRIVER_AWAY.test(error.message);
}
