/** Tests a connection as far as that is possible without a person: discovery, issuer, keys, and the client's credentials. */
import type { Configuration } from 'openid-client';
import type { ProviderCheck } from './port.ts';
import { ProviderError } from './provider-error.ts';

export async function checkProvider(steps: {
  discover(): Promise<Configuration>;
  readKeys(jwksUri: string | undefined): Promise<{ keys: unknown[] }>;
  /** Exchanges a made-up code. */
  exchange(provider: Configuration): Promise<unknown>;
}): Promise<ProviderCheck[]> {
  const checks: ProviderCheck[] = [];
  const tryTo = async <Result>(
    name: string,
    work: () => Promise<Result>,
    describe: (result: Result) => string,
  ) => {
    try {
      const result = await work();
      checks.push({ name, ok: true, detail: describe(result) });
      return result;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      checks.push({ name, ok: false, detail: error.message });
      return undefined;
    }
  };

  const provider = await tryTo('Discovery and issuer', steps.discover, (found) => {
    return `${found.serverMetadata().issuer} was found and the issuer matches.`;
  });
  if (!provider) return checks;
  const { code_challenge_methods_supported: methods, jwks_uri } = provider.serverMetadata();
  await tryTo(
    'Signing keys',
    () => steps.readKeys(jwks_uri),
    ({ keys }) => (keys.length === 1 ? 'One key was read.' : `${keys.length} keys were read.`),
  );
  await tryTo(
    'Client ID and secret',
    // With the right credentials, the provider refuses only the code.
    () =>
      steps.exchange(provider).catch((error: unknown) => {
        if (!(error instanceof ProviderError) || error.code !== 'refused') throw error;
      }),
    () => 'The provider accepted them.',
  );
  const knowsPkce = methods === undefined || methods.includes('S256');
  checks.push({
    name: 'PKCE',
    ok: knowsPkce,
    detail: methods?.includes('S256')
      ? 'The provider supports it.'
      : knowsPkce
        ? 'The provider doesn’t say whether it supports PKCE; it is used anyway.'
        : 'The provider does not support PKCE with S256, which is required.',
  });
  return checks;
}
