/** GET /api/v2/code-hosts: the code hosts that the organization is connected to. */

import { defineOperation } from '../../../context.ts';
import { CodeHostList, ListCodeHostsInput } from '../contract.ts';
import { selectShownHosts } from './connection-store.ts';
import { presentCodeHosts } from './present-code-host.ts';

export const listCodeHosts = defineOperation({
  name: 'list-code-hosts',
  group: 'Code hosts',
  summary: 'List code hosts',
  http: { method: 'GET', path: '/api/v2/code-hosts', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListCodeHostsInput,
  output: CodeHostList,
  problems: [],
  async run(context) {
    const rows = await selectShownHosts(context.db, context.actor.organizationId);
    return { codeHosts: await presentCodeHosts(context, rows) };
  },
});
