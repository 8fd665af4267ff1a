/** Speeds up tests that spend most of their time filling tables. */
import type { withConnection } from '../../../src/platform/db/index.ts';

type Client = Parameters<Parameters<typeof withConnection>[1]>[0];

/** From here on, foreign keys are not checked and only primary keys are indexed. */
export async function startFilling(client: Client): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(`UPDATE pg_index SET indisready = false, indisvalid = false
    WHERE NOT indisprimary AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`);
}

/** Builds all indexes and collects statistics. */
export async function finishFilling(client: Client): Promise<void> {
  await client.query('REINDEX SCHEMA public');
  const { rows } = await client.query('SELECT 1 FROM pg_index WHERE NOT indisvalid OR NOT indisready');
  if (rows.length > 0) throw new Error(`${rows.length} indexes were not built.`);
  await client.query('VACUUM ANALYZE');
}

/**
 * Creates the temporary table `numbered`: an ID for each number from 1, so that rows of different tables can refer to each other.
 * Returns a function that reads the ID of a number.
 */
export async function numberRows(client: Client, count: number): Promise<(n: number) => Promise<string>> {
  await client.query(
    `CREATE TEMP TABLE numbered AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${count}) n`,
  );
  await client.query('CREATE INDEX ON numbered (n)');
  return async (n) =>
    (await client.query<{ id: string }>('SELECT id FROM numbered WHERE n = $1', [n])).rows[0]!.id;
}
