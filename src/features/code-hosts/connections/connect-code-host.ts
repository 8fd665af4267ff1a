/** POST /api/v2/code-hosts: connects the organization to a code host with a token. */

import { defineOperation } from '../../../context.ts';
import { acceptServerUrl } from '../../../platform/core/network/server-url.ts';
import { callerOf } from '../../audit/index.ts';
import { CodeHost, ConnectCodeHostInput } from '../contract.ts';
import { createCodeHost } from './create-code-host.ts';
import { presentCodeHost } from './present-code-host.ts';

export const connectCodeHost = defineOperation({
  name: 'connect-code-host',
  group: 'Code hosts',
  summary: 'Connect a code host with a token',
  description:
    'The token is tried first; the `checks` of the reply say which permissions it lacks. Then choose repositories. To connect GitHub with an App instead, start with `POST /api/v2/code-hosts/github-app`.',
  http: { method: 'POST', path: '/api/v2/code-hosts', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: ConnectCodeHostInput,
  output: CodeHost,
  problems: ['conflict', 'unavailable'],
  async run(context, { kind, name = null, token, url: sent }) {
    const { actor, settings } = context;
    const url = await acceptServerUrl(sent, settings.allowPrivateAddresses);
    const credential = { kind: 'token' as const, token };
    const id = await createCodeHost(context, { kind, url, name, credential }, callerOf(context));
    return presentCodeHost(context, actor.organizationId, id);
  },
});
