/** DELETE /api/v2/invitations/:invitationId: revokes a pending invitation. */

import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { Invitation, RevokeInvitationInput } from '../contract.ts';
import { markRevoked, selectInvitation } from '../store/invitation-store.ts';
import { presentInvitation } from './present-invitation.ts';

export const revokeInvitation = defineOperation({
  name: 'revoke-invitation',
  group: 'People',
  summary: 'Revoke an invitation',
  http: { method: 'DELETE', path: '/api/v2/invitations/:invitationId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: RevokeInvitationInput,
  output: Invitation,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    const { actor, clock, db } = context;
    return inTransaction(db, async (transaction) => {
      const revoked = await markRevoked(transaction, actor.organizationId, input.invitationId, clock.now());
      const row = await selectInvitation(transaction, actor.organizationId, input.invitationId);
      if (!row) throw notFound('The invitation');
      if (row.accepted_at)
        throw new Problem(
          'conflict',
          'This invitation has already been accepted. Deactivate the member instead.',
        );
      if (revoked) {
        await recordAudit(transaction, callerOf(context), {
          action: 'invitation.revoked',
          subjectId: row.id,
          subjectName: row.email,
        });
      }
      return presentInvitation(row);
    });
  },
});
