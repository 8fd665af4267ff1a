/** Deletes many rows a thousand at a time, so that no lock is held for long. */
import type { RawBuilder } from 'kysely';
import type { Db } from './database.ts';

const BATCH = 1000;

/** Repeats a statement that deletes up to `limit` rows until nothing is left. */
export async function deleteInBatches(
  db: Db,
  deleteSome: (limit: number) => RawBuilder<unknown>,
): Promise<void> {
  const statement = deleteSome(BATCH);
  while ((await statement.execute(db)).numAffectedRows === BigInt(BATCH));
}
