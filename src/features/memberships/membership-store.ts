/** The queries on memberships that several features rely on: who is active, held for the length of a transaction. */
import { sql } from 'kysely';
import type { Role } from '../../platform/core/actor.ts';
import type { Db } from '../../platform/db/index.ts';

/** A person in an organization: what keys, sessions and signed-in agents belong to. */
export interface Owner {
  organizationId: string;
  userId: string;
}

/**
 * The person's role, held until the transaction ends; undefined when they are not an active member. Whatever gives a
 * person access holds it first: a deactivation then waits and ends that access too, or came first and is seen here.
 * With `alone`, others who hold the same membership wait as well.
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
    .$call((query) => (options.alone ? query.forUpdate() : query.forShare()))
    .executeTakeFirst();
  return row?.role;
}

/** Makes others who call it for the organization wait: everything that makes a person active there does. */
export async function holdActivations(db: Db, organizationId: string): Promise<void> {
  await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** Whether nobody else is active in the organization. */
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
