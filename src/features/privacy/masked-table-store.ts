/** Queries for cleaning stored texts, one table after another in the order of its key. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface MaskedTable {
  name: string;
  /** The columns of the key with their types. */
  key: Record<string, 'uuid' | 'integer' | 'bigint'>;
  texts?: readonly string[];
  json?: readonly string[];
}

/** As PostgreSQL writes them; JSON is parsed. */
export type StoredRow = { key: string[]; texts: (string | null)[]; json: unknown[] };

export async function insertMaskedTables(db: Db, names: readonly string[]): Promise<void> {
  await sql`INSERT INTO masked_tables (name) SELECT unnest(${names}::text[]) ON CONFLICT DO NOTHING`.execute(
    db,
  );
}

/** The next table that isn't finished and that no other node works on; locked until the transaction ends. */
export async function lockUnmasked(
  db: Db,
  names: readonly string[],
): Promise<{ name: string; after: string[] | null } | undefined> {
  const { rows } = await sql<{ name: string; after: string[] | null }>`
    SELECT name, after_key AS after FROM masked_tables
    WHERE finished_at IS NULL AND name = ANY(${names}::text[])
    ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(db);
  return rows[0];
}

export async function saveMasked(
  db: Db,
  name: string,
  { after, isFinished }: { after: string[] | null; isFinished: boolean },
): Promise<void> {
  await sql`UPDATE masked_tables SET after_key = ${JSON.stringify(after)}::jsonb,
    finished_at = CASE WHEN ${isFinished} THEN clock_timestamp() END WHERE name = ${name}`.execute(db);
}

export async function selectStoredTexts(
  db: Db,
  { json = [], key, name, texts = [] }: MaskedTable,
  after: string[] | null,
  limit: number,
): Promise<StoredRow[]> {
  const columns = Object.keys(key);
  const list = (names: readonly string[], of = (column: string) => sql`${sql.ref(column)}`) =>
    names.length === 0 ? sql`NULL` : sql.join(names.map(of));
  const from =
    after === null
      ? sql`true`
      : sql`(${list(columns)}) > (${sql.join(columns.map((column, index) => typedValue(key, column, after[index]!)))})`;
  const { rows } = await sql<StoredRow>`
    SELECT ARRAY[${list(columns, (column) => sql`${sql.ref(column)}::text`)}] AS key,
      ${texts.length === 0 ? sql`'{}'::text[]` : sql`ARRAY[${list(texts)}]`} AS texts,
      jsonb_build_array(${json.length === 0 ? sql`` : list(json)}) AS json
    FROM ${sql.table(name)} WHERE ${from} ORDER BY ${list(columns)} LIMIT ${limit}`.execute(db);
  return rows;
}

/** Unless it was changed meanwhile: what is written now is masked already. */
export async function updateStoredTexts(
  db: Db,
  { json = [], key, name, texts = [] }: MaskedTable,
  before: StoredRow,
  after: Pick<StoredRow, 'texts' | 'json'>,
): Promise<void> {
  const changes = [
    ...texts.map((column, index) => ({
      ...{ column, old: sql`${before.texts[index]}::text`, fresh: sql`${after.texts[index]}::text` },
    })),
    ...json.map((column, index) => ({
      column,
      old: sql`${JSON.stringify(before.json[index])}::jsonb`,
      fresh: sql`${JSON.stringify(after.json[index])}::jsonb`,
    })),
  ].filter((_, index) =>
    index < texts.length
      ? before.texts[index] !== after.texts[index]
      : JSON.stringify(before.json[index - texts.length]) !==
        JSON.stringify(after.json[index - texts.length]),
  );
  const isRow = Object.keys(key).map(
    (column, index) => sql`${sql.ref(column)} = ${typedValue(key, column, before.key[index]!)}`,
  );
  const isSame = changes.map(({ column, old }) => sql`${sql.ref(column)} = ${old}`);
  await sql`UPDATE ${sql.table(name)}
    SET ${sql.join(changes.map(({ column, fresh }) => sql`${sql.ref(column)} = ${fresh}`))}
    WHERE ${sql.join([...isRow, ...isSame], sql` AND `)}`.execute(db);
}

function typedValue(key: MaskedTable['key'], column: string, value: string) {
  return sql`${value}::${sql.raw(key[column]!)}`;
}
