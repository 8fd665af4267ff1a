/** Several nodes act as one OAuth server, also behind a proxy that terminates TLS. */
import { expect, it } from 'vitest';
import { startAnotherNode } from '../helpers/service/another-node.ts';
import { startTestService } from '../helpers/service/harness.ts';
import {
  answer,
  authorizationUrl,
  Browser,
  callWith,
  newClient,
  proofKey,
  redeem,
  refresh,
  revoke,
} from './agent.ts';

const BASE_URL = 'https://review.example';
const a = await startTestService({ settings: { BASE_URL } });
const b = await startAnotherNode(a, { BASE_URL });
const { acme } = a;

/** The public URL, which the proxy forwards to one of the nodes. */
const at = (node: { url: string }, address: string) => address.replace(BASE_URL, node.url);

it('each step can be handled by another node', async () => {
  const client = await newClient(a.url);
  const { challenge, verifier } = proofKey();
  const browser = new Browser();
  browser.cookies.set('__Host-countersign', { value: acme.member.token, path: '/' });
  const asked = await browser.get(authorizationUrl(b.url, client, challenge));
  const signInId = asked.location!.pathname.split('/').at(-1)!;
  const answered = await answer(a, acme.member, signInId);
  const back = await browser.get(at(b, answered.body.continueAt));
  const got = { client, verifier, code: back.location!.searchParams.get('code')! };
  const { body } = await redeem(a.url, got, { resource: `${BASE_URL}/mcp` });
  for (const node of [a, b]) expect(await callWith(node.url, body.access_token)).toBe(204);
  const fresh = await refresh(b.url, client, body.refresh_token);
  expect(await callWith(a.url, fresh.body.access_token)).toBe(204);
  expect((await revoke(a.url, client, fresh.body.refresh_token)).status).toBe(200);
  for (const node of [a, b]) expect(await callWith(node.url, fresh.body.access_token)).toBe(401);
});

it('a code is redeemed at most once, also with concurrent requests to different nodes, and the tokens are revoked on all', async () => {
  const client = await newClient(b.url);
  const { challenge, verifier } = proofKey();
  const browser = new Browser();
  browser.cookies.set('__Host-countersign', { value: acme.member.token, path: '/' });
  const asked = await browser.get(authorizationUrl(a.url, client, challenge));
  const answered = await answer(a, acme.member, asked.location!.pathname.split('/').at(-1)!);
  const back = await browser.get(at(a, answered.body.continueAt));
  const got = { client, verifier, code: back.location!.searchParams.get('code')! };
  const answers = await Promise.all([a, b, a, b].map((node) => redeem(node.url, got)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeLessThanOrEqual(1);
  for (const { body } of given)
    for (const node of [a, b]) expect(await callWith(node.url, body.access_token)).toBe(401);
});

it('URLs and cookies follow BASE_URL, whatever the connection and its headers say', async () => {
  const client = await newClient(a.url);
  const page = await new Browser().get(authorizationUrl(a.url, client, proofKey().challenge), {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  });
  expect(page.location!.origin).toBe(BASE_URL);
  const cookies = page.headers.getSetCookie();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Secure-/);
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).toMatch(/; path=\/(connect|oauth\/auth)\//i);
  }
  const answered = await answer(a, acme.member, page.location!.pathname.split('/').at(-1)!);
  expect(answered.body.continueAt).toMatch(`${BASE_URL}/oauth/auth/`);
  const { body } = await a.request('GET', '/.well-known/oauth-authorization-server');
  expect(body.token_endpoint).toBe(`${BASE_URL}/oauth/token`);
});
