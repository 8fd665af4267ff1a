/** Queries on invitations. */
import { sql } from 'kysely';
import type { Role } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';

export interface NewInvitation {
  id: string;
  organizationId: string;
  tokenHash: Buffer;
  email: string;
  role: Role;
  invitedBy: string;
  at: Date;
  expiresAt: Date;
  /** Whether the service sends the link by mail. */
  isMailed?: boolean;
  /** The link of a domain with which it was asked for. */
  linkId?: string;
}

export async function insertInvitation(db: Db, invitation: NewInvitation): Promise<void> {
  await db
    .insertInto('invitations')
    .values({
      id: invitation.id,
      organization_id: invitation.organizationId,
      token_hash: invitation.tokenHash,
      email: invitation.email,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      created_at: invitation.at,
      expires_at: invitation.expiresAt,
      link_id: invitation.linkId ?? null,
      ...(invitation.isMailed && { mail_state: 'pending', mail_due_at: invitation.at }),
    })
    .execute();
}

function withInviter(db: Db) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .leftJoin('invitation_links as l', 'l.id', 'i.link_id')
    .select([
      'i.id',
      'i.email',
      sql<Role>`i.role`.as('role'),
      'i.created_at',
      'i.expires_at',
      'i.accepted_at',
      'i.revoked_at',
      'u.id as inviter_id',
      'u.name as inviter_name',
      'i.mail_state',
      'l.domain as link_domain',
    ]);
}

export type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number];

export function selectInvitations(
  db: Db,
  organizationId: string,
  page: { beforeId?: string; limit: number },
) {
  return withInviter(db)
    .where('i.organization_id', '=', organizationId)
    .$if(page.beforeId !== undefined, (query) => query.where('i.id', '<', page.beforeId!))
    .orderBy('i.id', 'desc')
    .limit(page.limit)
    .execute();
}

export function selectInvitation(db: Db, organizationId: string, invitationId: string) {
  return withInviter(db)
    .where('i.organization_id', '=', organizationId)
    .where('i.id', '=', invitationId)
    .executeTakeFirst();
}

/** The newest pending invitation of each of these addresses. */
export async function selectPendingInvitations(
  db: Db,
  organizationId: string,
  emails: string[],
  now: Date,
): Promise<Map<string, InvitationRow>> {
  const rows = await withInviter(db)
    .where('i.organization_id', '=', organizationId)
    .where(sql<boolean>`i.email = ANY(${emails}::text[])`)
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', now)
    .orderBy('i.id')
    .execute();
  return new Map(rows.map((row) => [row.email, row]));
}

/** The pending invitation that an address was sent through a link. */
export function selectInvitationByLink(db: Db, linkId: string, email: string, now: Date) {
  return db
    .selectFrom('invitations')
    .select('id')
    .where('link_id', '=', linkId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Revokes a pending invitation; false when there is none. */
export async function markRevoked(
  db: Db,
  organizationId: string,
  invitationId: string,
  at: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Revokes the pending invitations of a member for roles that they may no longer offer. */
export async function revokeInvitationsBy(
  db: Db,
  organizationId: string,
  userId: string,
  roles: Role[],
  at: Date,
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', userId)
    .where(sql<boolean>`role = ANY(${roles})`)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The pending invitation of a link. */
export function selectOpenInvitation(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .select([
      'i.id',
      'i.organization_id',
      'i.email',
      sql<Role>`i.role`.as('role'),
      'o.name as organization_name',
    ])
    .where('i.token_hash', '=', tokenHash)
    .where('i.accepted_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', now)
    .executeTakeFirst();
}

/** Marks a pending invitation as accepted, once; false when it was already accepted, revoked or expired. */
export async function markAccepted(db: Db, invitationId: string, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('invitations')
    .set({ accepted_at: at })
    .where('id', '=', invitationId)
    .where('expires_at', '>', at)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
