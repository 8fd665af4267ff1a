/** Which providers a service talks to at all; signing in is tested in features/single-sign-on. */
import { expect, it } from 'vitest';
import { createIdentityProviders } from './create-identity-providers.ts';

it('asks no provider at a private address unless the operator allows it', async () => {
  const provider = { issuer: 'https://127.0.0.1:1', clientId: 'a', clientSecret: 'b' };
  const check = (allowPrivateAddresses: boolean) =>
    createIdentityProviders().check({ ...provider, allowPrivateAddresses }, 'https://review.example/return');
  expect(JSON.stringify(await check(false))).toContain('private network');
  expect(JSON.stringify(await check(true))).not.toContain('private network');
});
