/** GET /api/v2/invitation-links: links for domains, newest first, with how many people used them. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { isUuid } from '../../../platform/core/operations/shapes.ts';
import { InvitationLinkPage, ListInvitationLinksInput } from '../contract.ts';
import { selectInvitationLinks } from '../store/invitation-link-store.ts';
import { presentInvitationLink } from './present-invitation-link.ts';

export const listInvitationLinks = defineOperation({
  name: 'list-invitation-links',
  group: 'People',
  summary: 'List the invitation links for domains',
  http: { method: 'GET', path: '/api/v2/invitation-links', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListInvitationLinksInput,
  output: InvitationLinkPage,
  problems: [],
  async run({ actor, db, settings }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectInvitationLinks(db, actor.organizationId, {
      beforeId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return {
      invitationLinks: page.map(presentInvitationLink),
      canCreate: settings.mail !== undefined,
      nextCursor,
    };
  },
});
