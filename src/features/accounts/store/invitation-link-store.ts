/** Queries on invitation links, with which everyone at a domain can ask for an invitation. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export type LinkRole = 'viewer' | 'member';

export interface NewInvitationLink {
  id: string;
  organizationId: string;
  tokenHash: Buffer;
  domain: string;
  role: LinkRole;
  createdBy: string;
  at: Date;
  expiresAt: Date;
  maxUses: number;
}

export async function insertInvitationLink(db: Db, link: NewInvitationLink): Promise<void> {
  await db
    .insertInto('invitation_links')
    .values({
      id: link.id,
      organization_id: link.organizationId,
      token_hash: link.tokenHash,
      domain: link.domain,
      role: link.role,
      created_by: link.createdBy,
      created_at: link.at,
      expires_at: link.expiresAt,
      max_uses: link.maxUses,
    })
    .execute();
}

function withCreator(db: Db, organizationId: string) {
  return db
    .selectFrom('invitation_links as l')
    .innerJoin('users as u', 'u.id', 'l.created_by')
    .select([
      ...([
        'l.id',
        'l.domain',
        'l.created_at',
        'l.expires_at',
        'l.max_uses',
        'l.uses',
        'l.revoked_at',
      ] as const),
      sql<LinkRole>`l.role`.as('role'),
      'u.id as creator_id',
      'u.name as creator_name',
      sql<number>`(SELECT count(*)::int FROM invitations i WHERE i.link_id = l.id AND i.accepted_at IS NOT NULL)`.as(
        'joined',
      ),
    ])
    .where('l.organization_id', '=', organizationId);
}

export type InvitationLinkRow = Awaited<ReturnType<typeof selectInvitationLinks>>[number];

export function selectInvitationLinks(
  db: Db,
  organizationId: string,
  page: { beforeId?: string | undefined; limit: number },
) {
  return withCreator(db, organizationId)
    .$if(page.beforeId !== undefined, (query) => query.where('l.id', '<', page.beforeId!))
    .orderBy('l.id', 'desc')
    .limit(page.limit)
    .execute();
}

export function selectInvitationLink(db: Db, organizationId: string, linkId: string) {
  return withCreator(db, organizationId).where('l.id', '=', linkId).executeTakeFirst();
}

export async function countOpenLinks(db: Db, organizationId: string, now: Date): Promise<number> {
  const row = await db
    .selectFrom('invitation_links')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** The link of a token, until it ends or is revoked; it may be used up. */
export function selectOpenLink(db: Db, tokenHash: Buffer, now: Date, options: { lock?: boolean } = {}) {
  return db
    .selectFrom('invitation_links as l')
    .innerJoin('organizations as o', 'o.id', 'l.organization_id')
    .select([
      ...(['l.id', 'l.organization_id', 'l.domain', 'l.created_by', 'l.max_uses', 'l.uses'] as const),
      sql<LinkRole>`l.role`.as('role'),
      'o.name as organization_name',
    ])
    .where('l.token_hash', '=', tokenHash)
    .where('l.revoked_at', 'is', null)
    .where('l.expires_at', '>', now)
    .$if(options.lock === true, (query) => query.forUpdate('l'))
    .executeTakeFirst();
}

export async function countUse(db: Db, linkId: string): Promise<void> {
  await sql`UPDATE invitation_links SET uses = uses + 1 WHERE id = ${linkId}`.execute(db);
}

/** Revokes a link with its pending invitations; false when it was revoked before, or there is none. */
export async function markLinkRevoked(
  db: Db,
  organizationId: string,
  linkId: string,
  at: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('invitation_links')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await revokePendingOf(db, [linkId], at);
  return true;
}

/** For a person who may invite nobody anymore. */
export async function revokeLinksBy(db: Db, organizationId: string, userId: string, at: Date): Promise<void> {
  const rows = await db
    .updateTable('invitation_links')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  await revokePendingOf(
    db,
    rows.map(({ id }) => id),
    at,
  );
}

async function revokePendingOf(db: Db, linkIds: string[], at: Date): Promise<void> {
  await sql`UPDATE invitations SET revoked_at = ${at} WHERE link_id = ANY(${linkIds}::uuid[])
    AND accepted_at IS NULL AND revoked_at IS NULL`.execute(db);
}
