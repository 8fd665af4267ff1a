/** POST /api/v2/invitation-links/look-up: what a link for a domain offers. The token is sent in the body, so that it never appears in a log. */
import { definePublicOperation } from '../../../context.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { InvitationLinkOffer, LookUpInvitationLinkInput } from '../contract.ts';
import { selectOpenLink } from '../store/invitation-link-store.ts';
import { linkInvalid } from './open-invitation.ts';

export const lookUpInvitationLink = definePublicOperation({
  name: 'look-up-invitation-link',
  group: 'Accounts',
  summary: 'Look up an invitation link for a domain',
  http: { method: 'POST', path: '/api/v2/invitation-links/look-up', status: 200 },
  input: LookUpInvitationLinkInput,
  output: InvitationLinkOffer,
  problems: ['not_found'],
  async run({ clock, db }, input) {
    const link = await selectOpenLink(db, hashOf(input.token), clock.now());
    if (!link) throw linkInvalid();
    return {
      organizationId: link.organization_id,
      organizationName: link.organization_name,
      domain: link.domain,
      role: link.role,
    };
  },
});
