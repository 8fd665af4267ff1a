/** GET /api/v2/sign-in-methods: how people can sign in to this service. */
import { z } from 'zod';
import { definePublicOperation } from '../../../context.ts';
import { SignInMethods } from '../contract.ts';
import { anyPasswordSignIn, selectProviders } from './settings-store.ts';

export const listSignInMethods = definePublicOperation({
  name: 'list-sign-in-methods',
  group: 'Single sign-on',
  summary: 'List the ways to sign in',
  http: { method: 'GET', path: '/api/v2/sign-in-methods', status: 200 },
  input: z.object({}),
  output: SignInMethods,
  problems: [],
  async run({ db }) {
    const providers = await selectProviders(db);
    return {
      password: providers.length === 0 || (await anyPasswordSignIn(db)),
      singleSignOn: providers.map((row) => ({
        organizationId: row.organization_id,
        name: row.name,
        passwordSignIn: row.password_sign_in,
      })),
    };
  },
});
