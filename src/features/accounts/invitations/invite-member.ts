/** POST /api/v2/invitations: creates an invitation link for one person; it is returned only once. */

import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { holdMembership } from '../../memberships/index.ts';
import { CreatedInvitation, InviteMemberInput } from '../contract.ts';
import { mayInvite } from '../members/member-rules.ts';
import { sessionGone } from '../sessions/start-session.ts';
import { memberHasEmail } from '../store/account-store.ts';
import { insertInvitation, selectInvitation } from '../store/invitation-store.ts';
import { INVITATION_LIFE_MS } from './invitation-life.ts';
import { invitationLink, invitationToken } from './invitation-token.ts';
import { presentInvitation } from './present-invitation.ts';

export const inviteMember = defineOperation({
  name: 'invite-member',
  group: 'People',
  summary: 'Create an invitation link',
  description: 'The link can be used once, expires in 7 days, and is valid for the given email address only.',
  http: { method: 'POST', path: '/api/v2/invitations', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: InviteMemberInput,
  output: CreatedInvitation,
  problems: ['forbidden', 'conflict'],
  async run(context, input) {
    const { actor, baseUrl, clock, db, secrets } = context;
    const at = clock.now();
    const id = uuidv7();
    const token = invitationToken(secrets, id);
    return inTransaction(db, async (transaction) => {
      const role = await holdMembership(transaction, actor);
      if (!role) throw sessionGone();
      if (!mayInvite(role, input.role)) throw new Problem('forbidden', 'Only an owner can invite an owner.');
      if (await memberHasEmail(transaction, actor.organizationId, input.email)) {
        throw new Problem(
          'conflict',
          'This person is already a member of the organization, active or deactivated.',
        );
      }
      await insertInvitation(transaction, {
        id,
        organizationId: actor.organizationId,
        tokenHash: hashOf(token),
        email: input.email,
        role: input.role,
        invitedBy: actor.userId,
        at,
        expiresAt: new Date(at.getTime() + INVITATION_LIFE_MS),
      });
      await recordAudit(transaction, callerOf(context), {
        action: 'invitation.created',
        subjectId: id,
        subjectName: input.email,
        detail: { role: input.role },
      });
      const row = await selectInvitation(transaction, actor.organizationId, id);
      return { invitation: presentInvitation(row!), link: invitationLink(baseUrl, token) };
    });
  },
});
