/** DELETE /api/v2/invitation-links/:linkId: revokes a link for a domain, with the pending invitations sent through it. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { InvitationLink, RevokeInvitationLinkInput } from '../contract.ts';
import { markLinkRevoked, selectInvitationLink } from '../store/invitation-link-store.ts';
import { presentInvitationLink } from './present-invitation-link.ts';

export const revokeInvitationLink = defineOperation({
  name: 'revoke-invitation-link',
  group: 'People',
  summary: 'Revoke an invitation link for a domain',
  description:
    'Pending invitations that were sent through it are revoked too. People who joined stay members.',
  http: { method: 'DELETE', path: '/api/v2/invitation-links/:linkId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: RevokeInvitationLinkInput,
  output: InvitationLink,
  problems: ['not_found'],
  async run(context, { linkId }) {
    const { actor, clock, db } = context;
    return inTransaction(db, async (transaction) => {
      const isRevoked = await markLinkRevoked(transaction, actor.organizationId, linkId, clock.now());
      const row = await selectInvitationLink(transaction, actor.organizationId, linkId);
      if (!row) throw notFound('The link');
      if (isRevoked) {
        await recordAudit(transaction, callerOf(context), {
          action: 'invitation_link.revoked',
          subjectId: row.id,
          subjectName: row.domain,
        });
      }
      return presentInvitationLink(row);
    });
  },
});
