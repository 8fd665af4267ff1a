/** Refusals when a code is requested or redeemed, over real HTTP. */
import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { changeMember } from '../../src/features/accounts/members/change-member.ts';
import { followAudit } from '../helpers/service/audit-trail.ts';
import { makePerson, makeUser, type Person } from '../helpers/service/factories.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import {
  answer,
  authorizationUrl,
  Browser,
  begin,
  CALLBACK,
  type Client,
  callWith,
  getCode,
  newClient,
  postForm,
  proofKey,
  redeem,
  refresh,
  signInAgent,
} from './agent.ts';

const service = await startTestService();
const { acme, clock, db, url } = service;
const client = await newClient(url);
const WITHOUT_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

/** A request that is refused before consent, on our own page with the OAuth error. */
async function expectRefused(
  changes: Record<string, string | undefined>,
  error: string,
  { of = client, browser = new Browser(acme.member) } = {},
): Promise<void> {
  const page = await browser.get(authorizationUrl(url, of, proofKey().challenge, changes));
  expect([page.status, page.location]).toEqual([400, undefined]);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).toContain('Invalid sign-in request');
  expect(page.text).toContain(`(${error})`);
}

async function newPerson(): Promise<Person> {
  const name = `Person ${Math.random()}`;
  const user = await makeUser(db, { name, email: `person${Math.random()}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}

describe('a code is not issued', () => {
  it('without PKCE', async () => {
    await expectRefused(WITHOUT_PKCE, 'invalid_request');
  });

  it('for plain PKCE, explicit or implied', async () => {
    await expectRefused({ code_challenge_method: 'plain' }, 'invalid_request');
    await expectRefused({ code_challenge_method: undefined }, 'invalid_request');
  });

  it('for another resource', async () => {
    for (const resource of ['https://elsewhere.example/mcp', `${url}/api`, `${url}.evil.example/mcp`]) {
      await expectRefused({ resource }, 'invalid_target');
    }
  });

  it('for any response type other than a code', async () => {
    for (const response_type of ['token', 'id_token', 'code token']) {
      await expectRefused({ response_type }, 'unsupported_response_type');
    }
  });

  it('without a page, when the agent requests prompt=none', async () => {
    await expectRefused({ prompt: 'none' }, 'consent_required');
  });

  it('with a request object', async () => {
    await expectRefused({ request: 'x.y.z' }, 'request_not_supported');
    await expectRefused({ request_uri: 'https://x.example' }, 'request_uri_not_supported');
  });
});

describe('no redirect before consent, even to a registered address:', () => {
  it.each(['https://evil.example/phish', 'opens.something:/id', CALLBACK])('%s', async (address) => {
    const of = await newClient(url, { redirect_uris: [address] });
    for (const browser of [new Browser(), new Browser(acme.member)]) {
      await expectRefused(WITHOUT_PKCE, 'invalid_request', { of, browser });
      await expectRefused({ prompt: 'none' }, 'consent_required', { of, browser });
      await expectRefused({ redirect_uri: undefined, prompt: 'none' }, 'consent_required', { of, browser });
      await expectRefused({ resource: 'https://x.example' }, 'invalid_target', { of, browser });
      await expectRefused({ request: 'x.y.z' }, 'request_not_supported', { of, browser });
      await expectRefused({ response_type: 'token' }, 'unsupported_response_type', { of, browser });
    }
  });
});

describe('shows an error without redirecting when', () => {
  const open = (of: Client, changes: Record<string, string | undefined>) =>
    new Browser(acme.member).get(authorizationUrl(url, of, proofKey().challenge, changes));

  it.each([
    ['http://127.0.0.1:33418/elsewhere'],
    ['https://evil.example/callback'],
    ['http://127.0.0.1.evil.example/callback'],
    ['http://localhost:33418/callback'],
    ['http://user@127.0.0.1:33418/callback'],
    [`${CALLBACK}#fragment`],
    ['javascript:alert(1)'],
  ])('the agent did not register the address %s', async (redirect_uri) => {
    const page = await open(client, { redirect_uri });
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.text).toContain('asked to return to an unknown address');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('the agent is unknown', async () => {
    const unknown = { ...client, client_id: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab' };
    const page = await open(unknown, {});
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.text).toContain('Unknown agent');
  });

  it('the agent uses a client metadata document, which the operator did not allow', async () => {
    const page = await open({ ...client, client_id: 'https://agent.example/client.json' }, {});
    expect(page.text).toContain('Unknown agent');
  });

  it.each(['%2e%2e', '%2e', '..%2ftoken', '%00', 'a%20b', '%F0%9F%A4%96', 'x'.repeat(101)])(
    'the address of a request to continue is none: %s',
    async (signInId) => {
      // Sent as is: `fetch` would resolve the dots itself.
      const [response] = await once(get(url, { path: `/oauth/auth/${signInId}` }), 'response');
      expect(await text(response)).toContain('This sign-in request cannot be continued here');
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined]);
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  it('the state contains what PostgreSQL cannot store', async () => {
    const page = await open(client, { state: 'a\0b' });
    expect([page.status, page.location]).toEqual([400, undefined]);
  });

  it('the request contains markup, which is escaped', async () => {
    const page = await open({ ...client, client_id: '<script>alert(1)</script>' }, { state: '<b>' });
    expect(page.status).toBe(400);
    expect(page.text).not.toMatch(/<script|<b>/);
  });
});

describe('a code is not redeemed', () => {
  const outcome = async (answered: Promise<{ status: number; body: { error?: string } }>) => {
    const { body, status } = await answered;
    return [status, body.error];
  };

  it('with a wrong or missing verifier, but still is with the right one', async () => {
    const got = await getCode(service, acme.member, { client });
    const wrong = { code_verifier: proofKey().verifier };
    expect(await outcome(redeem(url, got, wrong))).toEqual([400, 'invalid_grant']);
    expect(await outcome(redeem(url, got, { code_verifier: undefined }))).toEqual([400, 'invalid_grant']);
    expect((await redeem(url, got)).status).toBe(200);
  });

  it('for another agent', async () => {
    const got = await getCode(service, acme.member, { client });
    const other = await newClient(url);
    expect(await outcome(redeem(url, { ...got, client: other }))).toEqual([400, 'invalid_grant']);
  });

  it('with another redirect address', async () => {
    const got = await getCode(service, acme.member, { client });
    const elsewhere = { redirect_uri: 'http://127.0.0.1:1/callback' };
    expect(await outcome(redeem(url, got, elsewhere))).toEqual([400, 'invalid_grant']);
  });

  it('for another resource', async () => {
    const got = await getCode(service, acme.member, { client });
    const elsewhere = { resource: 'https://elsewhere.example/mcp' };
    expect(await outcome(redeem(url, got, elsewhere))).toEqual([400, 'invalid_target']);
  });

  it.each([
    ['at once', 0],
    ['seconds later', 11_000],
    ['after the code expired', 61_000],
  ])('a second time, which revokes the tokens from the first time (%s)', async (_when, laterMs) => {
    const got = await getCode(service, acme.member, { client });
    const first = await redeem(url, got);
    const refreshed = await refresh(url, client, first.body.refresh_token);
    const tokens = [first.body.access_token, refreshed.body.access_token];
    for (const token of tokens) expect(await callWith(url, token)).toBe(204);
    const audit = await followAudit(db);
    clock.advance(laterMs);
    expect(await outcome(redeem(url, got))).toEqual([400, 'invalid_grant']);
    for (const token of tokens) expect(await callWith(url, token)).toBe(401);
    for (const { body } of [first, refreshed])
      expect(await outcome(refresh(url, client, body.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await outcome(redeem(url, got))).toEqual([400, 'invalid_grant']);
    expect(await audit()).toEqual([
      expect.objectContaining({ action: 'agent.revoked', detail: { because: 'used_twice' } }),
    ]);
  });

  it('a second time without its verifier or by another agent, which revokes nothing', async () => {
    const got = await getCode(service, acme.member, { client });
    const first = await redeem(url, got);
    const { verifier } = proofKey();
    expect(await outcome(redeem(url, { ...got, verifier }))).toEqual([400, 'invalid_grant']);
    const other = await newClient(url);
    expect(await outcome(redeem(url, { ...got, client: other }))).toEqual([400, 'invalid_grant']);
    expect(await callWith(url, first.body.access_token)).toBe(204);
  });

  it('by more than one of many concurrent requests, after which no token works', async () => {
    for (let round = 0; round < 5; round += 1) {
      const got = await getCode(service, acme.member, { client });
      const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(url, got)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given.length).toBeLessThanOrEqual(1);
      for (const { body, status } of answers)
        if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant']);
      for (const { body } of given) {
        expect(await callWith(url, body.access_token)).toBe(401);
        expect(await outcome(refresh(url, client, body.refresh_token))).toEqual([400, 'invalid_grant']);
      }
    }
  });

  it('after a minute', async () => {
    const got = await getCode(service, acme.member, { client });
    clock.advance(61_000);
    expect(await outcome(redeem(url, got))).toEqual([400, 'invalid_grant']);
  });

  it('when the person was deactivated in between', async () => {
    const person = await newPerson();
    const got = await getCode(service, person, { client });
    await service.call(changeMember, { userId: person.userId, active: false }, withSession(acme.owner));
    expect(await outcome(redeem(url, got))).toEqual([400, 'invalid_grant']);
  });

  it.each(['client_credentials', 'password', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'in another way (%s)',
    async (grant_type) => {
      const answered = postForm(`${url}/oauth/token`, { grant_type, client_id: client.client_id });
      expect(await outcome(answered)).toEqual([400, 'unsupported_grant_type']);
    },
  );
});

describe('a token is refused', () => {
  it('once it has expired, while the agent stays known', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    clock.advance(3_601_000);
    expect(await callWith(url, tokens.access_token)).toBe(401);
    const fresh = await refresh(url, client, tokens.refresh_token);
    expect(await callWith(url, fresh.body.access_token)).toBe(204);
  });

  it('once its owner is deactivated, also after reactivation', async () => {
    const person = await newPerson();
    const { tokens } = await signInAgent(service, person, client);
    const change = (active: boolean) =>
      service.call(changeMember, { userId: person.userId, active }, withSession(acme.owner));
    await change(false);
    expect(await callWith(url, tokens.access_token)).toBe(401);
    expect((await refresh(url, client, tokens.refresh_token)).body.error).toBe('invalid_grant');
    await change(true);
    expect(await callWith(url, tokens.access_token)).toBe(401);
  });

  it('when it is a refresh token, a code, or another kind', async () => {
    const { code, signInId, tokens } = await signInAgent(service, acme.member, client);
    for (const secret of [tokens.refresh_token, code, signInId, client.client_id]) {
      expect(await callWith(url, secret)).toBe(401);
    }
  });

  it('for more than its owner may do', async () => {
    const { tokens } = await signInAgent(service, acme.viewer, client);
    expect(await callWith(url, tokens.access_token)).toBe(403);
  });

  it('where only a session is accepted', async () => {
    const { tokens } = await signInAgent(service, acme.owner, client);
    for (const path of ['/api/v2/agents', '/api/v2/api-keys', '/api/v2/members']) {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      expect((await service.request('GET', path, { headers })).status).toBe(403);
    }
  });

  it('of another organization', async () => {
    const { tokens } = await signInAgent(service, acme.owner, client);
    const plan = { seriesKey: crypto.randomUUID(), content: 'x', agentVendor: 'codex' };
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await service.request('POST', '/api/v2/plans', { headers, body: plan })).status).toBe(201);
    const path = `/api/v2/plans/${plan.seriesKey}/comments`;
    expect((await service.request('GET', path, { headers })).status).toBe(200);
    const other = await signInAgent(service, service.globex.owner);
    const theirs = { authorization: `Bearer ${other.tokens.access_token}` };
    expect((await service.request('GET', path, { headers: theirs })).status).toBe(404);
  });
});

it('a request without an answer in time expires', async () => {
  const browser = new Browser(acme.member);
  const signInId = await begin(browser, authorizationUrl(url, client, proofKey().challenge));
  clock.advance(15 * 60_000 + 1);
  expect((await answer(service, acme.member, signInId)).status).toBe(404);
  const page = await browser.get(`${url}/oauth/auth/${signInId}`);
  expect([page.status, page.location]).toEqual([400, undefined]);
  expect(page.text).toContain('cannot be continued here');
});
