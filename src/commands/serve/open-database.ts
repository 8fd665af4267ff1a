/** Connects a command to the database, whether or not the service is running. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import {
  type Connection,
  connectionFromUrl,
  type Database,
  type Db,
  hasEmbeddedDatabase,
  isOutage,
  migrate,
  openDatabase,
  readRunningService,
} from '../../platform/db/index.ts';
import type { Call } from '../command.ts';
import { unlessStopped } from '../terminal/stop-signal.ts';
import { openStorage } from './open-storage.ts';

type Place = Pick<Call, 'config' | 'log' | 'stopped'> & {
  /** Whether to create the database if the data folder has none. */
  create?: boolean;
  /** Whether to leave the schema as it is; default false. */
  unmigrated?: boolean;
};

/** A service may start or stop between our check and our connection; then we check again. */
const MAX_LOOKS = 5;

/** The server of DATABASE_URL, otherwise the running service's PostgreSQL, otherwise one started for this command. */
export function withDatabase<T>(place: Place, use: (db: Db) => Promise<T>): Promise<T> {
  return withServer(place, ({ db }) => use(db));
}

/** The database with its schema as it is, of any version or none. */
export function withUnmigratedDatabase<T>(
  place: Place,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withServer({ ...place, unmigrated: true }, ({ connection }) => use(connection));
}

async function withServer<T>(place: Place, use: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const database = await open(place, stack);
  try {
    return await unlessStopped(place.stopped, use(database));
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw new StartFailure(
      'database_unreachable',
      'The connection to PostgreSQL was lost while the command ran. Was the service stopped? Check whether the change was made, or run the command again.',
      error,
    );
  }
}

async function open(place: Place, stack: AsyncDisposableStack): Promise<Database> {
  const { config, stopped } = place;
  if (config.databaseUrl) return connect(place, stack, connectionFromUrl(config.databaseUrl));
  for (let look = 1; ; look += 1) {
    const running = await unlessStopped(stopped, readRunningService(config.dataDir));
    if (running && !running.database) throw usesAnother(running);
    await using attempt = new AsyncDisposableStack();
    try {
      const database = running?.database
        ? await connect(place, attempt, await reach(running.database))
        : await connect(place, attempt, await startOwn(place, attempt));
      stack.use(attempt.move());
      return database;
    } catch (error) {
      const kind = error instanceof StartFailure ? error.kind : undefined;
      const changed = running?.database ? kind === 'database_unreachable' : kind === 'data_folder_in_use';
      if (!changed || look === MAX_LOOKS) throw error;
    }
  }
}

async function startOwn(place: Place, stack: AsyncDisposableStack): Promise<Connection> {
  const { dataDir } = place.config;
  if (!place.create && !hasEmbeddedDatabase(dataDir)) {
    throw new StartFailure(
      'refused',
      `there is no Countersign database in ${resolve(dataDir)}. Run this command in the folder that the service was started in, or set DATA_DIR (or DATABASE_URL) to what the service uses. To create a new database, run: countersign setup`,
    );
  }
  const { postgres } = await openStorage(stack, { ...place, purpose: 'command' });
  return postgres.connection;
}

function usesAnother({ pid }: ServiceInfo): StartFailure {
  return new StartFailure(
    'refused',
    `the service on this data folder (process ${pid}) was started with DATABASE_URL: set DATABASE_URL for this command too, or set DATA_DIR to another folder`,
  );
}

type ServiceInfo = NonNullable<Awaited<ReturnType<typeof readRunningService>>>;
type ServiceDatabase = NonNullable<ServiceInfo['database']>;

async function reach({ passwordFile, ...server }: ServiceDatabase): Promise<Connection> {
  return { ...server, password: (await readFile(passwordFile, 'utf8')).trim(), ssl: false };
}

async function connect(place: Place, stack: AsyncDisposableStack, connection: Connection): Promise<Database> {
  const { log, stopped } = place;
  const database = await unlessStopped(
    stopped,
    openDatabase(connection, {
      poolSize: 2,
      onConnectionLost: (error) => log.debug({ err: error }, 'a database connection was lost'),
    }),
  );
  stack.defer(() => database.close());
  if (!place.unmigrated) await unlessStopped(stopped, migrate(database.connection, log));
  return database;
}
