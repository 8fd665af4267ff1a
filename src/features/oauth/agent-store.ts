/** Queries for agent sign-in: pending requests, and the grants that result from them. */
import { sql } from 'kysely';
import { type Actor, type ActorRow, actorsByHash, type Role } from '../../platform/core/operations/actor.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Owner } from '../memberships/index.ts';

/** How an agent describes itself, and where it returns the browser to. Its name is not verified. */
interface AgentDescription {
  name: string;
  address: string | null;
  returnsTo: string;
  isLocal: boolean;
}

/** A sign-in request, as the library stores it (an interaction). */
export interface SignInPayload {
  params: { client_id: string; resource: string | string[] };
  prompt: { details: { agent: AgentDescription } };
}

interface SignInRow {
  id: string;
  payload: SignInPayload & { result?: { error?: string } };
  session_id: string | null;
  expires_at: Date;
}

export async function selectSignIn(
  db: Db,
  keyHash: Buffer,
  now: Date,
  options: { hold?: boolean } = {},
): Promise<SignInRow | undefined> {
  const row = await db
    .selectFrom('oauth_records')
    .select(['id', 'payload', 'session_id', 'expires_at'])
    .where('key_hash', '=', keyHash)
    .where('kind', '=', 'Interaction')
    .where('expires_at', '>', now)
    .$if(options.hold === true, (query) => query.forUpdate())
    .executeTakeFirst();
  return row as SignInRow | undefined;
}

/** From now on, only the browser with this session can continue. */
export async function markAnswered(
  db: Db,
  id: string,
  answer: Owner & { sessionId: string; grantId: string | null; result: Record<string, unknown> },
): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({
      payload: sql`payload || ${JSON.stringify({ result: answer.result })}::jsonb`,
      session_id: answer.sessionId,
      organization_id: answer.organizationId,
      user_id: answer.userId,
      grant_id: answer.grantId,
    })
    .where('id', '=', id)
    .execute();
}

export async function selectOrganizationName(db: Db, organizationId: string): Promise<string> {
  const row = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.name;
}

/** The library's grant, with the agent as it described itself at that time. */
export interface GrantPayload {
  accountId: string;
  clientId: string;
  resources: Record<string, string>;
  agent: AgentDescription;
}

export async function insertGrant(
  db: Db,
  grant: Owner & { id: string; payload: GrantPayload; at: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('oauth_records')
    .values({
      id: grant.id,
      kind: 'Grant',
      key_hash: hashOf(grant.id),
      payload: JSON.stringify(grant.payload),
      organization_id: grant.organizationId,
      user_id: grant.userId,
      created_at: grant.at,
      expires_at: grant.expiresAt,
    })
    .execute();
}

/** Whether a grant exists and its user is active; checked before a code or a token is issued. */
export async function isGrantAlive(db: Db, grantId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_records as g')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organization_id', '=', 'g.organization_id').onRef('m.user_id', '=', 'g.user_id'),
    )
    .select('g.id')
    .where('g.id', '=', grantId)
    .where('g.kind', '=', 'Grant')
    .where('g.expires_at', '>', now)
    .where('m.deactivated_at', 'is', null)
    .where('m.suspended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface AgentRow {
  id: string;
  payload: GrantPayload;
  created_at: Date;
  last_used_at: Date | null;
}

/** The user's agents that have fetched their tokens, newest first. */
export async function selectAgents(
  db: Db,
  owner: Owner,
  page: { beforeId?: string; limit: number; now: Date },
): Promise<AgentRow[]> {
  const rows = await db
    .selectFrom('oauth_records as g')
    .select(['g.id', 'g.payload', 'g.created_at', 'g.last_used_at'])
    .where('g.organization_id', '=', owner.organizationId)
    .where('g.user_id', '=', owner.userId)
    .where('g.kind', '=', sql.lit('Grant'))
    .where('g.expires_at', '>', page.now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('oauth_records as t')
          .select('t.id')
          .whereRef('t.grant_id', '=', 'g.id')
          .where('t.kind', '=', 'RefreshToken'),
      ),
    )
    .$if(page.beforeId !== undefined, (query) => query.where('g.id', '<', page.beforeId!))
    .orderBy('g.id', 'desc')
    .limit(page.limit)
    .execute();
  return rows as unknown as AgentRow[];
}

/** Ends a grant with everything issued for it; without `owner`, any grant. */
export async function deleteGrant(db: Db, grantId: string, owner?: Owner) {
  const row = await db
    .deleteFrom('oauth_records')
    .where('id', '=', grantId)
    .where('kind', '=', 'Grant')
    .$if(owner !== undefined, (query) =>
      query.where('organization_id', '=', owner!.organizationId).where('user_id', '=', owner!.userId),
    )
    .returning(['id', 'organization_id', 'user_id', 'payload'])
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      organizationId: row.organization_id!,
      userId: row.user_id!,
      agent: (row.payload as unknown as GrantPayload).agent,
    }
  );
}

/** Signs out all agents of a user. */
export async function deleteGrantsOf(db: Db, owner: Owner): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('kind', '=', sql.lit('Grant'))
    .execute();
}

/** The callers of valid access tokens with their current role, by hash in hex. */
export async function selectActorsByToken(db: Db, hashes: string[], now: Date): Promise<Map<string, Actor>> {
  const result = await sql<ActorRow>`
    SELECT encode(t.key_hash, 'hex') AS hash, g.id, g.organization_id, g.user_id, u.name, m.role
    FROM oauth_records t
    JOIN oauth_records g ON g.id = t.grant_id
    JOIN memberships m ON m.organization_id = g.organization_id AND m.user_id = g.user_id
    JOIN users u ON u.id = g.user_id
    WHERE t.key_hash = ANY(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
      AND t.kind = 'AccessToken' AND t.expires_at > ${now}
      AND m.deactivated_at IS NULL AND m.suspended_at IS NULL`.execute(db);
  return actorsByHash('oauth', result.rows);
}

/** An access token with everything that decides whether it is accepted. */
export async function selectTokenState(
  db: Db,
  keyHash: Buffer,
  now: Date,
): Promise<
  { user: string; organization: string; role: Role; expired: boolean; deactivated: boolean } | undefined
> {
  const result = await sql<{
    user: string;
    organization: string;
    role: Role;
    expired: boolean;
    deactivated: boolean;
  }>`
    SELECT u.name AS user, o.name AS organization, m.role, t.expires_at <= ${now} AS expired,
      (m.deactivated_at IS NOT NULL OR m.suspended_at IS NOT NULL) AS deactivated
    FROM oauth_records t
    JOIN oauth_records g ON g.id = t.grant_id
    JOIN memberships m ON m.organization_id = g.organization_id AND m.user_id = g.user_id
    JOIN users u ON u.id = g.user_id
    JOIN organizations o ON o.id = g.organization_id
    WHERE t.key_hash = ${keyHash} AND t.kind = 'AccessToken'`.execute(db);
  return result.rows[0];
}

/** At most once a minute per agent across all nodes. Locked rows are skipped, so this never waits. */
export async function updateAgentsUsed(db: Db, ids: string[], at: Date): Promise<void> {
  await sql`UPDATE oauth_records SET last_used_at = ${at} WHERE id IN (
    SELECT id FROM oauth_records WHERE id = ANY(${ids}::uuid[])
      AND (last_used_at IS NULL OR last_used_at NOT BETWEEN ${at}::timestamptz - interval '1 minute' AND ${at})
    FOR UPDATE SKIP LOCKED)`.execute(db);
}
