/** GET /api/v2/members: the people of the organization by name, deactivated ones too. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/page.ts';
import { isUuid } from '../../platform/core/shapes.ts';
import { selectMembers } from './account-store.ts';
import { ListMembersInput, MemberPage } from './contract.ts';
import { presentMember } from './present-member.ts';

export const listMembers = defineOperation({
  name: 'list-members',
  group: 'People',
  summary: 'List the people of the organization',
  http: { method: 'GET', path: '/api/v2/members', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListMembersInput,
  output: MemberPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectMembers(db, actor.organizationId, {
      afterId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { members: page.map(presentMember), nextCursor };
  },
});
