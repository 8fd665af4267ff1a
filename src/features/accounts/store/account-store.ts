/** Queries on organizations, users and memberships. */
import { sql } from 'kysely';
import { errorCode } from '../../../platform/core/errors/start-failure.ts';
import type { Role } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { holdActivations, type Owner } from '../../memberships/index.ts';

const UNIQUE_VIOLATION = '23505';

/** Any fixed number; held while checking whether the service has been set up. */
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

/** False when the email address is taken. */
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

/** Changes a user's name and email, unless their password has changed or the email belongs to another account. The email before is remembered. */
export async function updateProfile(
  db: Db,
  user: CheckedPassword,
  profile: { name: string; email: string },
): Promise<'changed' | 'taken' | 'gone'> {
  // Read under the lock: of two changes at once, the second has the email of the first.
  await sql`INSERT INTO former_emails (user_id, email)
    SELECT id, email FROM users
    WHERE id = ${user.id} AND password_hash = ${user.password_hash} AND email <> ${profile.email} FOR UPDATE
    ON CONFLICT DO NOTHING`.execute(db);
  const change = db
    .updateTable('users')
    .set(profile)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash);
  try {
    return (await change.executeTakeFirst()).numUpdatedRows === 1n ? 'changed' : 'gone';
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}

/** A user whose password was checked, with the hash it was checked against. */
export interface CheckedPassword {
  id: string;
  password_hash: string;
}

/**
 * Whether the password that was checked is still current. Checking takes a while, and a session started with the old
 * password must not survive a password change, so a change waits for this transaction or is seen by it.
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

/** False when the user is already a member, active or not. */
export async function insertMembership(db: Db, membership: NewMembership): Promise<boolean> {
  await holdActivations(db, membership.organizationId);
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

/** A user's active memberships, oldest first. */
export function selectMembershipsOf(db: Db, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.single_sign_on_only', sql<Role>`m.role`.as('role'), 'm.suspended_at'])
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
    .select(['u.id', 'u.name', 'u.email', sql<Role>`m.role`.as('role'), 'm.created_at'])
    .select(['m.deactivated_at', 'm.suspended_at'])
    .where('m.organization_id', '=', organizationId);
}

export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

export function selectMembers(
  db: Db,
  organizationId: string,
  page: { after?: { name: string; id: string }; limit: number },
) {
  return selectMember(db, organizationId)
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(u.name, u.id) > (${page.after!.name}, ${page.after!.id}::uuid)`),
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(page.limit)
    .execute();
}

/** These users and every owner of the organization, locked so that two concurrent changes cannot both remove the last owner. */
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

/** Counts up to two, which is enough to know whether one could be removed. */
export async function countActiveOwners(db: Db, organizationId: string): Promise<number> {
  const owners = await selectMember(db, organizationId)
    .where('m.role', '=', 'owner')
    .where('m.deactivated_at', 'is', null)
    .limit(2)
    .execute();
  return owners.length;
}

/** Whether people sign in to this organization through its single sign-on only. */
export async function isSingleSignOnOnly(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('single_sign_on_only')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.single_sign_on_only === true;
}

/** The organization follows the settings of its single sign-on; true when people may sign in only this way from now on. */
export async function updateSingleSignOnOnly(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .updateTable('organizations as o')
    .from('single_sign_on as s')
    .set({
      single_sign_on_only: sql<boolean>`s.enabled AND s.switched_off_at IS NULL AND NOT s.password_sign_in`,
    })
    .whereRef('s.organization_id', '=', 'o.id')
    .where('o.id', '=', organizationId)
    .returning('o.single_sign_on_only')
    .executeTakeFirst();
  return row?.single_sign_on_only === true;
}

/** Whether the email address belongs to a member, active or not. */
export async function memberHasEmail(db: Db, organizationId: string, email: string): Promise<boolean> {
  const row = await selectMember(db, organizationId).where('u.email', '=', email).executeTakeFirst();
  return row !== undefined;
}

/** Which of these addresses are members', active or deactivated. */
export async function selectMemberEmails(
  db: Db,
  organizationId: string,
  emails: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`SELECT u.email FROM users u
    JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
    WHERE u.email = ANY(${emails}::text[])`.execute(db);
  return new Set(rows.map(({ email }) => email));
}

export async function updateMembership(
  db: Db,
  organizationId: string,
  userId: string,
  change: { role: Role; deactivatedAt: Date | null },
): Promise<void> {
  if (change.deactivatedAt === null) await holdActivations(db, organizationId);
  await db
    .updateTable('memberships')
    .set({ role: change.role, deactivated_at: change.deactivatedAt })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

/** The organization's single sign-on suspends a member, or lets them link an identity. */
export async function updateMembershipAccess(
  db: Db,
  owner: Owner,
  change: { suspended_at?: Date | null; identity_link_until?: Date | null },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set(change)
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
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
