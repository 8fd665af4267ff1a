/** GET /api/v2/account/code-hosts: the code hosts of the organization, and your accounts there. */

import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { hostName } from '../connections/present-code-host.ts';
import { ListMyHostAccountsInput, MyHostAccounts } from '../contract.ts';
import { selectHostsWithAccountsOf } from './account-link-store.ts';

type Host = z.input<typeof MyHostAccounts>['hosts'][number];

export const listMyHostAccounts = defineOperation({
  name: 'list-my-host-accounts',
  group: 'Code hosts',
  summary: 'List your linked accounts',
  description: 'Link your account to see the private repositories that you can read on the host.',
  http: { method: 'GET', path: '/api/v2/account/code-hosts', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListMyHostAccountsInput,
  output: MyHostAccounts,
  problems: [],
  async run({ actor, db }) {
    const hosts: Host[] = [];
    for (const row of await selectHostsWithAccountsOf(db, actor.organizationId, actor.userId)) {
      const known = hosts.find(({ codeHostId }) => codeHostId === row.id);
      const host: Host = known ?? {
        codeHostId: row.id,
        kind: row.kind,
        name: hostName(row),
        url: row.url,
        canSignIn: row.sign_in_client_id !== null,
        accounts: [],
      };
      if (row.account_id !== null) host.accounts.push({ id: row.account_id, login: row.login! });
      if (!known) hosts.push(host);
    }
    return { hosts };
  },
});
