/** GET /api/v2/invitations: pending, accepted and revoked ones, newest first. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { isUuid } from '../../../platform/core/operations/shapes.ts';
import { InvitationPage, ListInvitationsInput } from '../contract.ts';
import { selectInvitations } from '../store/invitation-store.ts';
import { presentInvitation } from './present-invitation.ts';

export const listInvitations = defineOperation({
  name: 'list-invitations',
  group: 'People',
  summary: 'List invitations',
  http: { method: 'GET', path: '/api/v2/invitations', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListInvitationsInput,
  output: InvitationPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectInvitations(db, actor.organizationId, {
      beforeId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { invitations: page.map(presentInvitation), nextCursor };
  },
});
