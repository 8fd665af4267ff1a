/** The schema of every version: the first migrations up to one, and what changes for a program of the version before. */
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';
import { applyMigrations, createMigrationsTable, type Migration } from '../../../src/platform/db/migrate.ts';

type Client = Parameters<Parameters<typeof withConnection>[1]>[0];

/** Applies migrations to a database, in one transaction. */
export function applyTo(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  return withConnection(connection, async (client) => {
    await client.query('BEGIN');
    await createMigrationsTable(client);
    await applyMigrations(client, migrations);
    await client.query('COMMIT');
  });
}

export interface Schema {
  /** By table and column. */
  columns: Map<string, { type: string; required: boolean; hasDefault: boolean; generated: boolean }>;
  /** Uniqueness, references and checks, by table and name. */
  rules: Map<string, { table: string; kind: string; columns: string[]; definition: string }>;
  triggers: Set<string>;
  functions: Set<string>;
}

export async function readSchema(client: Client): Promise<Schema> {
  const columns = await client.query(`
    SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
      d.oid IS NOT NULL AS has_default, a.attgenerated <> '' AS generated
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`);
  const names = (table: string, numbers: string) =>
    `ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = ${table} AND attnum = ANY (${numbers}) ORDER BY 1)`;
  const constraints = await client.query(`
    SELECT conrelid::regclass::text AS table, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition,
      ${names('conrelid', 'conkey')} AS columns
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'x', 'f', 'c')`);
  const indexes = await client.query(`
    SELECT i.indrelid::regclass::text AS table, c.relname AS name, 'u' AS kind, pg_get_indexdef(c.oid) AS definition,
      ${names('i.indrelid', 'i.indkey::int2[]')} AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`);
  const triggers = await client.query(`
    SELECT tgrelid::regclass::text || '.' || tgname AS name FROM pg_trigger WHERE NOT tgisinternal`);
  const functions = await client.query(`
    SELECT proname AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`);
  return {
    columns: new Map(
      columns.rows.map((row) => [
        row.name,
        { type: row.type, required: row.required, hasDefault: row.has_default, generated: row.generated },
      ]),
    ),
    rules: new Map([...constraints.rows, ...indexes.rows].map((row) => [`${row.table}.${row.name}`, row])),
    triggers: new Set(triggers.rows.map((row) => row.name)),
    functions: new Set(functions.rows.map((row) => row.name)),
  };
}

/** Describes changes that a program written for `before` may fail on; empty if it can continue. */
export function breakingChanges(before: Schema, after: Schema): string[] {
  const tablesBefore = new Set([...before.columns.keys()].map(tableOf));
  const found: string[] = [];
  for (const [name, old] of before.columns) {
    const now = after.columns.get(name);
    if (!now) found.push(`${name} is gone`);
    else if (now.type !== old.type) found.push(`${name} is ${now.type} instead of ${old.type}`);
    else if (now.generated && !old.generated) found.push(`${name} can't be written`);
    else if (now.required && !old.required) found.push(`${name} is required`);
    else if (now.required && old.hasDefault && !now.hasDefault) found.push(`${name} has no default`);
  }
  for (const [name, { generated, hasDefault, required }] of after.columns) {
    const isNew = tablesBefore.has(tableOf(name)) && !before.columns.has(name);
    if (isNew && required && !hasDefault && !generated) found.push(`${name} is new and required`);
  }
  for (const [name, old] of before.rules) {
    // INSERT … ON CONFLICT names the columns of a unique constraint.
    if ('pu'.includes(old.kind) && !after.rules.has(name) && !hasSame(after, old))
      found.push(`${name} is gone`);
  }
  for (const [name, rule] of after.rules) {
    const old = before.rules.get(name);
    if (old?.definition === rule.definition || !tablesBefore.has(rule.table)) continue;
    // An older program leaves new columns at their defaults.
    const oldColumns = rule.columns.filter((column) => before.columns.has(`${rule.table}.${column}`));
    if (oldColumns.length === 0 && rule.columns.length > 0) continue;
    if (hasSame(before, rule) || (old && isWider(rule.definition, old.definition))) continue;
    found.push(`${name} is new: ${rule.definition}`);
  }
  for (const name of after.triggers)
    if (!before.triggers.has(name) && tablesBefore.has(tableOf(name)))
      found.push(`the trigger ${name} is new`);
  for (const name of before.functions)
    if (!after.functions.has(name)) found.push(`the function ${name} is gone`);
  return found.sort();
}

const tableOf = (name: string) => name.split('.')[0]!;

function hasSame(schema: Schema, rule: { table: string; definition: string }): boolean {
  return [...schema.rules.values()].some(
    (each) => each.table === rule.table && each.definition === rule.definition,
  );
}

/** Whether a check of a list of texts allows everything that the other allows, and more. */
function isWider(definition: string, old: string): boolean {
  const [now, then] = [definition, old].map((text) => ({
    values: [...text.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!),
    rest: text.replace(/'[^']*'::text(, )?/g, ''),
  }));
  return now!.rest === then!.rest && then!.values.every((value) => now!.values.includes(value));
}
