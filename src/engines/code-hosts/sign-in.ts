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

const PATHS: Record<HostKind, { authorize: string; token: string; scope: string }> = {
  github: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', scope: '' },
  gitlab: { authorize: '/oauth/authorize', token: '/oauth/token', scope: 'read_user' },
  gitea: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', scope: 'read:user' },
};

export function createHostSignIn(
  { clientId, clientSecret, kind, url }: SignInApplication,
  parts: { connections: Connections; environment: HostEnvironment },
): HostSignIn {
  const web = webAddress(url);
  const paths = PATHS[kind];
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
      const target = new URL(web + paths.authorize);
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...(paths.scope === '' ? {} : { scope: paths.scope }),
      };
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return target.href;
    },
    async exchange({ code, codeVerifier, redirectUri }) {
      const json = await exchangeCode(clientFor(web, null), paths.token, {
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      });
      const { access_token } = readReply(tokenShape, json, 'the sign-in');
      return await readAccount(kind, web, (baseUrl) => clientFor(baseUrl, access_token));
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

async function readAccount(
  kind: HostKind,
  web: string,
  clientFor: (baseUrl: string) => HostClient,
): Promise<Account> {
  if (kind === 'github') {
    const { base, restPrefix } = githubAddresses(web);
    const { json } = await clientFor(base)({ path: `${restPrefix}/user` });
    return accountOf(readReply(userShape, json, 'the account'));
  }
  const { json } = await clientFor(web)({ path: kind === 'gitlab' ? '/api/v4/user' : '/api/v1/user' });
  const user = readReply(otherUserShape, json, 'the account');
  const login = user.login ?? user.username ?? '';
  return { id: String(user.id), login, name: user.name ?? (user.full_name || null), bot: false };
}
