/** The OAuth library, configured for what agents need and nothing else: codes with PKCE, refresh tokens, opaque tokens. */
import { generateKeyPairSync } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Configuration, KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { AGENT_SCOPE } from '../../platform/core/ports/agent-sign-in.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import { createAdapterFactory } from './adapter.ts';
import { isGrantAlive } from './agent-store.ts';
import { fetchDocument, mayFetchDocument, readDocument } from './client-documents.ts';
import { LIFETIMES_MS } from './lifetimes.ts';
import { CLIENT_AUTHENTICATION, PATHS, resourceOf } from './metadata.ts';
import { describeRedirect } from './redirect-address.ts';
import { describeFault, PAGE_HEADERS, renderSignInPage } from './sign-in-page.ts';
import { currentVisit } from './visit.ts';

interface ProviderServices {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  baseUrl: string;
  clientMetadataDocuments: boolean;
}

/** Loaded at the first request, because it takes time and memory. */
export async function loadProvider(services: ProviderServices): Promise<Provider> {
  const library = await importQuietly();
  const provider = new library.Provider(services.baseUrl, configure(services, library));
  // The scheme and host come from BASE_URL: requests are passed on with these headers set to it.
  provider.proxy = true;
  const report = (_context: unknown, error: Error) =>
    services.log.error({ requestId: currentVisit().requestId, err: error }, 'agent sign-in failed');
  provider.on('server_error', report);
  provider.on('authorization.error', keepUnlessAnswered);
  provider.on('server_error', keepUnlessAnswered);
  // How the underlying framework reports errors outside of the library.
  (provider as EventEmitter).on('error', (error: Error) => report(undefined, error));
  // The library's own session ends with the request, so no cookie is set for it.
  const forgetSession = ({ oidc }: { oidc: { session?: object } }) => {
    if (oidc.session) Object.assign(oidc.session, { destroyed: true });
  };
  provider.on('authorization.success', forgetSession);
  provider.on('authorization.error', forgetSession);
  return provider;
}

/**
 * Anyone can register any address, so a browser is sent there only after its user allowed or denied the request. Until
 * then, errors are shown on our own page. The library reads this flag after it emits the error.
 */
function keepUnlessAnswered({ oidc }: KoaContextWithOIDC, error: Error): void {
  if (oidc.entities.Interaction?.result === undefined) Object.assign(error, { allow_redirect: false });
}

/** It prints a warning for every Node.js version that is not LTS yet; ours is chosen and tested. */
async function importQuietly() {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

function configure(services: ProviderServices, library: typeof import('oidc-provider')): Configuration {
  const { baseUrl, clock, db, secrets } = services;
  const { errors, interactionPolicy } = library;
  const { Check, Prompt } = interactionPolicy;
  const resource = resourceOf(baseUrl);
  const clientSecretOf = (clientId: string) =>
    secrets.derive(`oauth client secret ${clientId}`).toString('base64url');
  const cookie = (name: string) =>
    `${baseUrl.startsWith('https:') ? '__Secure-' : ''}countersign-agent-${name}`;
  const seconds = (milliseconds: number) => milliseconds / 1000;
  const newClientIds = new WeakMap<object, string>();

  return {
    adapter: createAdapterFactory({ db, clock, errors, clientSecretOf }),
    routes: { ...PATHS },
    scopes: [AGENT_SCOPE],
    responseTypes: ['code'],
    clientAuthMethods: [...CLIENT_AUTHENTICATION],
    pkce: { required: () => true },
    // Nothing is ever signed, but the library does not start without a key.
    jwks: { keys: [signingKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: {
      names: { session: cookie('session'), interaction: cookie('request'), resume: cookie('resume') },
      keys: [secrets.derive('oauth cookies')],
      long: { httpOnly: true, sameSite: 'lax', path: PATHS.authorization },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      Interaction: seconds(LIFETIMES_MS.signIn),
      AuthorizationCode: seconds(LIFETIMES_MS.code),
      AccessToken: seconds(LIFETIMES_MS.accessToken),
      RefreshToken: seconds(LIFETIMES_MS.refreshToken),
      Grant: seconds(LIFETIMES_MS.refreshToken),
      Session: seconds(LIFETIMES_MS.signIn),
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory(context: object) {
          const id = uuidv7();
          newClientIds.set(context, id);
          return id;
        },
        secretFactory: (context: object) => clientSecretOf(newClientIds.get(context)!),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, indicator) {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return { scope: AGENT_SCOPE, audience: resource, accessTokenFormat: 'opaque' };
        },
      },
      clientIdMetadataDocument: {
        enabled: services.clientMetadataDocuments,
        ack: 'draft-02',
        allowFetch: (_context, clientId) => mayFetchDocument(clientId),
      },
    },
    fetch: async (url, options) => readDocument(await fetchDocument(url, options)),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // The grant serves as the account: it belongs to one user in one organization.
    async findAccount(_context, id) {
      if (!isUuid(id) || !(await isGrantAlive(db, id, clock.now()))) return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    interactions: {
      url: (_context, { uid }) => `${baseUrl}/connect/${uid}`,
      policy: [
        new Prompt(
          { name: 'consent', requestable: false },
          ({ oidc }) => ({ agent: describeAgent(oidc.client!, oidc.params!.redirect_uri as string) }),
          new Check(
            'not_allowed_yet',
            'the user has to allow it',
            ({ oidc }) => oidc.result?.consent === undefined || !oidc.account || !oidc.grant,
          ),
        ),
      ],
    },
    renderError(context, out, error) {
      context.set(PAGE_HEADERS);
      // The library had already prepared a redirect.
      if (context.status < 400) context.status = 400;
      const fault =
        out.error === 'server_error'
          ? { title: 'Something went wrong on our side', detail: 'Try again in a moment.' }
          : describeFault(error, out.error_description);
      context.body = renderSignInPage(fault, currentVisit().requestId);
    },
  };
}

function describeAgent(client: { clientName?: string; clientUri?: string }, redirectUri: string) {
  const place = describeRedirect(redirectUri);
  return { name: client.clientName ?? place.returnsTo, address: client.clientUri ?? null, ...place };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' } as never;
}
