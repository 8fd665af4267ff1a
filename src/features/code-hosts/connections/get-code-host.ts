/** GET /api/v2/code-hosts/:codeHostId: one code host, with what works and what does not. */

import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { CodeHost, GetCodeHostInput } from '../contract.ts';
import { selectShownHost } from './connection-store.ts';
import { presentCodeHosts } from './present-code-host.ts';

export const getCodeHost = defineOperation({
  name: 'get-code-host',
  group: 'Code hosts',
  summary: 'Get a code host',
  description: '`checks` lists what works and what does not, each with what to do about it.',
  http: { method: 'GET', path: '/api/v2/code-hosts/:codeHostId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: GetCodeHostInput,
  output: CodeHost,
  problems: ['not_found'],
  async run(context, { codeHostId }) {
    const row = await selectShownHost(context.db, context.actor.organizationId, codeHostId);
    if (!row) throw notFound('The code host');
    return (await presentCodeHosts(context, [row]))[0]!;
  },
});
