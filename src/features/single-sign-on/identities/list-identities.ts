/** GET /api/v2/single-sign-on/identities: active members by name, with their accounts at the provider. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT } from '../../../platform/core/operations/page.ts';
import { readMemberCursor } from '../../accounts/index.ts';
import { IdentityPage, ListIdentitiesInput } from '../contract.ts';
import { selectMembersWithIdentity } from './identity-store.ts';
import { presentIdentity } from './present-identity.ts';

export const listIdentities = defineOperation({
  name: 'list-identities',
  group: 'Single sign-on',
  summary: 'List members and their accounts at the provider',
  http: { method: 'GET', path: '/api/v2/single-sign-on/identities', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListIdentitiesInput,
  output: IdentityPage,
  problems: [],
  async run({ actor, clock, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectMembersWithIdentity(db, actor.organizationId, {
      after: readMemberCursor(input.cursor),
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.name, row.id]);
    const now = clock.now();
    const members = page.map((row) => ({
      userId: row.id,
      name: row.name,
      email: row.email,
      identity: presentIdentity(row),
      suspendedAt: row.suspended_at?.toISOString() ?? null,
      linkAllowedUntil:
        row.identity_link_until && row.identity_link_until > now
          ? row.identity_link_until.toISOString()
          : null,
    }));
    return { members, nextCursor };
  },
});
