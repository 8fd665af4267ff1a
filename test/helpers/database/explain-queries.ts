/** How PostgreSQL executes the queries of a store function: which tables it scans, and how many rows it reads. */
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Client } from 'pg';
import { type Connection, type Db, withConnection } from '../../../src/platform/db/index.ts';
import type { Tables } from '../../../src/platform/db/schema.ts';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Runs it in a transaction that is rolled back, and explains every statement just before it is executed. */
export function explainEach(
  connection: Connection,
  run: (db: Db) => Promise<unknown>,
): Promise<{ sql: string; plan: Plan }[]> {
  return withConnection(connection, (client) => explainOver(client, run));
}

/** The same over a connection that is open: opening one, and reading the schema over it, takes longer than most queries. */
export async function explainOver(
  client: Client,
  run: (db: Db) => Promise<unknown>,
): Promise<{ sql: string; plan: Plan }[]> {
  const explained: { sql: string; plan: Plan }[] = [];
  const query = async (sql: string, parameters?: readonly unknown[]) => {
    const values = [...(parameters ?? [])];
    if (/^\s*(select|insert|update|delete|with)/i.test(sql)) {
      await client.query('SAVEPOINT before');
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
      explained.push({ sql, plan: rows[0]['QUERY PLAN'][0].Plan });
      await client.query('ROLLBACK TO before');
    }
    return client.query(sql, values);
  };
  const pool = {
    connect: async () => ({ query, release: () => undefined }),
    end: async () => undefined,
  } as unknown as PostgresPool;
  await client.query('BEGIN');
  try {
    await run(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
  } finally {
    await client.query('ROLLBACK');
  }
  return explained;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The tables with a sequential scan. */
export function tablesScanned(plan: Plan): string[] {
  return nodesOf(plan)
    .filter((node) => node['Node Type'].endsWith('Seq Scan'))
    .map((node) => node['Relation Name']!);
}

/** How a table is read. */
export function scansOf(plan: Plan, table: string): string[] {
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => node['Node Type']);
}

/** Rows that were read, including those that a filter removed. */
export function rowsRead(plan: Plan): number {
  return nodesOf(plan)
    .filter((node) => node['Node Type'].includes('Scan'))
    .map(
      (node) =>
        node['Actual Loops'] *
        (node['Actual Rows'] +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)),
    )
    .reduce((sum, rows) => sum + rows, 0);
}
