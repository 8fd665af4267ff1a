/** An agent that signs in over real HTTP, and the browser of the person who allows it, with its cookies. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { answerAgentSignIn } from '../../src/features/oauth/answer-agent-sign-in.ts';
import type { Person } from '../helpers/service/factories.ts';
import { type Answer, type TestService, withSession } from '../helpers/service/harness.ts';

export const CALLBACK = 'http://127.0.0.1:33418/callback';

/** Sends cookies by path, like a browser. */
export class Browser {
  readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(person?: { token: string }) {
    if (person) this.signIn(person);
  }

  signIn({ token }: { token: string }): void {
    this.cookies.set('countersign', { value: token, path: '/' });
  }

  async get(address: string, headers: Record<string, string> = {}): Promise<Page> {
    const { pathname } = new URL(address);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { ...headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, { value: value!, path });
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, address),
    };
  }
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  location: URL | undefined;
}

export interface Client {
  client_id: string;
  client_secret?: string;
  redirect_uris: string[];
  [field: string]: unknown;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

export function register(url: string, fields: Record<string, unknown> = {}): Promise<Answer> {
  return post(`${url}/oauth/register`, 'application/json', JSON.stringify({ ...REGISTRATION, ...fields }));
}

const REGISTRATION = {
  client_name: 'Test agent',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
};

export async function newClient(url: string, fields: Record<string, unknown> = {}): Promise<Client> {
  const answer = await register(url, fields);
  expect([answer.status, answer.body.error_description]).toEqual([201, undefined]);
  return answer.body;
}

export function proofKey() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizationUrl(
  url: string,
  client: Client,
  challenge: string,
  changes: Record<string, string | undefined> = {},
): string {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uris[0],
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state',
    ...changes,
  };
  const kept = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${url}/oauth/auth?${new URLSearchParams(kept)}`;
}

/** Opens the consent page; returns the id of the request. */
export async function begin(browser: Browser, address: string): Promise<string> {
  const page = await browser.get(address);
  expect([page.status, page.location?.pathname]).toEqual([303, expect.stringMatching(/^\/connect\/[\w-]+$/)]);
  return page.location!.pathname.split('/').at(-1)!;
}

export function answer(
  service: TestService,
  person: Person,
  signInId: string,
  allow = true,
): Promise<Answer> {
  return service.call(answerAgentSignIn, { signInId, allow }, withSession(person));
}

/** The whole flow up to the authorization code. */
export async function getCode(
  service: TestService,
  person: Person,
  options: { client?: Client; changes?: Record<string, string | undefined>; url?: string } = {},
) {
  const url = options.url ?? service.url;
  const client = options.client ?? (await newClient(url));
  const { challenge, verifier } = proofKey();
  const browser = new Browser(person);
  const signInId = await begin(browser, authorizationUrl(url, client, challenge, options.changes));
  const answered = await answer(service, person, signInId);
  expect(answered.status).toBe(200);
  const back = await browser.get(answered.body.continueAt);
  const code = back.location?.searchParams.get('code');
  expect([back.status, typeof code]).toEqual([303, 'string']);
  return { client, verifier, code: code!, back, browser, signInId, continueAt: answered.body.continueAt };
}

export function redeem(
  url: string,
  got: { client: Client; verifier: string; code: string },
  changes: Record<string, string | undefined> = {},
): Promise<Answer> {
  return postForm(`${url}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: got.client.client_id,
    redirect_uri: got.client.redirect_uris[0],
    code: got.code,
    code_verifier: got.verifier,
    ...changes,
  });
}

export function refresh(
  url: string,
  client: Client,
  token: string,
  changes: Record<string, string | undefined> = {},
): Promise<Answer> {
  return postForm(`${url}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: client.client_id,
    refresh_token: token,
    ...changes,
  });
}

export function revoke(url: string, client: Client, token: string): Promise<Answer> {
  return postForm(`${url}/oauth/revoke`, { client_id: client.client_id, token });
}

/** Signs an agent in for a person, from the registration to the tokens. */
export async function signInAgent(service: TestService, person: Person, client?: Client) {
  const got = await getCode(service, person, { client });
  const { body, status } = await redeem(service.url, got);
  expect([status, body.error]).toEqual([200, undefined]);
  return { ...got, tokens: body as Tokens };
}

export function postForm(
  address: string,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const kept = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return post(address, 'application/x-www-form-urlencoded', String(new URLSearchParams(kept)), headers);
}

async function post(
  address: string,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** The status of a request with the token: 204 if it is accepted. */
export async function callWith(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v2/mcp-sessions/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' }),
  });
  await response.text();
  return response.status;
}
