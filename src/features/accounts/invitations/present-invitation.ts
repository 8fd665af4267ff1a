/** An invitation as shown to callers, without its token. */
import type { InvitationRow } from '../store/invitation-store.ts';

export function presentInvitation(row: InvitationRow) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: { id: row.inviter_id, name: row.inviter_name },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    acceptedAt: row.accepted_at?.toISOString() ?? null,
    mail: row.mail_state === 'sending' ? ('pending' as const) : row.mail_state,
    linkDomain: row.link_domain,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
