/** POST /api/v2/invitations/look-up: what a link offers. The token is sent in the body, so that it never appears in a log. */
import { definePublicOperation } from '../../../context.ts';
import { InvitationOffer, LookUpInvitationInput } from '../contract.ts';
import { selectUserByEmail } from '../store/account-store.ts';
import { openInvitation } from './open-invitation.ts';

export const lookUpInvitation = definePublicOperation({
  name: 'look-up-invitation',
  group: 'Accounts',
  summary: 'Look up an invitation link',
  http: { method: 'POST', path: '/api/v2/invitations/look-up', status: 200 },
  input: LookUpInvitationInput,
  output: InvitationOffer,
  problems: ['not_found'],
  async run({ clock, db }, input) {
    const invitation = await openInvitation(db, input.token, clock.now());
    const user = await selectUserByEmail(db, invitation.email);
    return {
      organizationId: invitation.organization_id,
      organizationName: invitation.organization_name,
      email: invitation.email,
      role: invitation.role,
      knownUser: user !== undefined,
    };
  },
});
