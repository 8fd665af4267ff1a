/** The contents of all tables, for tests that compare before and after. */
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/index.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

async function columnsOf(db: Db): Promise<Column[]> {
  const answer = await sql<Column>`
    SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    ORDER BY 1, c.ordinal_position`.execute(db);
  return answer.rows;
}

/** Prepares a query that counts the rows of every table. */
export async function rowCounter(db: Db): Promise<() => Promise<Record<string, number>>> {
  const tables = [...new Set((await columnsOf(db)).map(({ table }) => table))];
  const counts = sql.join(
    tables.map((table) => sql`(SELECT count(*)::int FROM ${sql.table(table)}) AS ${sql.ref(table)}`),
  );
  return async () => (await sql<Record<string, number>>`SELECT ${counts}`.execute(db)).rows[0]!;
}

/** Prepares queries for every row that belongs to an organization, including its users. */
export async function rowReader(
  db: Db,
): Promise<(organizationId: string) => Promise<Record<string, string[]>>> {
  const columns = await columnsOf(db);
  const conditions = [...new Set(columns.map(({ table }) => table))].flatMap((table) => {
    if (columns.some((column) => column.table === table && column.column === 'organization_id'))
      return [[table, (id: string) => sql`organization_id = ${id}`] as const];
    if (table === 'organizations') return [[table, (id: string) => sql`id = ${id}`] as const];
    if (table === 'users')
      return [
        [
          table,
          (id: string) => sql`id IN (SELECT user_id FROM memberships WHERE organization_id = ${id})`,
        ] as const,
      ];
    return [];
  });
  return async (organizationId) => {
    const selects = conditions.map(
      ([table, belongs]) =>
        sql`SELECT ${sql.lit(table)} AS table, to_jsonb(t)::text AS row FROM ${sql.table(table)} t WHERE ${belongs(organizationId)}`,
    );
    const answer = await sql<{ table: string; row: string }>`
      ${sql.join(selects, sql` UNION ALL `)} ORDER BY 1, 2`.execute(db);
    const rows: Record<string, string[]> = Object.fromEntries(conditions.map(([table]) => [table, []]));
    for (const { row, table } of answer.rows) rows[table]!.push(row);
    return rows;
  };
}

/** The ids in those rows, with a maximum per primary key and per name of a reference, which many tables have. */
export function idsIn(rows: Record<string, string[]>, maxPerColumn = Number.POSITIVE_INFINITY): string[] {
  const found = new Map<string, Set<string>>();
  for (const [table, texts] of Object.entries(rows)) {
    for (const text of texts) {
      for (const [column, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
        if (typeof value !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) continue;
        const place = column === 'id' ? table : `.${column}`;
        const ids = found.get(place) ?? new Set();
        if (ids.size < maxPerColumn) ids.add(value);
        found.set(place, ids);
      }
    }
  }
  return [...new Set([...found.values()].flatMap((ids) => [...ids]))];
}
