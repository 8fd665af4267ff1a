/** POST /api/v2/single-sign-on/start: the page of the provider where somebody signs in. */
import { definePublicOperation } from '../../../context.ts';
import { ProviderPage, StartSingleSignOnInput } from '../contract.ts';
import { startRedirect } from './start-redirect.ts';

export const startSingleSignOn = definePublicOperation({
  name: 'start-single-sign-on',
  group: 'Single sign-on',
  summary: 'Start to sign in with single sign-on',
  description:
    'Open the returned page in the same browser. The provider returns to the web app, which finishes the sign-in. Valid for ten minutes.',
  http: { method: 'POST', path: '/api/v2/single-sign-on/start', status: 200 },
  input: StartSingleSignOnInput,
  output: ProviderPage,
  problems: ['not_found', 'single_sign_on_failed', 'unavailable'],
  async run(context, { organizationId, returnTo }) {
    return startRedirect(context, { organizationId, userId: null, returnTo });
  },
});
