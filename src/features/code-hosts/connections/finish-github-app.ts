/** POST /api/v2/code-hosts/github-app/finish: exchanges the code that GitHub returned with, and connects the new App. */

import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { callerOf } from '../../audit/index.ts';
import { CodeHost, FinishGitHubAppInput } from '../contract.ts';
import { createCodeHost } from './create-code-host.ts';
import { askHost } from './host-problem.ts';
import { takeRedirect } from './pending-redirect-store.ts';
import { presentCodeHost } from './present-code-host.ts';

export const finishGitHubApp = defineOperation({
  name: 'finish-github-app',
  group: 'Code hosts',
  summary: 'Finish connecting GitHub with an App',
  description:
    'Works once, for the person who started it. Then open `installUrl` to choose the repositories that the App can read.',
  http: { method: 'POST', path: '/api/v2/code-hosts/github-app/finish', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: FinishGitHubAppInput,
  output: CodeHost,
  problems: ['conflict', 'unavailable'],
  async run(context, { code, state }) {
    const { actor, clock, codeHosts, db } = context;
    const { organizationId, userId } = actor;
    const stateHash = hashOf(state);
    const redirect = await takeRedirect(
      db,
      { stateHash, organizationId, userId, kind: 'github_app' },
      clock.now(),
    );
    if (!redirect) throw expiredRedirect();
    const app = await askHost(() => codeHosts.createdGitHubApp(redirect.url, code), {
      credential: 'code',
    });
    const { appId, clientId, clientSecret, privateKey, webhookSecret } = app;
    const id = await createCodeHost(
      context,
      {
        id: redirect.code_host_id,
        kind: 'github',
        url: redirect.url,
        name: null,
        credential: { kind: 'app', appId, privateKey },
        ...(webhookSecret !== '' && { webhookSecret }),
        app: { url: app.url, clientId, clientSecret },
      },
      callerOf(context),
    );
    return presentCodeHost(context, organizationId, id);
  },
});

/** The state is unknown, used, expired, or was given to somebody else. */
export function expiredRedirect(): Problem {
  return new Problem('conflict', 'This link has expired or was started by someone else. Start again.');
}
