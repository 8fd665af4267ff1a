/** Rows for every table of any version of the schema, made from the catalogs alone: row n of a table refers to row n of others. */
import { createHash } from 'node:crypto';
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';

type Client = Parameters<Parameters<typeof withConnection>[1]>[0];

interface Column {
  table: string;
  name: string;
  type: string;
  number: number;
  required: boolean;
}

interface Reference {
  table: string;
  target: string;
  columns: string[];
  target_columns: string[];
  /** Whether none of its columns can be null. */
  required: boolean;
}

const ONE_OF = /\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)/;
/** Columns that stay null, because a CHECK constraint allows only one of several. */
const NULL_COLUMNS = new Set(['review_trials.code_host_id', 'images.plan_id', 'image_uses.plan_id']);
const BEGINNING = Date.UTC(2026, 0, 1);

/** Adds as many rows to each table of Countersign, from `firstRow` on; tables that allow only one row get one. */
export async function fillTables(
  connection: Connection,
  rowsPerTable: number,
  { firstRow = 0 } = {},
): Promise<void> {
  await withConnection(connection, async (client) => {
    const columns = await readColumns(client);
    const references = await readReferences(client);
    const choices = await readChoices(client);
    const filled = new Map<string, Record<string, unknown>[]>();
    for (const table of inOrder([...new Set(columns.map((column) => column.table))], references)) {
      const own = columns.filter((column) => column.table === table);
      const isSingle = own.some(({ name }) => name === 'only_row');
      const rows = Array.from({ length: isSingle ? 1 : rowsPerTable }, (_, index) => {
        const n = firstRow + index;
        const row: Record<string, unknown> = {};
        for (const column of own) {
          const choice = choices.get(`${table}.${column.name}`);
          row[column.name] = choice ? choice[index % choice.length] : sampleValue(column, n);
        }
        for (const reference of references.filter((each) => each.table === table)) {
          const target = filled.get(reference.target)?.[index];
          for (const [place, name] of reference.columns.entries()) {
            if (target) row[name] = target[reference.target_columns[place]!];
            else if (!own.find((column) => column.name === name)!.required) row[name] = null;
          }
        }
        for (const { name } of own) if (NULL_COLUMNS.has(`${table}.${name}`)) row[name] = null;
        return row;
      });
      filled.set(table, rows);
      const names = own.map(({ name }) => `"${name}"`).join(', ');
      await client
        .query(
          `INSERT INTO "${table}" (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)${isSingle ? ` WHERE NOT EXISTS (SELECT FROM "${table}")` : ''}`,
          [JSON.stringify(rows)],
        )
        .catch((error: Error) => {
          throw new Error(`${table} can't be filled: ${error.message}`, { cause: error });
        });
    }
  });
}

/** Every row of every table as text, for comparing. */
export async function readAllRows(connection: Connection): Promise<Record<string, string[]>> {
  return withConnection(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });
}

function sampleValue({ name, number, table, type }: Column, n: number): unknown {
  switch (type) {
    case 'uuid':
      return createHash('md5').update(`${table}.${number}.${n}`).digest('hex');
    case 'text':
      return `${name} ${n}\tschräg \\n \\. "'\n`;
    case 'boolean':
      return true;
    case 'smallint':
    case 'integer':
    case 'bigint':
      return n + 1;
    case 'double precision':
      return n / 3;
    case 'timestamp with time zone':
      return new Date(BEGINNING + number * 1000 + n).toISOString();
    case 'bytea':
      return `\\x00ff0a5c${Buffer.from(`${table}${number}${n}`).toString('hex')}`;
    case 'jsonb':
      return { text: `a\tb\\n"${n}` };
    case 'text[]':
      return [`${name},"${n}"`, '\\', ''];
    case 'uuid[]':
      return [createHash('md5').update(`${n}`).digest('hex')];
    case 'integer[]':
      return [n, n + 1];
    case 'tsvector':
      return `'a\\\\b':${n + 1}`;
    default:
      throw new Error(`${table}.${name}: no value is known for ${type}`);
  }
}

/** Tables after those that they must refer to. */
function inOrder(tables: string[], references: Reference[]): string[] {
  const ordered: string[] = [];
  const visit = (table: string, path: string[]) => {
    if (ordered.includes(table) || path.includes(table)) return;
    for (const { target } of references.filter((each) => each.required && each.table === table))
      visit(target, [...path, table]);
    if (!ordered.includes(table)) ordered.push(table);
  };
  for (const table of tables) visit(table, []);
  return ordered;
}

async function readColumns(client: Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnum AS number,
      a.attnotnull AS required
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY 1, a.attnum`);
  return rows;
}

async function readReferences(client: Client): Promise<Reference[]> {
  const names = (table: string, numbers: string) => `ARRAY(
    SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number ORDER BY k.place)`;
  const { rows } = await client.query<Reference>(`
    SELECT conrelid::regclass::text AS table,
      NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey) AND NOT attnotnull) AS required,
      confrelid::regclass::text AS target,
      ${names('conrelid', 'conkey')} AS columns, ${names('confrelid', 'confkey')} AS target_columns
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conname`);
  return rows;
}

/** By table and column: the texts that a CHECK constraint allows. */
async function readChoices(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace`);
  const found = rows.flatMap(({ definition, table }) => {
    const [, column, list] = ONE_OF.exec(definition) ?? [];
    if (!column || !list) return [];
    return [[`${table}.${column}`, [...list.matchAll(/'([^']*)'/g)].map((match) => match[1]!)] as const];
  });
  return new Map(found);
}
