/** Fills an empty database with the rows of a backup: all of it, in one transaction, or nothing. */
import type pg from 'pg';
import { StartFailure } from '../core/errors/start-failure.ts';
import type { Connection } from './connection.ts';
import { copyIn } from './copy-rows.ts';
import { withConnection } from './database.ts';
import {
  type AppliedMigration,
  applyMigrations,
  createMigrationsTable,
  MIGRATION_LOCK,
  pending,
  readApplied,
  readMigrations,
} from './migrate.ts';
import { copied, readTables, type TableRows, withoutLimits } from './snapshot.ts';

export interface LoadedTable extends TableRows {
  /** In the text format of COPY. */
  pieces: AsyncIterable<Buffer>;
}

export interface LoadOptions {
  /** Migrations of the database that the rows come from. */
  migrations: AppliedMigration[];
  tables: TableRows[];
  /** Calls `load` once for each of the tables; its result is the number of rows written, unless it is skipped. */
  fill(load: (table: LoadedTable) => Promise<number | undefined>): Promise<void>;
  onStep(step: 'indexing' | 'migrating'): void;
  /** The last step before the commit. */
  beforeCommit(): Promise<void>;
}

/**
 * Creates the schema that the rows were written with, loads them, and migrates on to this program's schema. Returns the
 * tables that were skipped, because Countersign has none of that name: someone else's in the same schema.
 */
export async function loadRows(connection: Connection, options: LoadOptions): Promise<string[]> {
  const all = await readMigrations();
  const known = new Map(options.migrations.map(({ checksum, name }) => [name, checksum]));
  pending(all, known);
  return withConnection(connection, async (client) => {
    await withoutLimits(client);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    if ((await readTables(client)).length > 0) throw notEmpty();
    await createMigrationsTable(client);
    await applyMigrations(
      client,
      all.filter(({ name }) => known.has(name)),
    );
    const made = await readTables(client);
    checkTables(made, options.tables);
    const restoreConstraints = await dropConstraints(client);
    await emptyTables(client);
    const ours = new Set(made.map(({ name }) => name));
    await options.fill(async ({ pieces, ...table }) =>
      ours.has(table.name)
        ? copyIn(client, `COPY ${copied(table)} FROM STDIN WITH (FREEZE)`, pieces)
        : skip(pieces),
    );
    options.onStep('indexing');
    await restoreConstraints();
    options.onStep('migrating');
    await applyMigrations(client, pending(all, await readApplied(client)));
    // Without statistics, the first queries would be planned badly.
    await client.query('ANALYZE');
    await options.beforeCommit();
    await client.query('COMMIT');
    return options.tables.map(({ name }) => name).filter((name) => !ours.has(name));
  });
}

/** Migrations have added rows, which the backup has too. Tables without rows are left alone: truncating them takes time as well. */
async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`);
  await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
}

async function skip(pieces: AsyncIterable<Buffer>): Promise<undefined> {
  for await (const _ of pieces);
  return undefined;
}

function notEmpty(): StartFailure {
  return new StartFailure(
    'refused',
    'the database is not empty. Restore into a new one: create it with createdb and set DATABASE_URL, or set DATA_DIR to a new folder. Nothing was changed.',
  );
}

/** A backup has every table that its migrations make, with the same columns. */
function checkTables(made: TableRows[], given: TableRows[]): void {
  const found = new Set(given.map(copied));
  const missing = made.map(copied).filter((table) => !found.has(table));
  if (missing.length === 0) return;
  throw new StartFailure(
    'refused',
    `the backup lacks tables or columns of its version of Countersign: ${missing.join('; ')}`,
  );
}

/** Rows are loaded many times faster without indexes and constraints, and in any order; triggers would act a second time. Returns what creates them again. */
async function dropConstraints(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint
    WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'x', 'f')
    ORDER BY contype = 'f', conname`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    ORDER BY 1`);
  const { rows: triggers } = await client.query<{ table: string }>(`
    SELECT DISTINCT t.tgrelid::regclass::text AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal`);
  const dropping = [
    ...constraints.toReversed().map(({ name, table }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    ...triggers.map(({ table }) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
  ];
  await client.query(dropping.join(';'));
  const isReference = ({ definition }: { definition: string }) => definition.startsWith('FOREIGN KEY');
  const added = ({ definition, name, table }: (typeof constraints)[number]) =>
    `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`;
  const creating = [
    ...constraints.filter((constraint) => !isReference(constraint)).map(added),
    ...indexes.map(({ definition }) => definition),
    ...constraints.filter(isReference).map(added),
    ...triggers.map(({ table }) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
  ];
  return async () => {
    await client.query(creating.join(';'));
  };
}
