/** OpenID Connect with `openid-client`: code flow with PKCE, state, nonce and `iss`, and signatures checked with the provider's keys. */
import { createHash } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  refreshTokenGrant,
} from 'openid-client';
import { checkProvider } from './check-provider.ts';
import { readLogoutToken } from './logout-token.ts';
import type { Claims, IdentityProviders, ProviderConnection } from './port.ts';
import { ProviderError, toProviderError } from './provider-error.ts';
import { providerFetch, TIMEOUT_SECONDS } from './provider-fetch.ts';

/** How long what a provider publishes about itself is kept. */
const KEEP_MS = 10 * 60_000;
const MAX_KEPT = 100;
const GOOGLE = 'https://accounts.google.com';
const WELL_KNOWN = '/.well-known/openid-configuration';

export function createIdentityProviders(): IdentityProviders {
  const kept = new Map<string, { discovered: Promise<Configuration>; until: number }>();

  function open(connection: ProviderConnection): Promise<Configuration> {
    const key = createHash('sha256').update(JSON.stringify(connection)).digest('base64');
    const known = kept.get(key);
    if (known && known.until > performance.now()) return known.discovered;
    const discovered = discover(connection);
    kept.delete(key);
    kept.set(key, { discovered, until: performance.now() + KEEP_MS });
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    discovered.catch(() => kept.delete(key));
    return discovered;
  }

  return {
    signInUrl: (connection, redirectUri, { codeVerifier, nonce, state }) =>
      inOurWords(async () => {
        const provider = await open(connection);
        const url = buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: scopesOf(provider),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          // Google's own way to ask for a refresh token.
          ...(connection.issuer === GOOGLE && { access_type: 'offline' }),
        });
        return url.href;
      }),

    finishSignIn: (connection, redirectUri, secrets, returned) =>
      inOurWords(async () => {
        const provider = await open(connection);
        const url = new URL(redirectUri);
        for (const [name, value] of Object.entries(returned)) {
          if (value !== undefined) url.searchParams.set(name, value);
        }
        const tokens = await authorizationCodeGrant(provider, url, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.codeVerifier,
          idTokenExpected: true,
        });
        const token = tokens.claims()!;
        return {
          issuer: token.iss,
          subject: token.sub,
          claims: await withUserInfo(provider, token, tokens.access_token),
          refreshToken: tokens.refresh_token ?? null,
          providerSession: typeof token.sid === 'string' ? token.sid : null,
        };
      }),

    refresh: (connection, refreshToken, subject) =>
      inOurWords(async () => {
        const provider = await open(connection);
        const tokens = await refreshTokenGrant(provider, refreshToken);
        const token = tokens.claims();
        if (token && token.sub !== subject) {
          throw new ProviderError('invalid', 'The answer of the provider is about someone else.');
        }
        return {
          refreshToken: tokens.refresh_token ?? null,
          claims: await withUserInfo(provider, { ...token, sub: subject }, tokens.access_token),
        };
      }),

    readLogoutToken: (connection, token, now) =>
      inOurWords(async () => {
        const provider = await open(connection);
        const { issuer, jwks_uri } = provider.serverMetadata();
        const keys = await readKeys(connection, jwks_uri);
        return readLogoutToken(token, keys, { issuer, clientId: connection.clientId, now });
      }),

    check: (connection, redirectUri) =>
      checkProvider({
        discover: () => inOurWords(() => discover(connection)),
        readKeys: (jwksUri) => inOurWords(() => readKeys(connection, jwksUri)),
        exchange: (provider) =>
          inOurWords(async () => {
            const url = new URL(redirectUri);
            url.searchParams.set('code', 'connection-test');
            const { issuer } = provider.serverMetadata();
            url.searchParams.set('iss', issuer);
            await authorizationCodeGrant(provider, url, { pkceCodeVerifier: 'x'.repeat(43) });
          }),
      }),
  };
}

async function discover(connection: ProviderConnection): Promise<Configuration> {
  const { allowPrivateAddresses, clientId, clientSecret, issuer } = connection;
  const address = new URL(issuer.endsWith('/') ? issuer.slice(0, -1) + WELL_KNOWN : issuer + WELL_KNOWN);
  const fetch = providerFetch(allowPrivateAddresses);
  const options = {
    [customFetch]: fetch,
    timeout: TIMEOUT_SECONDS,
    execute: [enableNonRepudiationChecks, ...(allowPrivateAddresses ? [allowInsecureRequests] : [])],
  };
  const basic = await discovery(address, clientId, {}, ClientSecretBasic(clientSecret), options);
  const published = basic.serverMetadata();
  // The library compares them only where it built the address itself.
  if (published.issuer !== issuer) {
    throw new ProviderError(
      'misconfigured',
      `The provider calls itself ${published.issuer}. Enter exactly that as the issuer.`,
    );
  }
  const methods = published.token_endpoint_auth_methods_supported;
  if (!methods || methods.includes('client_secret_basic') || !methods.includes('client_secret_post'))
    return basic;
  return discovery(address, clientId, {}, ClientSecretPost(clientSecret), options);
}

/** `offline_access` asks for a refresh token, where the provider knows it. */
function scopesOf(provider: Configuration): string {
  const known = provider.serverMetadata().scopes_supported ?? [];
  return [
    'openid',
    'email',
    'profile',
    ...['groups', 'offline_access'].filter((scope) => known.includes(scope)),
  ].join(' ');
}

/** Providers may leave claims out of the token and offer them at the userinfo endpoint only. */
async function withUserInfo(
  provider: Configuration,
  token: Claims & { sub: string },
  accessToken: string,
): Promise<Claims> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return token;
  const info = await fetchUserInfo(provider, accessToken, token.sub);
  return { ...info, ...token };
}

async function readKeys(connection: ProviderConnection, jwksUri: string | undefined): Promise<JSONWebKeySet> {
  if (jwksUri === undefined) throw new ProviderError('misconfigured', 'The provider publishes no keys.');
  const response = await providerFetch(connection.allowPrivateAddresses)(jwksUri, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  });
  if (response.status !== 200) {
    throw new ProviderError(
      'unreachable',
      `The keys can't be read: the provider replied with status ${response.status}.`,
    );
  }
  const keys: unknown = await response.json().catch(() => undefined);
  if (!isKeySet(keys)) throw new ProviderError('misconfigured', 'The provider publishes no keys.');
  return keys;
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  const keys = (value as { keys?: unknown } | undefined)?.keys;
  return Array.isArray(keys) && keys.length > 0;
}

async function inOurWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toProviderError(error);
  }
}
