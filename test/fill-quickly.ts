/** Speeds up tests that spend most of their time filling tables. */
import type { withConnection } from '../src/platform/db/index.ts';

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
