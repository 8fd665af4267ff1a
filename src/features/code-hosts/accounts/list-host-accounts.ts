/** GET /api/v2/code-hosts/:codeHostId/accounts: the people of a code host, and the members they are linked to. */

import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { isUuid } from '../../../platform/core/operations/shapes.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { type HostAccount, HostAccountPage, ListHostAccountsInput } from '../contract.ts';
import { type AccountRow, selectAccounts } from './account-link-store.ts';

export const listHostAccounts = defineOperation({
  name: 'list-host-accounts',
  group: 'Code hosts',
  summary: "List a code host's accounts",
  description:
    'Accounts that can read private repositories which were added, and authors and reviewers of pull requests. Bots are left out.',
  http: { method: 'GET', path: '/api/v2/code-hosts/:codeHostId/accounts', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListHostAccountsInput,
  output: HostAccountPage,
  problems: ['not_found'],
  async run(context, { codeHostId, cursor, limit = DEFAULT_LIMIT, search }) {
    await findCodeHost(context, codeHostId);
    const after = readCursor(cursor, [() => true, isUuid]);
    const rows = await selectAccounts(context.db, context.actor.organizationId, codeHostId, {
      search,
      after: after && { login: after[0]!, id: after[1]! },
      limit: limit + 1,
    });
    const { nextCursor, page } = cutPage(rows, limit, ({ id, login }) => [login, id]);
    return { accounts: page.map(presentAccount), nextCursor };
  },
});

export function presentAccount(row: AccountRow): z.input<typeof HostAccount> {
  return {
    id: row.id,
    login: row.login,
    name: row.name,
    member: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
    linkedBy: row.linked_by,
    linkedAt: row.linked_at?.toISOString() ?? null,
  };
}
