/** Each migration is applied once, even by many nodes at the same time, completely or not at all. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { cleanUp, startScript, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import type { Connection } from './connection.ts';
import { withConnection } from './database.ts';
import { migrate } from './migrate.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const NAMES = readdirSync(FOLDER).map((file) => file.replace('.sql', ''));

afterAll(cleanUp);

/** A log that keeps what was said. */
function listeningLog() {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const logged = () =>
    lines.map((line) => {
      const { migrations, newest } = JSON.parse(line);
      return { migrations, newest };
    });
  return { log, logged };
}

const { log: silent } = listeningLog();

function rowsOf(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  return withConnection(connection, async (client) => (await client.query(sql)).rows);
}

const tablesOf = async (connection: Connection) =>
  (await rowsOf(connection, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)).map(
    ({ tablename }) => tablename,
  );
const appliedIn = async (connection: Connection) =>
  (await rowsOf(connection, 'SELECT name FROM migrations ORDER BY name')).map(({ name }) => name);

/** A copy of the migrations with more after them. */
function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  cpSync(FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
  return folder;
}

describe('an empty database', () => {
  it('gets every migration in order, and logs one line at the end', async () => {
    const database = await createTestDatabase({ migrated: false });
    const { log, logged } = listeningLog();
    await migrate(database, log);
    expect(logged()).toEqual([{ migrations: NAMES.length, newest: NAMES.at(-1) }]);
    expect(await appliedIn(database)).toEqual(NAMES);
  });

  it('ten connections at once: each migration is applied once', async () => {
    const database = await createTestDatabase({ migrated: false });
    const { log, logged } = listeningLog();
    await Promise.all(Array.from({ length: 10 }, () => migrate(database, log)));
    expect(logged()).toEqual([{ migrations: NAMES.length, newest: NAMES.at(-1) }]);
  });

  it('ten processes at once: each migration is applied once', async () => {
    const database = await createTestDatabase({ migrated: false });
    const script = `
      import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)};
      let applied = 0;
      console.log('loaded');
      process.stdin.once('data', async () => {
        await migrate(${JSON.stringify(database)}, { info: ({ migrations }) => (applied += migrations) });
        console.log(applied);
        process.exit();
      });`;
    const nodes = Array.from({ length: 10 }, () => startScript(script));
    for (const node of nodes) expect(await node.line()).toBe('loaded');
    for (const node of nodes) node.send('go');
    const applied = await Promise.all(nodes.map(async (node) => Number(await node.line())));
    expect(applied.filter((count) => count > 0)).toEqual([NAMES.length]);
    expect(await appliedIn(database)).toEqual(NAMES);
  });
});

describe('a migration that fails', () => {
  const BROKEN = {
    '9000_good.sql': 'CREATE TABLE good (id int);',
    '9001_broken.sql': 'CREATE TABLE half (id int); SELECT 1 / 0;',
  };

  it('leaves an empty database empty', async () => {
    const database = await createTestDatabase({ migrated: false });
    const { log, logged } = listeningLog();
    await expect(migrate(database, log, folderWith(BROKEN))).rejects.toThrow('division by zero');
    expect(await tablesOf(database)).toEqual([]);
    expect(logged()).toEqual([]);
  });

  it('leaves a migrated database unchanged, and the corrected migration continues from there', async () => {
    const database = await createTestDatabase();
    const before = await tablesOf(database);
    await expect(migrate(database, silent, folderWith(BROKEN))).rejects.toThrow('division by zero');
    expect(await tablesOf(database)).toEqual(before);
    expect(await appliedIn(database)).toEqual(NAMES);
    await migrate(
      database,
      silent,
      folderWith({ ...BROKEN, '9001_broken.sql': 'CREATE TABLE half (id int);' }),
    );
    expect(await appliedIn(database)).toEqual([...NAMES, '9000_good', '9001_broken']);
  });
});

describe('a database that is up to date', () => {
  it('is not locked: the check passes during another migration', async () => {
    const database = await createTestDatabase();
    await withConnection(database, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(4000001)');
      await client.query('LOCK TABLE organizations IN ACCESS EXCLUSIVE MODE');
      await migrate(database, silent);
      await client.query('ROLLBACK');
    });
  });

  it('writes nothing', async () => {
    const database = await createTestDatabase();
    const before = await rowsOf(database, 'SELECT xmin, * FROM migrations ORDER BY name');
    await migrate(database, silent);
    expect(await rowsOf(database, 'SELECT xmin, * FROM migrations ORDER BY name')).toEqual(before);
  });
});

describe('refused', () => {
  it('a database of a newer program, before anything is applied', async () => {
    const database = await createTestDatabase();
    await migrate(database, silent, folderWith({ '9000_future.sql': 'CREATE TABLE future (id int);' }));
    await expect(
      migrate(database, silent, folderWith({ '8000_ours.sql': 'CREATE TABLE ours (id int);' })),
    ).rejects.toMatchObject({
      kind: 'database_newer',
      message: expect.stringContaining('it has 9000_future'),
    });
    expect(await tablesOf(database)).not.toContain('ours');
  });

  it('a migration whose text is not the one that was applied', async () => {
    const database = await createTestDatabase();
    const edited = folderWith({ [`${NAMES[0]}.sql`]: '-- edited' });
    await expect(migrate(database, silent, edited)).rejects.toMatchObject({
      kind: 'database_newer',
      message: expect.stringContaining(`its migration ${NAMES[0]} is different`),
    });
  });

  it('explains a read-only server', async () => {
    const database = await createTestDatabase({ migrated: false });
    await withConnection(database, (client) =>
      client.query(`ALTER DATABASE ${database.database} SET default_transaction_read_only = on`),
    );
    await expect(migrate(database, silent)).rejects.toMatchObject({
      kind: 'database_unreachable',
      message: expect.stringContaining('is read-only'),
    });
  });
});
