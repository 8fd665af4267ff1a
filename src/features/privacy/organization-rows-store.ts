/**
 * Every row of an organization, found by the column `organization_id` that each of their tables has: to count, export and
 * delete them. The tables come from the catalog, so that a new one is covered without a change here.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface OrganizationTable {
  name: string;
  /** Exported columns: no keys, hashes, sealed secrets or search indexes. */
  shownColumns: string[];
  hiddenColumns: string[];
  /** References to be removed first, because two tables refer to each other. */
  clear: string[];
}

/** Secrets that are not binary. A patch is unpushed code that an agent sent to have it reviewed. */
const SECRET_COLUMNS = new Set(['webhooks.secret', 'oauth_records.payload', 'agent_reviews.patch']);
const HIDDEN_TYPES = new Set(['bytea', 'tsvector']);

interface Reference {
  table: string;
  to: string;
  column: string;
  nullable: boolean;
}

/** False if another transaction is exporting the organization; otherwise none can until this one ends. */
export async function holdExport(db: Db, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`export ${organizationId}`}, 0)) AS held`.execute(db);
  return rows[0]!.held;
}

/** In an order in which they can be deleted. */
export async function selectOrganizationTables(db: Db): Promise<OrganizationTable[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND EXISTS (SELECT FROM information_schema.columns o WHERE (o.table_schema, o.table_name, o.column_name)
        = (c.table_schema, c.table_name, 'organization_id'))
    ORDER BY c.table_name, c.ordinal_position`.execute(db);
  const { rows: references } = await sql<Reference>`
    SELECT f.conrelid::regclass::text AS table, f.confrelid::regclass::text AS to, a.attname AS column, NOT a.attnotnull AS nullable
    FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[array_upper(f.conkey, 1)]
    WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace AND f.conrelid <> f.confrelid`.execute(
    db,
  );
  const byTable = Map.groupBy(columns, ({ table }) => table);
  return inOrder([...byTable.keys()], references).map(({ clear, name }) => {
    const hides = ({ column, type }: { column: string; type: string }) =>
      HIDDEN_TYPES.has(type) || SECRET_COLUMNS.has(`${name}.${column}`);
    const all = byTable.get(name)!;
    return {
      name,
      clear,
      shownColumns: all.filter((column) => !hides(column)).map(({ column }) => column),
      hiddenColumns: all.filter(hides).map(({ column }) => column),
    };
  });
}

/** A table comes before those that it refers to; of two that refer to each other, one reference is removed first. */
function inOrder(tables: string[], all: Reference[]): { name: string; clear: string[] }[] {
  let references = all.filter(({ table, to }) => tables.includes(table) && tables.includes(to));
  const left = new Set(tables);
  const clear = new Map<string, string[]>();
  const order: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter((name) => !references.some(({ to }) => to === name));
    if (free.length === 0) {
      const loose = references.find(({ nullable, table, to }) => nullable && leadsTo(references, to, table));
      if (!loose) throw new Error(`these tables refer to each other: ${[...left].join(', ')}`);
      clear.set(loose.table, [...(clear.get(loose.table) ?? []), loose.column]);
      references = references.filter((reference) => reference !== loose);
      continue;
    }
    for (const name of free) left.delete(name);
    order.push(...free);
    references = references.filter(({ table }) => left.has(table));
  }
  return order.map((name) => ({ name, clear: clear.get(name) ?? [] }));
}

function leadsTo(references: Reference[], from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const table of seen) {
    if (table === to) return true;
    for (const reference of references) if (reference.table === table) seen.add(reference.to);
  }
  return false;
}

export async function countOrganizationRows(
  db: Db,
  organizationId: string,
  tables: OrganizationTable[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(name)} WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    counts[name] = rows[0]!.count;
  }
  return counts;
}

/** People who are members of no other organization. */
export async function selectOnlyHere(
  db: Db,
  organizationId: string,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ${organizationId}
      AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = m.user_id AND o.organization_id <> m.organization_id)`.execute(
    db,
  );
  return rows;
}

/** Requests that would add something to the organization wait from now on, and fail when it is gone. */
export async function lockOrganization(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** How many rows were deleted. Rows deleted by a cascade are not counted. */
export async function deleteOrganizationTable(
  db: Db,
  organizationId: string,
  table: OrganizationTable,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH gone AS (DELETE FROM ${sql.table(table.name)} WHERE organization_id = ${organizationId} RETURNING 1)
    SELECT count(*)::int AS count FROM gone`.execute(db);
  return rows[0]!.count;
}

export async function clearReferences(
  db: Db,
  organizationId: string,
  table: OrganizationTable,
): Promise<void> {
  for (const column of table.clear) {
    await sql`UPDATE ${sql.table(table.name)} SET ${sql.ref(column)} = NULL
      WHERE organization_id = ${organizationId} AND ${sql.ref(column)} IS NOT NULL`.execute(db);
  }
}

/** Read in chunks of about this size. */
const PIECE_BYTES = 1024 * 1024;
const MAX_ROWS = 1000;

/** The rows of one table as JSON, in chunks. Needs a transaction, so that all tables are from the same snapshot. */
export async function* readTable(
  transaction: Db,
  organizationId: string,
  table: OrganizationTable,
): AsyncGenerator<string[]> {
  yield* readInPieces(
    transaction,
    sql`SELECT (to_jsonb(t) - ${table.hiddenColumns}::text[])::text AS row FROM ${sql.table(table.name)} t
      WHERE organization_id = ${organizationId}`,
  );
}

/** The organization and the people in it. */
export async function* readOrganizationRow(
  transaction: Db,
  organizationId: string,
  what: 'organizations' | 'users',
): AsyncGenerator<string[]> {
  yield* readInPieces(
    transaction,
    what === 'organizations'
      ? sql`SELECT to_jsonb(o)::text AS row FROM organizations o WHERE id = ${organizationId}`
      : sql`SELECT (to_jsonb(u) - 'password_hash')::text AS row FROM users u
          WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = ${organizationId})`,
  );
}

async function* readInPieces(transaction: Db, query: ReturnType<typeof sql>): AsyncGenerator<string[]> {
  await sql`DECLARE exported NO SCROLL CURSOR FOR ${query}`.execute(transaction);
  for (let count = 1; ; ) {
    const { rows } = await sql<{ row: string }>`FETCH ${sql.lit(count)} FROM exported`.execute(transaction);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0);
    count = Math.max(1, Math.min(MAX_ROWS, count * 2, Math.floor(PIECE_BYTES / (bytes / rows.length))));
  }
  await sql`CLOSE exported`.execute(transaction);
}
