/** Queries on identities: who a member is at the organization's provider. */
import { sql } from 'kysely';
import type { Role } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Owner } from '../../memberships/index.ts';

export interface IdentityKey {
  organizationId: string;
  issuer: string;
  subject: string;
}

export interface NewIdentity extends IdentityKey {
  id: string;
  userId: string;
  email: string;
  refreshToken: Buffer | null;
  at: Date;
  nextCheckAt: Date;
}

/** Locked, so that a check of the same person waits. */
export function lockIdentity(db: Db, key: IdentityKey) {
  return db
    .selectFrom('single_sign_on_identities')
    .select(['id', 'user_id', 'refresh_token'])
    .where('organization_id', '=', key.organizationId)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertIdentity(db: Db, identity: NewIdentity): Promise<void> {
  await db
    .insertInto('single_sign_on_identities')
    .values({
      id: identity.id,
      organization_id: identity.organizationId,
      user_id: identity.userId,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      refresh_token: identity.refreshToken,
      confirmed_at: identity.at,
      next_check_at: identity.nextCheckAt,
      created_at: identity.at,
      last_sign_in_at: identity.at,
    })
    .execute();
}

export async function updateSignedIn(
  db: Db,
  id: string,
  signIn: { email: string; refreshToken: Buffer | null; at: Date; nextCheckAt: Date },
): Promise<void> {
  await db
    .updateTable('single_sign_on_identities')
    .set({
      email: signIn.email,
      refresh_token: signIn.refreshToken,
      confirmed_at: signIn.at,
      next_check_at: signIn.nextCheckAt,
      last_sign_in_at: signIn.at,
    })
    .where('id', '=', id)
    .execute();
}

/** The groups that the provider named last. */
export async function updateGroups(db: Db, owner: Owner, groups: string[]): Promise<void> {
  await db
    .updateTable('single_sign_on_identities')
    .set({ groups })
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .execute();
}

/** Also ends the sessions that were started with it. */
export async function deleteIdentityOf(db: Db, owner: Owner): Promise<boolean> {
  const result = await db
    .deleteFrom('single_sign_on_identities')
    .where('organization_id', '=', owner.organizationId)
    .where('user_id', '=', owner.userId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

const SHOWN = [
  'i.issuer',
  'i.subject',
  'i.email as identity_email',
  'i.last_sign_in_at',
  'i.confirmed_at',
] as const;

export function selectIdentityOf(db: Db, owner: Owner) {
  return db
    .selectFrom('single_sign_on_identities as i')
    .select(SHOWN)
    .select(sql<boolean>`i.refresh_token IS NOT NULL`.as('has_token'))
    .where('i.organization_id', '=', owner.organizationId)
    .where('i.user_id', '=', owner.userId)
    .executeTakeFirst();
}

/** Active members by name, with their identities. */
export function selectMembersWithIdentity(
  db: Db,
  organizationId: string,
  page: { after?: { name: string; id: string }; limit: number },
) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('single_sign_on_identities as i', (join) =>
      join.onRef('i.organization_id', '=', 'm.organization_id').onRef('i.user_id', '=', 'm.user_id'),
    )
    .select(['u.id', 'u.name', 'u.email', 'm.suspended_at', 'm.identity_link_until', ...SHOWN])
    .select(sql<boolean>`i.refresh_token IS NOT NULL`.as('has_token'))
    .where('m.organization_id', '=', organizationId)
    .where('m.deactivated_at', 'is', null)
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(u.name, u.id) > (${page.after!.name}, ${page.after!.id}::uuid)`),
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(page.limit)
    .execute();
}

/** The membership as it is, locked; undefined when the user is not a member. */
export function lockMembership(db: Db, owner: Owner) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      sql<Role>`m.role`.as('role'),
      'm.deactivated_at',
      'm.suspended_at',
      'm.identity_link_until',
      'u.name',
    ])
    .where('m.organization_id', '=', owner.organizationId)
    .where('m.user_id', '=', owner.userId)
    .forUpdate('m')
    .executeTakeFirst();
}

export async function isMemberElsewhere(db: Db, owner: Owner): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('organization_id')
    .where('user_id', '=', owner.userId)
    .where('organization_id', '!=', owner.organizationId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest pending invitation of an email address, locked. */
export function lockInvitation(db: Db, organizationId: string, email: string, now: Date) {
  return db
    .selectFrom('invitations')
    .select(['id', sql<Role>`role`.as('role')])
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}
