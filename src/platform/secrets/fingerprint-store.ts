/** Queries on the fingerprint of the secret. */
import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

export async function selectFingerprint(db: Db): Promise<Buffer | undefined> {
  const row = await db.selectFrom('service_secret').select('fingerprint').executeTakeFirst();
  return row?.fingerprint;
}

/** The first one wins, also among concurrent calls; returns the stored one. */
export async function claimFingerprint(db: Db, fingerprint: Buffer): Promise<Buffer> {
  await db
    .insertInto('service_secret')
    .values({ only_row: true, fingerprint, created_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await selectFingerprint(db))!;
}
