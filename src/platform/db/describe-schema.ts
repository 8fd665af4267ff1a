/** The schema as the catalogs have it: a description for people, and the types of the query builder. */
import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  default: string | null;
}

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'Int8',
  'double precision': 'number',
  'timestamp with time zone': 'Timestamp',
  bytea: 'Buffer',
  jsonb: 'Json',
  'uuid[]': 'string[]',
  'text[]': 'string[]',
  'integer[]': 'number[]',
  tsvector: 'string',
};

export async function describeSchema(client: pg.Client): Promise<{ description: string; types: string }> {
  const columns = await readColumns(client);
  const constraints = await readLines(client, CONSTRAINTS);
  const indexes = await readLines(client, INDEXES);
  const tables = [...new Set(columns.map((column) => column.table))];

  const description = tables.map((table) => {
    const own = columns.filter((column) => column.table === table);
    const width = Math.max(...own.map((column) => column.name.length));
    return [
      table,
      ...own.map(({ name, type, required, default: value }) =>
        `  ${name.padEnd(width)}  ${type}${required ? '' : ' | null'}${value === null ? '' : ` = ${value}`}`.trimEnd(),
      ),
      ...(constraints.get(table) ?? []),
      ...(indexes.get(table) ?? []),
      '',
    ].join('\n');
  });
  const types = tables.map((table) => {
    const own = columns.filter((column) => column.table === table);
    const allowed = allowedValues(constraints.get(table) ?? []);
    const lines = own.map((column) => `    ${column.name}: ${typeOf(column, allowed.get(column.name))};`);
    return [`  ${table}: {`, ...lines, '  };'].join('\n');
  });
  return { description: description.join('\n'), types: `${TYPES_HEAD}${types.join('\n')}\n}\n` };
}

const TYPES_HEAD = `/** The tables as the query builder knows them. Generated from the catalogs by \`npm run generate\`. */
import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date, Date>;
export type Int8 = ColumnType<string, number | string, number | string>;
export type Json = ColumnType<unknown, string, string>;
export type WithDefault<T> = [T] extends [ColumnType<infer Read, infer Inserted, infer Updated>]
  ? ColumnType<Read, Inserted | undefined, Updated>
  : ColumnType<T, T | undefined, T>;

export interface Tables {
`;

const ONE_OF = /^ *CHECK \(\((\w+) = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)\)$/;

/** By column: the union of the texts that a CHECK constraint allows. */
function allowedValues(constraints: string[]): Map<string, string> {
  const found = constraints.flatMap((line) => {
    const [, column, list] = ONE_OF.exec(line) ?? [];
    if (column === undefined || list === undefined) return [];
    const values = [...list.matchAll(/('[^']*')::text/g)].map((match) => match[1]);
    return [[column, values.join(' | ')] as const];
  });
  return new Map(found);
}

function typeOf(column: Column, allowed: string | undefined): string {
  const plain = allowed ?? TYPES[column.type];
  if (!plain)
    throw new Error(`${column.table}.${column.name}: no TypeScript type is known for ${column.type}`);
  const type = column.required ? plain : `${plain} | null`;
  return column.default === null ? type : `WithDefault<${type}>`;
}

async function readColumns(client: pg.Client): Promise<Column[]> {
  const answer = await client.query<Column>(`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
           a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS "default"
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped
    ORDER BY c.relname, a.attnum`);
  return answer.rows;
}

/** Not-null constraints are left out: PostgreSQL 18 lists them as constraints, older versions do not. */
const CONSTRAINTS = `
  SELECT c.relname AS "table", '  ' || pg_get_constraintdef(k.oid) AS line
  FROM pg_constraint k
  JOIN pg_class c ON c.oid = k.conrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
  WHERE k.contype <> 'n'
  ORDER BY c.relname, k.contype, k.conname`;

const INDEXES = `
  SELECT i.tablename AS "table", '  ' || regexp_replace(i.indexdef, ' ON public\\.\\w+ USING', ' USING') AS line
  FROM pg_indexes i
  WHERE i.schemaname = 'public'
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conname = i.indexname AND k.contype IN ('p', 'u'))
  ORDER BY i.tablename, i.indexname`;

async function readLines(client: pg.Client, query: string): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>();
  const answer = await client.query<{ table: string; line: string }>(query);
  for (const { table, line } of answer.rows) lines.set(table, [...(lines.get(table) ?? []), line]);
  return lines;
}
