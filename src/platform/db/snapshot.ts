/** Reads every table of the service as it was at one moment, while the service goes on writing. */
import pg from 'pg';
import type { Connection } from './connection.ts';
import { copyOut } from './copy-rows.ts';
import { withConnection } from './database.ts';
import { type AppliedMigration, MIGRATION_LOCK, readApplied } from './migrate.ts';

export interface TableRows {
  name: string;
  /** Without generated columns. */
  columns: string[];
}

export interface Snapshot {
  /** The version of PostgreSQL. */
  server: string;
  migrations: AppliedMigration[];
  /** With the space that each takes on disk, roughly the work it is. */
  tables: (TableRows & { diskBytes: number })[];
  /** The rows of a table in the text format of COPY, in pieces; returns how many there are. */
  copy(table: TableRows, write: (piece: Buffer) => Promise<void>): Promise<number>;
}

/**
 * One read-only transaction sees one state of the database. Migrations wait until it ends: without this lock, they would
 * wait for a table that is being read, and every request would wait behind them.
 */
export function withSnapshot<T>(connection: Connection, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return withConnection(connection, async (client) => {
    await withoutLimits(client);
    // Before the transaction, which sees what was committed when its first statement began.
    await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const applied = await readApplied(client);
    const version = await client.query<{ server_version: string }>('SHOW server_version');
    const result = await use({
      server: version.rows[0]!.server_version,
      migrations: [...applied].map(([name, checksum]) => ({ name, checksum })).sort(byName),
      tables: await readTables(client),
      copy: (table, write) => copyOut(client, `COPY ${copied(table)} TO STDOUT`, write),
    });
    await client.query('COMMIT');
    return result;
  });
}

/** Timeouts that an administrator may have set for the database or the user end no backup. */
export async function withoutLimits(client: pg.Client): Promise<void> {
  await client.query(`SET statement_timeout = 0; SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0; SET row_security = off`);
}

/** The table with its columns, as COPY takes it. */
export function copied({ columns, name }: TableRows): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}

/** The tables in the schema of the service; the queue has its own schema, and its jobs are made again from the rows. */
export async function readTables(client: pg.Client): Promise<Snapshot['tables']> {
  const { rows } = await client.query<{ name: string; columns: string[]; disk_bytes: string }>(`
    SELECT c.relname AS name, pg_table_size(c.oid) AS disk_bytes,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.oid ORDER BY c.relname`);
  return rows.map(({ columns, disk_bytes, name }) => ({ name, columns, diskBytes: Number(disk_bytes) }));
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
