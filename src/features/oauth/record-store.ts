/** Queries of the OAuth library's adapter: records by the hash of their key. */
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

/** Only if it has not expired, or is a code that was used: its reuse matters for as long as it is stored. */
export function selectRecord(db: Db, kind: RecordKind, keyHash: Buffer, now: Date) {
  return db
    .selectFrom('oauth_records')
    .select(['payload', 'grant_id', 'session_id', 'consumed_at'])
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .where((where) =>
      kind === 'AuthorizationCode'
        ? where.or([where('expires_at', '>', now), where('consumed_at', 'is not', null)])
        : where('expires_at', '>', now),
    )
    .executeTakeFirst();
}

/**
 * Marks it as used, once: of several concurrent attempts, one succeeds. With a grace period, it can be used again within
 * that time after the first use.
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

/** Whether it existed. */
export async function deleteRecord(db: Db, kind: RecordKind, keyHash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('oauth_records')
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Extends a grant or the registration of an agent until at least the given time. */
export async function extendRecord(db: Db, kind: RecordKind, keyHash: Buffer, until: Date): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: sql<Date>`greatest(expires_at, ${until})` })
    .where('key_hash', '=', keyHash)
    .where('kind', '=', kind)
    .execute();
}

/** Skips locked rows until the next run, so that this never blocks a request. */
export async function deleteRecordsExpiredBefore(db: Db, time: Date): Promise<void> {
  await sql`DELETE FROM oauth_records
    WHERE id IN (SELECT id FROM oauth_records WHERE expires_at <= ${time} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  );
}
