/** PATCH /api/v2/code-hosts/:codeHostId: renames a code host, or replaces its token or OAuth application. */

import { defineOperation } from '../../../context.ts';
import type { Connection } from '../../../engines/code-hosts/index.ts';
import { invalidRequest, notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { ChangeCodeHostInput, CodeHost } from '../contract.ts';
import { clearHostProblem } from './code-host-store.ts';
import { lockCodeHost, updateCodeHost, writeCredentialCheck } from './connection-store.ts';
import { checkedOf } from './create-code-host.ts';
import { findCodeHost } from './find-code-host.ts';
import { askHost } from './host-problem.ts';
import { sealHostCredential, sealSignInSecret } from './host-secrets.ts';
import { hostName, presentCodeHost } from './present-code-host.ts';

export const changeCodeHost = defineOperation({
  name: 'change-code-host',
  group: 'Code hosts',
  summary: 'Update a code host',
  description: 'A new token is tried first and replaces the old one only if the host accepts it.',
  http: { method: 'PATCH', path: '/api/v2/code-hosts/:codeHostId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeCodeHostInput,
  output: CodeHost,
  problems: ['not_found', 'conflict', 'unavailable'],
  async run(context, { codeHostId, name, signIn, token }) {
    const { actor, clock, codeHosts, db, feed, secrets } = context;
    const { organizationId } = actor;
    const { credential_kind, kind, url } = await findCodeHost(context, codeHostId);
    if (token !== undefined && credential_kind === 'app') {
      throw invalidRequest([{ path: 'token', message: 'cannot be set: this host is connected with an App' }]);
    }
    const credential = token === undefined ? null : ({ kind: 'token', token } as const);
    const opened = credential && codeHosts.open({ kind, url, credential } as Connection);
    const description = opened && (await askHost(() => opened.describe(), { credential: 'token' }));
    await inTransaction(db, async (transaction) => {
      const before = await lockCodeHost(transaction, organizationId, codeHostId);
      if (!before) throw notFound('The code host');
      await updateCodeHost(transaction, organizationId, codeHostId, {
        ...(name !== undefined && { name }),
        ...(credential && { credential: sealHostCredential(secrets, codeHostId, credential).credential }),
        ...(signIn !== undefined && {
          sign_in_client_id: signIn?.clientId ?? null,
          sign_in_secret: signIn && sealSignInSecret(secrets, codeHostId, signIn.clientSecret),
        }),
        updated_at: clock.now(),
      });
      if (description) {
        await writeCredentialCheck(transaction, codeHostId, checkedOf(description));
        await clearHostProblem(transaction, codeHostId);
      }
      await recordAudit(transaction, callerOf(context), {
        action: 'code_host.changed',
        subjectId: codeHostId,
        subjectName: name ?? hostName(before),
        detail: {
          ...(name !== undefined && { name: { from: hostName(before), to: name } }),
          ...(description && { credential: 'replaced', account: description.account.login }),
          ...(signIn !== undefined && { signIn: signIn === null ? 'removed' : 'replaced' }),
        },
      });
    });
    context.afterCommit(() => feed.announce(codeHostId));
    return presentCodeHost(context, organizationId, codeHostId);
  },
});
