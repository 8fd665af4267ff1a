/** GET /api/v2/members: the members of the organization by name, including deactivated ones. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { isUuid, text } from '../../../platform/core/operations/shapes.ts';
import { ListMembersInput, MAX_NAME_LENGTH, MemberPage } from '../contract.ts';
import { countActiveOwners, selectMembers } from '../store/account-store.ts';
import { possibleChanges } from './member-rules.ts';
import { presentMember } from './present-member.ts';

export const listMembers = defineOperation({
  name: 'list-members',
  group: 'People',
  summary: 'List the members of the organization',
  http: { method: 'GET', path: '/api/v2/members', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListMembersInput,
  output: MemberPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectMembers(db, actor.organizationId, {
      after: readMemberCursor(input.cursor),
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.name, row.id]);
    const activeOwners = await countActiveOwners(db, actor.organizationId);
    const members = page.map((row) => {
      const state = { role: row.role, active: row.deactivated_at === null };
      return { ...presentMember(row), can: possibleChanges(actor.role, state, activeOwners) };
    });
    return { members, nextCursor };
  },
});

/** Includes the name, so that a member who is renamed in the meantime shifts nobody. */
export function readMemberCursor(cursor: string | undefined): { name: string; id: string } | undefined {
  const values = readCursor(cursor, [isName, isUuid]);
  return values && { name: values[0]!, id: values[1]! };
}

/** Names that were given before a rule came into force are in cursors too. */
const isName = (value: string) => text({ max: MAX_NAME_LENGTH }).safeParse(value).success;
