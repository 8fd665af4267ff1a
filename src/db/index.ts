/** The database's door. */
export { type Connection, connectionFromUrl } from './connection.ts';
export { type DataFolder, openDataFolder, readRunningService } from './data-folder.ts';
export { type Database, type Db, inTransaction, isOutage, openDatabase, withConnection } from './database.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
export { migrate } from './migrate.ts';
