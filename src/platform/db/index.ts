/** The public interface of the database. */
export { type Connection, connectionFromUrl } from './connection.ts';
export {
  type Database,
  type Db,
  driverOptions,
  inTransaction,
  isOutage,
  openDatabase,
  withConnection,
} from './database.ts';
export { deleteInBatches } from './delete-in-batches.ts';
export {
  type DataFolder,
  makeDataFolder,
  openDataFolder,
  readRunningService,
} from './embedded/data-folder.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
export { keepRunning } from './embedded/keep-running.ts';
export { hasEmbeddedDatabase } from './embedded/postgres-cluster.ts';
export { RUNTIME_PLACES } from './embedded/postgres-runtime-folder.ts';
export { listenTo, type NotificationListener } from './listen.ts';
export { type LoadedTable, loadRows } from './load-rows.ts';
export { type AppliedMigration, migrate } from './migrate.ts';
export { DEADLOCK, FOREIGN_KEY_VIOLATION, repeatConflicts } from './repeat-conflicts.ts';
export { type Snapshot, type TableRows, withSnapshot } from './snapshot.ts';
export { watchQueries } from './watch-queries.ts';
