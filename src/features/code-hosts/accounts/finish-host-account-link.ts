/** POST /api/v2/code-hosts/account-link/finish: links the account that you signed in with at the host. */

import { defineOperation } from '../../../context.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { expiredRedirect } from '../connections/finish-github-app.ts';
import { askHost } from '../connections/host-problem.ts';
import { codeVerifierOf, openSignInSecret } from '../connections/host-secrets.ts';
import { takeRedirect } from '../connections/pending-redirect-store.ts';
import { accountReturnUrl } from '../connections/webhook-address.ts';
import { FinishHostAccountLinkInput, HostAccount } from '../contract.ts';
import { lockAccount } from './account-link-store.ts';
import { rememberAccounts } from './host-account-store.ts';
import { linkAccountTo } from './link-account.ts';
import { presentAccount } from './list-host-accounts.ts';

export const finishHostAccountLink = defineOperation({
  name: 'finish-host-account-link',
  group: 'Code hosts',
  summary: 'Finish linking your account',
  description: 'Works once, for the person who started it.',
  http: { method: 'POST', path: '/api/v2/code-hosts/account-link/finish', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: FinishHostAccountLinkInput,
  output: HostAccount,
  problems: ['not_found', 'conflict', 'unavailable'],
  async run(context, { code, state }) {
    const { actor, baseUrl, clock, codeHosts, db, feed, secrets } = context;
    const { organizationId, userId } = actor;
    const stateHash = hashOf(state);
    const redirect = await takeRedirect(
      db,
      { stateHash, organizationId, userId, kind: 'account' },
      clock.now(),
    );
    if (!redirect || redirect.code_verifier === null) throw expiredRedirect();
    const codeHostId = redirect.code_host_id;
    const host = await findCodeHost(context, codeHostId);
    if (host.sign_in_client_id === null || host.sign_in_secret === null) throw expiredRedirect();
    const signIn = codeHosts.signIn({
      kind: host.kind,
      url: host.url,
      clientId: host.sign_in_client_id,
      clientSecret: openSignInSecret(secrets, codeHostId, host.sign_in_secret),
    });
    const codeVerifier = secrets.open(redirect.code_verifier, codeVerifierOf(codeHostId));
    const redirectUri = accountReturnUrl(baseUrl);
    const signedIn = await askHost(() => signIn.exchange({ code, codeVerifier, redirectUri }), {
      credential: 'code',
    });
    const { account, changed } = await inTransaction(db, async (transaction) => {
      const known = await rememberAccounts(transaction, { id: codeHostId, organizationId }, [signedIn]);
      const { id } = known.get(signedIn.id)!;
      const before = (await lockAccount(transaction, organizationId, codeHostId, id))!;
      const repositoryIds = await linkAccountTo(
        transaction,
        before,
        { userId, by: 'sign_in' },
        callerOf(context),
      );
      const after = (await lockAccount(transaction, organizationId, codeHostId, id))!;
      return { account: after, changed: repositoryIds };
    });
    context.afterCommit(() => changed.forEach((id) => void feed.announce(id)));
    return presentAccount(account);
  },
});
