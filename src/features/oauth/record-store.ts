/** The queries of the OAuth library's adapter: records by the hash of what they are found by. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { RecordKind } from './record-kinds.ts';

interface NewRecord {
  id: string;
  kind: RecordKind;
  keyHash: Buffer;
  payload: Record<string, unknown>;
  grantId: string | null;
  at: Date;
  expiresAt: Date;
}

export async function upsertRecord(db: Db, record: NewRecord): Promise<void> {
  const payload = JSON.stringify(record.payload);
  await db
    .insertInto('oauth_records')
    .values({
      id: record.id,
      kind: record.kind,
      key_hash: record.keyHash,
      payload,
      grant_id: record.grantId,
      created_at: record.at,
      expires_at: record.expiresAt,
    })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ payload }))
    .execute();
}

/** One that has not expired. */
export function selectRecord(db: Db, kind: RecordKind, keyHash: Buffer, now: Date) {
  return db
    .selectFrom('oauth_records')
    .select(['payload', 'grant_id', 'session_id', 'consumed_at'])
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Marks it as used, once: of several who try at the same time, one succeeds. With a grace, it may be used again for that
 * long after the first time.
 */
export async function consumeRecord(
  db: Db,
  kind: RecordKind,
  keyHash: Buffer,
  now: Date,
  graceMs: number | undefined,
): Promise<boolean> {
  const result = await db
    .updateTable('oauth_records')
    .set({ consumed_at: sql<Date>`coalesce(consumed_at, ${now})` })
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .where((where) =>
      graceMs === undefined
        ? where('consumed_at', 'is', null)
        : where.or([
            where('consumed_at', 'is', null),
            where('consumed_at', '>', new Date(now.getTime() - graceMs)),
          ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Whether it was there. */
export async function deleteRecord(db: Db, kind: RecordKind, keyHash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('oauth_records')
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Lets a grant, or the registration of an agent, live until then at least. */
export async function extendRecord(db: Db, kind: RecordKind, keyHash: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: sql<Date>`greatest(expires_at, ${until})` })
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .execute();
}

/** What someone else holds is left for the next time, so that this never stands in the way of a request. */
export async function deleteRecordsExpiredBefore(db: Db, time: Date): Promise<void> {
  await sql`DELETE FROM oauth_records
    WHERE id IN (SELECT id FROM oauth_records WHERE expires_at <= ${time} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  );
}
