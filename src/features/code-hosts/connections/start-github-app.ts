/** POST /api/v2/code-hosts/github-app: what the browser posts to GitHub to create an App with the right permissions. */

import { defineOperation } from '../../../context.ts';
import { acceptServerUrl } from '../../../platform/core/network/server-url.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { GitHubAppForm, StartGitHubAppInput } from '../contract.ts';
import { insertRedirect } from './pending-redirect-store.ts';
import { accountReturnUrl, githubAppReturnUrl, webhookUrlOf } from './webhook-address.ts';

const HOUR_MS = 60 * 60_000;

export const startGitHubApp = defineOperation({
  name: 'start-github-app',
  group: 'Code hosts',
  summary: 'Start connecting GitHub with an App',
  description:
    'The browser posts `manifest` to `action`; GitHub shows the App to be created and returns to the web app with a code, which `POST /api/v2/code-hosts/github-app/finish` exchanges. Valid for one hour.',
  http: { method: 'POST', path: '/api/v2/code-hosts/github-app', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: StartGitHubAppInput,
  output: GitHubAppForm,
  problems: [],
  async run(context, { name, organization = null, url: sent = 'https://github.com' }) {
    const { actor, baseUrl, clock, codeHosts, db, settings } = context;
    const url = await acceptServerUrl(sent, settings.allowPrivateAddresses);
    const state = newToken();
    const codeHostId = uuidv7();
    await insertRedirect(db, {
      stateHash: hashOf(state),
      organizationId: actor.organizationId,
      userId: actor.userId,
      kind: 'github_app',
      codeHostId,
      url,
      codeVerifier: null,
      expiresAt: new Date(clock.now().getTime() + HOUR_MS),
    });
    return codeHosts.githubAppManifest({
      url,
      organization,
      name: name ?? `Countersign ${codeHostId.slice(-6)}`,
      homeUrl: baseUrl,
      redirectUrl: githubAppReturnUrl(baseUrl),
      signInUrl: accountReturnUrl(baseUrl),
      webhookUrl: webhookUrlOf(baseUrl, codeHostId),
      state,
    });
  },
});
