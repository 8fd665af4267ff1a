/** An invitation link for a domain as shown to admins, without its token. */
import type { InvitationLinkRow } from '../store/invitation-link-store.ts';

export function presentInvitationLink(row: InvitationLinkRow) {
  return {
    id: row.id,
    domain: row.domain,
    role: row.role,
    createdBy: { id: row.creator_id, name: row.creator_name },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    maxUses: row.max_uses,
    uses: row.uses,
    joined: row.joined,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
