/** The queries on organizations, users and memberships. */
import { sql } from 'kysely';
import type { Role } from '../../platform/core/actor.ts';
import type { Db } from '../../platform/db/index.ts';

/** Any fixed number; held while it is decided whether the service has been set up. */
const SETUP_LOCK = 4_000_002;

export async function lockSetup(db: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${SETUP_LOCK})`.execute(db);
}

export async function anyOrganization(db: Db): Promise<boolean> {
  const row = await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function insertOrganization(
  db: Db,
  organization: { id: string; name: string; at: Date },
): Promise<void> {
  await db
    .insertInto('organizations')
    .values({ id: organization.id, name: organization.name, created_at: organization.at })
    .execute();
}

export function selectOrganizations(db: Db, limit: number) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  at: Date;
}

/** False when the address is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      created_at: user.at,
      password_changed_at: user.at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function selectUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirst();
}

export function selectUser(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function updatePassword(db: Db, userId: string, passwordHash: string, at: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_changed_at: at })
    .where('id', '=', userId)
    .execute();
}

/** The password that was checked, as the hash that it was checked against. */
export interface CheckedPassword {
  id: string;
  password_hash: string;
}

/**
 * Whether the password that was checked is still the user's. Checking takes a while, and a session that began with
 * the old password must not outlive its change: so a change waits for this transaction, or is seen by it.
 */
export async function holdPassword(db: Db, user: CheckedPassword): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewMembership {
  organizationId: string;
  userId: string;
  role: Role;
  at: Date;
}

/** False when the user is a member already, active or not. */
export async function insertMembership(db: Db, membership: NewMembership): Promise<boolean> {
  const result = await db
    .insertInto('memberships')
    .values({
      organization_id: membership.organizationId,
      user_id: membership.userId,
      role: membership.role,
      created_at: membership.at,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** A user's active memberships, the first one joined first. */
export function selectMembershipsOf(db: Db, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', sql<Role>`m.role`.as('role')])
    .where('m.user_id', '=', userId)
    .where('m.deactivated_at', 'is', null)
    .orderBy('m.created_at')
    .orderBy('o.id')
    .limit(200)
    .execute();
}

function selectMember(db: Db, organizationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email', sql<Role>`m.role`.as('role'), 'm.created_at', 'm.deactivated_at'])
    .where('m.organization_id', '=', organizationId);
}

export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

export function selectMembers(db: Db, organizationId: string, page: { afterId?: string; limit: number }) {
  return selectMember(db, organizationId)
    .$if(page.afterId !== undefined, (query) =>
      query.where(
        sql<boolean>`(u.name, u.id) > (SELECT p.name, p.id FROM users p JOIN memberships pm ON pm.user_id = p.id
          WHERE p.id = ${page.afterId} AND pm.organization_id = ${organizationId})`,
      ),
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(page.limit)
    .execute();
}

/** These people and every owner of the organization, held so that two changes cannot both remove the last owner. */
export async function lockMembersAndOwners(db: Db, organizationId: string, userIds: string[]) {
  const members = await selectMember(db, organizationId)
    .where((where) => where.or([where('m.user_id', 'in', userIds), where('m.role', '=', 'owner')]))
    .orderBy('u.id')
    .forUpdate('m')
    .execute();
  return {
    members,
    activeOwners: members.filter((row) => row.role === 'owner' && row.deactivated_at === null).length,
  };
}

/** A person's role as it is now, held until the transaction ends; undefined when they are not an active member. */
export async function holdRole(
  db: Db,
  who: { organizationId: string; userId: string },
): Promise<Role | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select(sql<Role>`role`.as('role'))
    .where('organization_id', '=', who.organizationId)
    .where('user_id', '=', who.userId)
    .where('deactivated_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row?.role;
}

/** Whether the address belongs to a member, active or not. */
export async function memberHasEmail(db: Db, organizationId: string, email: string): Promise<boolean> {
  const row = await selectMember(db, organizationId).where('u.email', '=', email).executeTakeFirst();
  return row !== undefined;
}

export async function updateMembership(
  db: Db,
  organizationId: string,
  userId: string,
  change: { role: Role; deactivatedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role: change.role, deactivated_at: change.deactivatedAt })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

export async function insertSetupLink(db: Db, tokenHash: Buffer, at: Date): Promise<void> {
  await db.insertInto('setup_links').values({ token_hash: tokenHash, created_at: at }).execute();
}

export async function setupLinkExists(db: Db, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSetupLinks(db: Db): Promise<void> {
  await db.deleteFrom('setup_links').execute();
}
