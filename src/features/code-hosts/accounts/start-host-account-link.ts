/** POST /api/v2/code-hosts/:codeHostId/account-link: the page of the host where you sign in to link your account. */

import { hash } from 'node:crypto';
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { codeVerifierOf, openSignInSecret } from '../connections/host-secrets.ts';
import { insertRedirect } from '../connections/pending-redirect-store.ts';
import { accountReturnUrl } from '../connections/webhook-address.ts';
import { HostSignInPage, StartHostAccountLinkInput } from '../contract.ts';

const MINUTES_10_MS = 10 * 60_000;

export const startHostAccountLink = defineOperation({
  name: 'start-host-account-link',
  group: 'Code hosts',
  summary: 'Start linking your account',
  description:
    'Open the returned page in the browser. The host returns to the web app with a code, which `POST /api/v2/code-hosts/account-link/finish` exchanges. Valid for ten minutes.',
  http: { method: 'POST', path: '/api/v2/code-hosts/:codeHostId/account-link', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: StartHostAccountLinkInput,
  output: HostSignInPage,
  problems: ['not_found', 'conflict'],
  async run(context, { codeHostId }) {
    const { actor, baseUrl, clock, codeHosts, db, secrets } = context;
    const {
      kind,
      sign_in_client_id: clientId,
      sign_in_secret: sealed,
      url,
    } = await findCodeHost(context, codeHostId);
    if (clientId === null || sealed === null) {
      throw new Problem(
        'conflict',
        'Signing in is not set up for this host. Ask an admin to link your account.',
      );
    }
    const state = newToken();
    const verifier = newToken();
    await insertRedirect(db, {
      stateHash: hashOf(state),
      organizationId: actor.organizationId,
      userId: actor.userId,
      kind: 'account',
      codeHostId,
      url,
      codeVerifier: secrets.seal(verifier, codeVerifierOf(codeHostId)),
      expiresAt: new Date(clock.now().getTime() + MINUTES_10_MS),
    });
    const clientSecret = openSignInSecret(secrets, codeHostId, sealed);
    const signIn = codeHosts.signIn({ kind, url, clientId, clientSecret });
    const codeChallenge = hash('sha256', verifier, 'base64url');
    return { url: signIn.authorizeUrl({ redirectUri: accountReturnUrl(baseUrl), state, codeChallenge }) };
  },
});
