/** POST /api/v2/single-sign-on/test: tries the connection to a provider, before or after its settings are saved. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { SingleSignOnTest, TestSingleSignOnInput } from '../contract.ts';
import { redirectUrl } from './addresses.ts';
import { allowsPrivate, openClientSecret } from './sealed.ts';
import { selectSettings } from './settings-store.ts';

export const testSingleSignOn = defineOperation({
  name: 'test-single-sign-on',
  group: 'Single sign-on',
  summary: 'Test the connection to the provider',
  description:
    'Reads what the provider publishes, its keys, and whether it accepts the client. Changes nothing.',
  http: { method: 'POST', path: '/api/v2/single-sign-on/test', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: TestSingleSignOnInput,
  output: SingleSignOnTest,
  problems: [],
  async run({ actor, baseUrl, db, identityProviders, secrets, settings }, input) {
    const row = await selectSettings(db, actor.organizationId);
    const stored = row?.issuer === input.issuer ? openClientSecret(secrets, row) : undefined;
    const clientSecret = input.clientSecret ?? stored;
    if (clientSecret === undefined) {
      throw invalidRequest([{ path: 'clientSecret', message: 'is required for a new issuer' }]);
    }
    const { clientId, issuer } = input;
    const allowPrivateAddresses = allowsPrivate(settings, issuer);
    const connection = { issuer, clientId, clientSecret, allowPrivateAddresses };
    const checks = await identityProviders.check(connection, redirectUrl(baseUrl));
    return { ok: checks.every(({ ok }) => ok), checks };
  },
});
