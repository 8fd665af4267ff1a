/** DELETE /api/v2/code-hosts/:codeHostId: ends the connection; repositories and their history stay. */

import { defineOperation } from '../../../context.ts';
import { callerOf } from '../../audit/index.ts';
import { DisconnectCodeHostInput, DisconnectedCodeHost } from '../contract.ts';
import { removeCodeHost } from './remove-code-host.ts';

export const disconnectCodeHost = defineOperation({
  name: 'disconnect-code-host',
  group: 'Code hosts',
  summary: 'Disconnect a code host',
  description:
    'Repositories, pull requests and discussions stay as they are, visible to the same people. Nothing more is read from the host or sent there. Webhooks on the host stay and are ignored; delete them there, and revoke the token.',
  http: { method: 'DELETE', path: '/api/v2/code-hosts/:codeHostId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: DisconnectCodeHostInput,
  output: DisconnectedCodeHost,
  problems: ['not_found'],
  async run(context, { codeHostId }) {
    const { name, repositoryCount } = await removeCodeHost(context.db, codeHostId, callerOf(context));
    context.afterCommit(() => context.feed.announce(codeHostId));
    return {
      repositoryCount,
      stopped: [
        `Pull requests and discussions are no longer read from ${name} or sent there.`,
        'Private repositories are no longer fetched; public ones are.',
        'Who sees a repository no longer follows the host: everyone keeps the access they have now, until an admin changes it.',
        'Linked accounts are forgotten; comments keep the names that the host showed.',
      ],
    };
  },
});
