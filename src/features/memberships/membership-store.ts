/** Membership queries that several features share: who is active, locked for the length of a transaction. */
import { sql } from 'kysely';
import type { Role } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';

/** A user in an organization, who owns API keys, sessions and signed-in agents. */
export interface Owner {
  organizationId: string;
  userId: string;
}

/**
 * The user's role, locked until the transaction ends; undefined when they are not an active member, or suspended by
 * the organization's single sign-on. Everything that
 * grants access takes this lock first: a deactivation then waits and ends that access too, or came first and is seen
 * here. With `alone`, other holders of the same membership wait as well.
 */
export async function holdMembership(
  db: Db,
  owner: Owner,
  options: { alone?: boolean } = {},
): Promise<Role | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select(sql<Role>`role`.as('role'))
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .where('deactivated_at', 'is', null)
    .where('suspended_at', 'is', null)
    .$call((query) => (options.alone ? query.forUpdate() : query.forShare()))
    .executeTakeFirst();
  return row?.role;
}

/** Serializes everything that makes a user active in the organization. */
export async function holdActivations(db: Db, organizationId: string): Promise<void> {
  await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** Whether the user is the only active member of the organization. */
export async function isOnlyActivePerson(db: Db, owner: Owner): Promise<boolean> {
  const others = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '!=', owner.userId)
    .where('deactivated_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return others === undefined;
}

/** The active members of the organization among these users. */
export async function selectActiveMembers(
  db: Db,
  organizationId: string,
  userIds: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`user_id = ANY(${userIds}::uuid[])`)
    .where('deactivated_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** The active members among these people, by organization. */
export async function selectActiveByOrganization(db: Db, people: Owner[]): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ organization_id: string; user_ids: string[] }>`
    SELECT m.organization_id, array_agg(m.user_id) AS user_ids
    FROM memberships m JOIN (SELECT DISTINCT * FROM unnest(${people.map((person) => person.organizationId)}::uuid[],
      ${people.map((person) => person.userId)}::uuid[]) AS asked (organization_id, user_id)) AS asked
      ON asked.organization_id = m.organization_id AND asked.user_id = m.user_id
    WHERE m.deactivated_at IS NULL
    GROUP BY m.organization_id`.execute(db);
  return new Map(rows.map((row) => [row.organization_id, new Set(row.user_ids)]));
}
