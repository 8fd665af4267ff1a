/** Forward-only migrations: the SQL files in `migrations`, applied in order, under a lock, in one transaction. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';
import type { Log } from '../core/telemetry/log.ts';
import type { Connection } from './connection.ts';
import { connectionFailure } from './connection-failure.ts';
import { withConnection } from './database.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
/** Any fixed number; it only has to be the same on every node. */
export const MIGRATION_LOCK = 4_000_001;

/** Missing permission to create tables, and a read-only server: for the operator to fix. */
const REFUSALS = new Set(['42501', '25006']);

export interface AppliedMigration {
  name: string;
  checksum: string;
}

export interface Migration extends AppliedMigration {
  sql: string;
}

/** Brings the database to this program's schema. Any number of nodes may call it at once. */
export async function migrate(connection: Connection, log: Log, folder = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  try {
    const applied = await withConnection(connection, (client) => applyPending(client, migrations));
    const names = applied.map(({ name }) => name);
    if (names.length > 0) log.info({ migrations: names.length, newest: names.at(-1) }, 'database migrated');
  } catch (error) {
    throw REFUSALS.has(errorCode(error) ?? '') ? connectionFailure(connection, error) : error;
  }
}

/** All or nothing: a connection that ends without COMMIT leaves the database unchanged. */
async function applyPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  if (pending(migrations, await readApplied(client)).length === 0) return [];
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await createMigrationsTable(client);
  const toApply = pending(migrations, await readApplied(client));
  await applyMigrations(client, toApply);
  await client.query('COMMIT');
  return toApply;
}

export async function createMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
}

/** In the open transaction. */
export async function applyMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    await client.query(migration.sql);
    await client.query('INSERT INTO migrations VALUES ($1, $2, now())', [migration.name, migration.checksum]);
  }
}

/** This program's migrations, in order. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8');
      return {
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}

export async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const table = await client.query(`SELECT to_regclass('migrations') AS found`);
  if (table.rows[0].found === null) return new Map();
  const applied = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations',
  );
  return new Map(applied.rows.map((row) => [row.name, row.checksum]));
}

/** The migrations still to be applied; rejects a database that this program does not know. */
export function pending(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  const unknown = [...applied.keys()].filter((name) => !ours.has(name)).sort();
  if (unknown.length > 0) {
    throw new StartFailure(
      'database_newer',
      `The database was migrated by a newer version of Countersign (it has ${unknown.join(', ')}). Install that version or a later one; a database cannot be downgraded.`,
    );
  }
  for (const [name, checksum] of applied) {
    if (ours.get(name)!.checksum !== checksum) {
      throw new StartFailure(
        'database_newer',
        `The database was migrated by another build of Countersign: its migration ${name} is different. Install the build that migrated it.`,
      );
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}
