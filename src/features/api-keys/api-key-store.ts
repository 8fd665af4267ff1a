/** Queries on API keys. */
import { sql } from 'kysely';
import { type Actor, type ActorRow, actorsByHash, type Role } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Owner } from '../memberships/index.ts';

export async function countActiveKeys(db: Db, owner: Owner): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface NewKey extends Owner {
  id: string;
  hash: Buffer;
  name: string;
  prefix: string;
  lastFour: string;
  at: Date;
}

export function insertKey(db: Db, key: NewKey) {
  return db
    .insertInto('api_keys')
    .values({
      id: key.id,
      hash: key.hash,
      organization_id: key.organizationId,
      user_id: key.userId,
      name: key.name,
      prefix: key.prefix,
      last_four: key.lastFour,
      created_at: key.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type ApiKeyRow = Awaited<ReturnType<typeof insertKey>>;

export function selectKeys(
  db: Db,
  owner: Owner,
  page: { beforeId?: string; limit: number },
): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .$if(page.beforeId !== undefined, (query) => query.where('id', '<', page.beforeId!))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** The owner of a key, in any organization; only for the operator. */
export async function findKeyOwner(db: Db, keyId: string): Promise<Owner | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['organization_id', 'user_id'])
    .where('id', '=', keyId)
    .executeTakeFirst();
  return row && { organizationId: row.organization_id, userId: row.user_id };
}

export function selectKey(db: Db, owner: Owner, keyId: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', keyId)
    .executeTakeFirst();
}

/** Revokes an active key and returns it; undefined when there is none. */
export function markKeyRevoked(
  db: Db,
  owner: Owner,
  keyId: string,
  at: Date,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function revokeKeysOf(db: Db, owner: Owner, at: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The callers of active keys with their current role, by hash in hex. */
export async function selectActorsByKey(db: Db, hashes: string[]): Promise<Map<string, Actor>> {
  const result = await sql<ActorRow>`
    SELECT encode(k.hash, 'hex') AS hash, k.id, k.organization_id, k.user_id, u.name, m.role
    FROM api_keys k
    JOIN memberships m ON m.organization_id = k.organization_id AND m.user_id = k.user_id
    JOIN users u ON u.id = k.user_id
    WHERE k.hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
      AND k.revoked_at IS NULL AND m.deactivated_at IS NULL AND m.suspended_at IS NULL`.execute(db);
  return actorsByHash('key', result.rows);
}

/** A key with everything that decides whether it is accepted, revoked or not. */
export async function selectKeyState(
  db: Db,
  hash: Buffer,
): Promise<
  { user: string; organization: string; role: Role; revoked: boolean; deactivated: boolean } | undefined
> {
  const row = await db
    .selectFrom('api_keys as k')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organization_id', '=', 'k.organization_id').onRef('m.user_id', '=', 'k.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .select(['u.name as user', 'o.name as organization', 'm.role', 'k.revoked_at'])
    .select(['m.deactivated_at', 'm.suspended_at'])
    .where('k.hash', '=', hash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { deactivated_at, organization, revoked_at, role, suspended_at, user } = row;
  return {
    user,
    organization,
    role: role,
    revoked: revoked_at !== null,
    deactivated: deactivated_at !== null || suspended_at !== null,
  };
}

/** At most once a minute per key across all nodes. Locked rows are skipped, so this never waits. */
export async function updateLastUsed(db: Db, ids: string[], at: Date): Promise<void> {
  await sql`UPDATE api_keys SET last_used_at = ${at} WHERE id IN (
    SELECT id FROM api_keys WHERE id = ANY(${ids}::uuid[])
      AND (last_used_at IS NULL OR last_used_at NOT BETWEEN ${at}::timestamptz - interval '1 minute' AND ${at})
    FOR UPDATE SKIP LOCKED)`.execute(db);
}
