/** Queries on sessions. */
import { sql } from 'kysely';
import { type Actor, type ActorRow, actorsByHash } from '../../../platform/core/operations/actor.ts';
import type { SessionLife } from '../../../platform/core/ports/retention.ts';
import { hexHashOf } from '../../../platform/core/text/secret-token.ts';
import type { Db } from '../../../platform/db/index.ts';
import { holdMembership } from '../../memberships/index.ts';

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  organizationId: string;
  userId: string;
  userAgent: string | null;
  address: string;
  at: Date;
  expiresAt: Date;
  /** The identity at the organization's provider that it was started with, and the provider's own session. */
  identity?: SessionIdentity | undefined;
}

export interface SessionIdentity {
  id: string;
  providerSession: string | null;
}

/** False when the user is not an active member. The membership is locked, so that a concurrent deactivation waits. */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  if ((await holdMembership(db, session)) === undefined) return false;
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      organization_id: session.organizationId,
      user_id: session.userId,
      user_agent: session.userAgent,
      address: session.address,
      created_at: session.at,
      last_used_at: session.at,
      expires_at: session.expiresAt,
      identity_id: session.identity?.id ?? null,
      provider_session: session.identity?.providerSession ?? null,
    })
    .execute();
  return true;
}

/** The callers of active sessions with their current role, by token hash in hex. */
export async function selectActorsBySession(
  db: Db,
  hashes: string[],
  now: Date,
): Promise<Map<string, Actor>> {
  const result = await sql<ActorRow>`
    SELECT encode(s.token_hash, 'hex') AS hash, s.id, s.organization_id, s.user_id, u.name, m.role
    FROM sessions s
    JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
    JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
      AND s.expires_at > ${now} AND m.deactivated_at IS NULL AND m.suspended_at IS NULL`.execute(db);
  return actorsByHash('session', result.rows);
}

/**
 * Extends used sessions by another idle period, up to their maximum duration. Rows locked by others (being ended, or
 * updated by another node) are skipped, so this never waits and never blocks a request.
 */
export async function updateSessionsUsed(db: Db, ids: string[], at: Date, life: SessionLife): Promise<void> {
  await sql`UPDATE sessions SET last_used_at = ${at},
      expires_at = least(created_at + make_interval(secs => ${life.maxDurationMs / 1000}), ${at}::timestamptz + make_interval(secs => ${life.idleMs / 1000}))
    WHERE id IN (SELECT id FROM sessions WHERE id = ANY(${ids}::uuid[]) FOR UPDATE SKIP LOCKED)`.execute(db);
}

export function selectSessionsOf(db: Db, userId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute();
}

/** The user of an active session. */
export async function findSessionUser(db: Db, token: string, now: Date): Promise<string | undefined> {
  const hash = hexHashOf(token);
  return (await selectActorsBySession(db, [hash], now)).get(hash)?.userId;
}

/** Whether the session was started through the organization's single sign-on. */
export async function isSingleSignOnSession(db: Db, sessionId: string): Promise<boolean> {
  return (await selectSessionIssuer(db, sessionId)) !== undefined;
}

/** Where the person of a session signed in; undefined for a password. */
export async function selectSessionIssuer(db: Db, sessionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('single_sign_on_identities as i', 'i.id', 's.identity_id')
    .select('i.issuer')
    .where('s.id', '=', sessionId)
    .executeTakeFirst();
  return row?.issuer;
}

/** Ends the sessions of an organization that were started with a password. */
export async function deletePasswordSessions(db: Db, organizationId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', 'in', (members) =>
      members.selectFrom('memberships').select('user_id').where('organization_id', '=', organizationId),
    )
    .where('organization_id', '=', organizationId)
    .where('identity_id', 'is', null)
    .execute();
}

/** Ends the sessions that were started with an identity; with a provider's session, only those of that. */
export async function deleteIdentitySessions(
  db: Db,
  identityId: string,
  providerSession?: string,
): Promise<number> {
  const result = await db
    .deleteFrom('sessions')
    .where('identity_id', '=', identityId)
    .$if(providerSession !== undefined, (query) => query.where('provider_session', '=', providerSession!))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** False when this user has no such session. */
export async function deleteSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteSessionByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends all sessions of a user, in one organization or everywhere. Lock the membership first, as `startSession` does. */
export async function deleteSessionsOf(db: Db, userId: string, organizationId?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .execute();
}

/** Skips locked rows until the next run, so that this never blocks a request. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM sessions
    WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ${now} FOR UPDATE SKIP LOCKED)`.execute(db);
}
