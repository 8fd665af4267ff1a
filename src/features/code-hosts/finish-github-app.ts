/** POST /api/v2/code-hosts/github-app/finish: exchanges the code that GitHub returned with, and connects the new App. */

import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { hashOf } from '../../platform/core/secret-token.ts';
import { callerOf } from '../audit/index.ts';
import { CodeHost, FinishGitHubAppInput } from './contract.ts';
import { createCodeHost } from './create-code-host.ts';
import { askHost } from './host-problem.ts';
import { presentCodeHost } from './present-code-host.ts';
import { sharedCodeHosts } from './shared-code-hosts.ts';
import { takeVisit } from './visit-store.ts';

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
    const { actor, clock, db, settings } = context;
    const { organizationId, userId } = actor;
    const stateHash = hashOf(state);
    const visit = await takeVisit(db, { stateHash, organizationId, userId, kind: 'github_app' }, clock.now());
    if (!visit) throw expiredVisit();
    const codeHosts = sharedCodeHosts(settings);
    const app = await askHost(() => codeHosts.createdGitHubApp(visit.url, code), 'code');
    const { appId, clientId, clientSecret, privateKey, webhookSecret } = app;
    const id = await createCodeHost(
      { ...context, codeHosts },
      {
        id: visit.code_host_id,
        kind: 'github',
        url: visit.url,
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
export function expiredVisit(): Problem {
  return new Problem('conflict', 'This link has expired or was started by someone else. Start again.');
}
