/** A real OpenID Connect provider (`oidc-provider`) on this machine, with people who can be removed and tokens that can be altered. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { afterAll } from 'vitest';

export const CLIENT_ID = 'countersign-test';
export const CLIENT_SECRET = 'a client secret of the tests';

export interface ProviderPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface TestIdentityProvider {
  issuer: string;
  /** By subject. */
  people: Map<string, ProviderPerson>;
  /** Whether refresh tokens are issued. */
  givesRefreshTokens: boolean;
  /** Answers nothing: connections are cut. */
  isDown: boolean;
  /** Changes what the token endpoint replies. */
  alter: ((reply: { id_token?: string }) => Promise<void>) | undefined;
  /** Replaces replies by path. */
  replies: Map<string, unknown>;
  /** Signed with the provider's key. */
  sign(claims: JWTPayload, header?: { typ?: string }): Promise<string>;
  /** The token with other claims, signed again. */
  resign(token: string, changes: JWTPayload): Promise<string>;
}

/** `signsIn` is the subject of whoever opens the sign-in page; with undefined, the page asks. */
export async function startIdentityProvider(options: {
  redirectUrl: string;
  signsIn?: () => string | undefined;
}): Promise<TestIdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestIdentityProvider = {
    issuer,
    people: new Map(),
    givesRefreshTokens: true,
    isDown: false,
    alter: undefined,
    replies: new Map(),
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test', ...header }).sign(privateKey),
    resign: (token, changes) => state.sign({ ...decodeJwt(token), ...changes }),
  };

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [options.redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['test'] },
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => state.givesRefreshTokens,
    rotateRefreshToken: true,
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600, RefreshToken: 3600 },
    async findAccount(_context, id) {
      const person = state.people.get(id);
      return person && { accountId: id, claims: async () => ({ sub: id, ...person }) };
    },
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: context.oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile offline_access');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/token' && context.status === 200) await state.alter?.(context.body as object);
  });
  const handle = provider.callback();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer);
    if (state.isDown) return void request.socket.destroy();
    const replaced = state.replies.get(url.pathname);
    if (replaced !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replaced));
      return;
    }
    if (!url.pathname.startsWith('/interaction/')) return handle(request, response);
    const subject = url.searchParams.get('as') ?? options.signsIn?.();
    if (subject === undefined) {
      const links = [...state.people].map(([id, { name }]) => `<a href="?as=${id}">Continue as ${name}</a>`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(links.join('<br>'));
      return;
    }
    const result = state.people.has(subject)
      ? { login: { accountId: subject } }
      : { error: 'access_denied', error_description: 'no such person' };
    await provider.interactionFinished(request, response, result);
  }
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return state;
}
