/** Upgrades: rows of every schema there ever was survive, and a new migration leaves the version before it working. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type Connection, migrate, withConnection } from '../../../src/platform/db/index.ts';
import { readMigrations } from '../../../src/platform/db/migrate.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { fillTables } from '../../helpers/database/fill-tables.ts';
import { applyTo, breakingChanges, readSchema } from '../../helpers/database/schema-versions.ts';

/** Migrations up to this one were written before two versions had to run side by side. */
const LAST_FREE = '0031_written_summaries';

/**
 * Contract steps: what a migration takes away on purpose, one release after the last program that used it. List exactly
 * what the test reports, and the release that no longer needs it.
 */
const CONTRACTS: Record<string, { unusedSince: string; breaks: string[] }> = {};

/** Triggers that a migration adds on purpose, and why programs of the version before go on working. */
const HARMLESS_TRIGGERS: Record<string, string> = {
  'architecture_summaries.index_words_of_new': 'only writes to architecture_words, which they do not know',
  'architecture_summaries.index_words_of_changed': 'the same',
  'architecture_summaries.index_words_of_gone': 'the same',
  ...Object.fromEntries(
    ['pull_request_comments', 'comment_edits', 'pending_comments', 'pull_request_verdicts', 'pull_requests']
      .concat('plan_comments', 'plan_versions')
      .flatMap((table) => ['new', 'changed', 'gone'].map((how) => `${table}.note_images_of_${how}`))
      .map((trigger) => [trigger, 'only writes to image_uses, which they do not know, and its own column']),
  ),
};

/** Columns that a migration fills or corrects on purpose, so that old values don't survive in them. */
const REWRITTEN: Record<string, string> = {
  'repositories.described_name':
    'repositories are described again, because the words of their code are searched too',
};

const migrations = await readMigrations();
const log = pino({ level: 'silent' });

interface Table {
  oid: number;
  name: string;
  columns: Map<number, string>;
}

async function readTables(connection: Connection): Promise<Table[]> {
  return withConnection(connection, async (client) => {
    const { rows } = await client.query(`
      SELECT c.oid::int, c.relname AS name, a.attnum AS number, a.attname AS column
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
        AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 2, 3`);
    const tables = new Map<number, Table>();
    for (const { column, name, number, oid } of rows) {
      const table = tables.get(oid) ?? { oid, name, columns: new Map() };
      tables.set(oid, table);
      table.columns.set(number, column);
    }
    return [...tables.values()];
  });
}

/** The rows of each table with columns by number, which survive a renaming; in one request for all tables. */
async function readRows(
  connection: Connection,
  wanted: { table: Table; numbers: number[] }[],
): Promise<string[][]> {
  const selects = wanted.map(({ numbers, table }) => {
    const values = numbers.map((number) => `"${table.columns.get(number)}"`).join(', ');
    return `SELECT jsonb_build_array(${values})::text AS row FROM "${table.name}" ORDER BY 1`;
  });
  if (selects.length === 0) return [];
  return withConnection(connection, async (client) => {
    const answer = await client.query<{ row: string }>(selects.join('; '));
    // One statement is answered by itself, several by a list.
    return [answer].flat().map(({ rows }) => rows.map(({ row }) => row));
  });
}

describe('rows of every schema there ever was survive the upgrade', () => {
  /** One database goes through all versions: each adds rows of its own, and no migration may lose any of those before it. */
  let database: Connection | undefined;

  it.each(migrations.map(({ name }, index) => [name, index] as const))('through %s', async (_, index) => {
    database ??= await createTestDatabase({ migrated: false });
    if (index > 0) await fillTables(database, 2, { firstRow: index * 2 });
    const before = await readTables(database);
    const old = await readRows(
      database,
      before.map((table) => ({ table, numbers: [...table.columns.keys()] })),
    );
    await applyTo(database, migrations.slice(index, index + 1));
    const after = new Map((await readTables(database)).map((table) => [table.oid, table]));
    const kept = before.map((table) => {
      const now = after.get(table.oid);
      expect(now, `${table.name} is gone`).toBeDefined();
      const survives = (number: number) =>
        now!.columns.has(number) && !REWRITTEN[`${now!.name}.${now!.columns.get(number)}`];
      return { table: now!, numbers: [...table.columns.keys()].filter(survives) };
    });
    const found = await readRows(database, kept);
    for (const [place, table] of before.entries()) {
      const isKept = [...table.columns.keys()].map((number) => kept[place]!.numbers.includes(number));
      const expected = old[place]!.map((row) =>
        JSON.stringify((JSON.parse(row) as unknown[]).filter((_value, column) => isKept[column])),
      );
      const rows = new Set(found[place]!.map((row) => JSON.stringify(JSON.parse(row))));
      expect(
        expected.filter((row) => !rows.has(row)),
        table.name,
      ).toEqual([]);
    }
  });
});

it('indexes the words of summaries that were there before', async () => {
  const database = await createTestDatabase({ migrated: false });
  const before = migrations.findIndex(({ name }) => name === '0041_architecture_words');
  await applyTo(database, migrations.slice(0, before));
  await withConnection(database, (client) =>
    client.query(`INSERT INTO organizations (id, name, created_at) VALUES (gen_random_uuid(), 'Acme', now());
      INSERT INTO repositories (id, organization_id, name, created_at)
        SELECT gen_random_uuid(), id, 'acme/a', now() FROM organizations;
      INSERT INTO architecture_summaries (repository_id, domain, organization_id, commit, sentences, summary, words, main_words)
        SELECT id, d, organization_id, 'c', '[]', '', to_tsvector('simple', 'billing ' || d), to_tsvector('simple', d)
        FROM repositories CROSS JOIN unnest(ARRAY['API', 'DATA']) d`),
  );
  await migrate(database, log);
  const { rows } = await withConnection(database, (client) =>
    client.query('SELECT word, domains, main_domains FROM architecture_words ORDER BY word'),
  );
  expect(rows).toEqual([
    { word: 'api', domains: 1, main_domains: 1 },
    { word: 'billing', domains: 5, main_domains: 0 },
    { word: 'data', domains: 4, main_domains: 4 },
  ]);
});

describe('a new migration leaves the version before it working', () => {
  const first = migrations.findIndex(({ name }) => name === LAST_FREE) + 1;
  // One database that runs all of them in order.
  let applied = 0;
  let database: Connection | undefined;

  it.each(migrations.slice(first).map(({ name }, index) => [name, first + index] as const))(
    '%s',
    async (name, index) => {
      database ??= await createTestDatabase({ migrated: false });
      await applyTo(database, migrations.slice(applied, index));
      const before = await withConnection(database, readSchema);
      await applyTo(database, migrations.slice(index, index + 1));
      applied = index + 1;
      const after = await withConnection(database, readSchema);
      const isHarmless = (change: string) =>
        Object.keys(HARMLESS_TRIGGERS).some((trigger) => change === `the trigger ${trigger} is new`);
      const found = breakingChanges(before, after).filter((change) => !isHarmless(change));
      expect(found).toEqual(CONTRACTS[name]?.breaks ?? []);
    },
  );

  it('names only migrations that exist as contract steps', () => {
    expect(migrations.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(CONTRACTS)));
  });
});

describe('what would break the version before', () => {
  const BEFORE = `CREATE TABLE parents (id int PRIMARY KEY);
    CREATE TABLE things (id int PRIMARY KEY, name text, kind text NOT NULL DEFAULT 'a', note text NOT NULL,
      CONSTRAINT things_kind CHECK (kind IN ('a', 'b')), CONSTRAINT things_name UNIQUE (name));`;

  it.each([
    ['ALTER TABLE things DROP COLUMN name', ['things.name is gone', 'things.things_name is gone']],
    [
      'ALTER TABLE things RENAME COLUMN note TO notes',
      ['things.note is gone', 'things.notes is new and required'],
    ],
    ['ALTER TABLE things RENAME TO items', expect.arrayContaining(['things.id is gone'])],
    ['DROP TABLE things', expect.arrayContaining(['things.id is gone'])],
    ['ALTER TABLE things ALTER COLUMN id TYPE bigint', ['things.id is bigint instead of integer']],
    ['ALTER TABLE things ALTER COLUMN name SET NOT NULL', ['things.name is required']],
    ['ALTER TABLE things ALTER COLUMN kind DROP DEFAULT', ['things.kind has no default']],
    ['ALTER TABLE things ADD COLUMN color text NOT NULL', ['things.color is new and required']],
    ["ALTER TABLE things ADD CHECK (name <> '')", [expect.stringContaining('things_name_check is new')]],
    ['CREATE UNIQUE INDEX one_note ON things (note)', [expect.stringContaining('things.one_note is new')]],
    [
      'ALTER TABLE things ADD FOREIGN KEY (id) REFERENCES parents',
      [expect.stringContaining('things_id_fkey is new')],
    ],
    ['ALTER TABLE things DROP CONSTRAINT things_name', ['things.things_name is gone']],
    [
      "ALTER TABLE things DROP CONSTRAINT things_kind, ADD CONSTRAINT things_kind CHECK (kind IN ('a', 'c'))",
      [expect.stringContaining('things.things_kind is new')],
    ],
    [
      `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
       CREATE TRIGGER t BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION f()`,
      ['the trigger things.t is new'],
    ],
  ])('%s', async (sql, expected) => {
    expect(await changesOf(sql)).toEqual(expected);
  });

  it.each([
    'ALTER TABLE things ADD COLUMN color text',
    "ALTER TABLE things ADD COLUMN color text NOT NULL DEFAULT 'red' CHECK (color <> '')",
    'ALTER TABLE things ADD COLUMN parent_id int REFERENCES parents',
    'CREATE TABLE colors (name text PRIMARY KEY, thing_id int NOT NULL REFERENCES things)',
    'CREATE INDEX things_note ON things (note)',
    'ALTER TABLE things ALTER COLUMN note DROP NOT NULL',
    'ALTER TABLE things DROP CONSTRAINT things_kind',
    "ALTER TABLE things DROP CONSTRAINT things_kind, ADD CONSTRAINT things_kind CHECK (kind IN ('a', 'b', 'c'))",
  ])('nothing: %s', async (sql) => {
    expect(await changesOf(sql)).toEqual([]);
  });

  let database: Promise<Connection> | undefined;
  async function changesOf(sql: string): Promise<string[]> {
    database ??= createTestDatabase({ migrated: false });
    return withConnection(await database, async (client) => {
      await client.query(`BEGIN; ${BEFORE}`);
      const before = await readSchema(client);
      await client.query(sql);
      const after = await readSchema(client);
      await client.query('ROLLBACK');
      return breakingChanges(before, after);
    });
  }
});
