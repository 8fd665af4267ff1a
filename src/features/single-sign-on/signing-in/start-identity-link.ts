/** POST /api/v2/single-sign-on/link: the page of the provider where you sign in to link your account. */
import { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { ProviderPage } from '../contract.ts';
import { startRedirect } from './start-redirect.ts';

export const startIdentityLink = defineOperation({
  name: 'start-identity-link',
  group: 'Single sign-on',
  summary: 'Start to link your account to single sign-on',
  description: 'Open the returned page in the same browser, while you stay signed in. Valid for ten minutes.',
  http: { method: 'POST', path: '/api/v2/single-sign-on/link', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: z.object({}),
  output: ProviderPage,
  problems: ['not_found', 'single_sign_on_failed', 'unavailable'],
  async run(context) {
    const { organizationId, userId } = context.actor;
    return startRedirect(context, { organizationId, userId, returnTo: '/settings/account' });
  },
});
