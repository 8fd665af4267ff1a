/** Signing in at a host with its OAuth 2 code flow, only to learn which account a person has there. */
import { z } from 'zod';
import type { HostEnvironment } from './environment.ts';
import { githubAddresses } from './github/addresses.ts';
import { accountOf } from './github/read.ts';
import { userShape } from './github/shapes.ts';
import { type Connections, createHostClient, type HostClient } from './host-client.ts';
import { HostError, isHostError } from './host-error.ts';
import type { Account, HostKind, HostSignIn, SignInApplication } from './port.ts';
import { readReply } from './read-reply.ts';
import { webAddress } from './web-address.ts';

const tokenShape = z.object({ access_token: z.string().min(1) });
const refusalShape = z.object({ error: z.string() });
/** GitLab and Gitea name the same things differently. */
const otherUserShape = z.object({
  id: z.number().int(),
  login: z.string().optional(),
  username: z.string().optional(),
  name: z.string().nullish(),
  full_name: z.string().nullish(),
});

interface SignInApi {
  authorize: string;
  token: string;
  scope: string;
  /** Where the account of the token is read, and how. */
  account(web: string): { base: string; path: string };
  read(json: unknown): Account;
}

const SIGN_IN_APIS: Record<HostKind, SignInApi> = {
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: '',
    account(web) {
      const { base, restPrefix } = githubAddresses(web);
      return { base, path: `${restPrefix}/user` };
    },
    read: (json) => accountOf(readReply(userShape, json, 'the account')),
  },
  gitlab: {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    scope: 'read_user',
    account: (web) => ({ base: web, path: '/api/v4/user' }),
    read: readOtherAccount,
  },
  gitea: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'read:user',
    account: (web) => ({ base: web, path: '/api/v1/user' }),
    read: readOtherAccount,
  },
};

export function createHostSignIn(
  { clientId, clientSecret, kind, url }: SignInApplication,
  parts: { connections: Connections; environment: HostEnvironment },
): HostSignIn {
  const web = webAddress(url);
  const api = SIGN_IN_APIS[kind];
  const clientFor = (baseUrl: string, token: string | null) =>
    createHostClient({
      ...parts,
      baseUrl,
      headers: {
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      secrets: [clientSecret, ...(token === null ? [] : [token])],
      pause: { until: null },
      signal: AbortSignal.timeout(120_000),
    });
  return {
    authorizeUrl({ codeChallenge, redirectUri, state }) {
      const target = new URL(web + api.authorize);
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...(api.scope === '' ? {} : { scope: api.scope }),
      };
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return target.href;
    },
    async exchange({ code, codeVerifier, redirectUri }) {
      const json = await exchangeCode(clientFor(web, null), api.token, {
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      });
      const { access_token } = readReply(tokenShape, json, 'the sign-in');
      const { base, path } = api.account(web);
      const reply = await clientFor(base, access_token)({ path });
      return api.read(reply.json);
    },
  };
}

/** GitHub refuses with status 200, the others with 400. */
async function exchangeCode(
  client: HostClient,
  path: string,
  body: Record<string, string>,
): Promise<unknown> {
  const refused = new HostError('unauthorized', 'The host refused the sign-in. Start again.');
  const { json } = await client({ method: 'POST', path, body }).catch((error: unknown) => {
    throw isHostError(error, 'invalid') ? refused : error;
  });
  if (refusalShape.safeParse(json).success) throw refused;
  return json;
}

function readOtherAccount(json: unknown): Account {
  const user = readReply(otherUserShape, json, 'the account');
  const login = user.login ?? user.username ?? '';
  return { id: String(user.id), login, name: user.name ?? (user.full_name || null), bot: false };
}
