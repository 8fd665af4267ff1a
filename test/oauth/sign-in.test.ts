/** An agent signs in like real agents, from registration to tokens. */
import { describe, expect, it } from 'vitest';
import { getAgentSignIn } from '../../src/features/oauth/get-agent-sign-in.ts';
import { listAgents } from '../../src/features/oauth/list-agents.ts';
import { revokeAgent } from '../../src/features/oauth/revoke-agent.ts';
import { followAudit } from '../helpers/service/audit-trail.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import {
  answer,
  authorizationUrl,
  Browser,
  begin,
  CALLBACK,
  callWith,
  getCode,
  newClient,
  postForm,
  proofKey,
  redeem,
  refresh,
  revoke,
  signInAgent,
} from './agent.ts';

const service = await startTestService();
const { acme, globex, url } = service;

describe('the whole flow', () => {
  it('returns tokens that act as the person, and writes an audit record', async () => {
    const audit = await followAudit(service.db);
    const { back, tokens } = await signInAgent(service, acme.member);
    expect(back.location!.href).toMatch(new RegExp(`^${CALLBACK}\\?`));
    expect(back.location!.searchParams.get('state')).toBe('the state');
    expect(back.location!.searchParams.get('iss')).toBe(url);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'mcp',
    });
    expect(await callWith(url, tokens.access_token)).toBe(204);
    expect(await audit()).toEqual([
      expect.objectContaining({
        action: 'agent.signed_in',
        organizationId: acme.id,
        userId: acme.member.userId,
        kind: 'session',
        subjectName: 'Test agent',
      }),
    ]);
  });

  it('shows which agent requests access, and to which organization', async () => {
    const client = await newClient(url, {
      client_name: '\ufeffCla\u202eu\u200bd\u2060e\n\u200dCo\u00adde\u{e0041}',
      client_uri: 'https://agent.example/x',
    });
    const signInId = await begin(new Browser(), authorizationUrl(url, client, proofKey().challenge));
    const { body, status } = await service.call(getAgentSignIn, { signInId }, withSession(globex.viewer));
    expect([status, body]).toEqual([
      200,
      {
        agent: {
          name: 'Claude Code',
          address: 'https://agent.example/x',
          returnsTo: '127.0.0.1',
          isLocal: true,
        },
        organization: { id: globex.id, name: 'Globex' },
        expiresAt: expect.any(String),
      },
    ]);
  });

  it('returns a refusal to the agent', async () => {
    const client = await newClient(url);
    const browser = new Browser(acme.member);
    const signInId = await begin(browser, authorizationUrl(url, client, proofKey().challenge));
    const { body } = await answer(service, acme.member, signInId, false);
    const { location } = await browser.get(body.continueAt);
    expect(Object.fromEntries(location!.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
    expect(location!.searchParams.has('code')).toBe(false);
  });

  it('leaves no cookie that is sent with other requests', async () => {
    const { browser, signInId } = await getCode(service, acme.member);
    const left = [...browser.cookies].filter(([, { path }]) => !path.endsWith(`/${signInId}`));
    expect(left.map(([name]) => name)).toEqual(['countersign']);
  });
});

describe('what real agents send', () => {
  it.each([
    ['no scope', {}],
    ['scopes of OpenID Connect', { scope: 'openid profile offline_access' }],
    ['an unknown scope', { scope: 'read:everything' }],
    [
      'a nonce, a prompt and hints',
      { nonce: 'x', prompt: 'consent login', login_hint: 'a@b.c', max_age: '10' },
    ],
    ['the resource', { resource: `${url}/mcp` }],
    ['the resource with a slash', { resource: `${url}/mcp/` }],
    ['the origin as the resource', { resource: url }],
    ['no state, which is allowed because PKCE is required', { state: undefined }],
    ['no redirect address, where one is registered', { redirect_uri: undefined }],
  ])('%s', async (_, changes) => {
    const got = await getCode(service, acme.member, { changes });
    const { body, status } = await redeem(url, got, { resource: `${url}/mcp`, redirect_uri: CALLBACK });
    expect([status, body.scope]).toEqual([200, 'mcp']);
    expect(got.back.location!.searchParams.get('state')).toBe('state' in changes ? null : 'the state');
  });

  it('a loopback port other than the registered one', async () => {
    const client = await newClient(url, { redirect_uris: ['http://localhost:1/callback'] });
    const redirect_uri = 'http://localhost:54321/callback';
    const got = await getCode(service, acme.member, { client, changes: { redirect_uri } });
    expect(got.back.location!.origin).toBe('http://localhost:54321');
    expect((await redeem(url, got, { redirect_uri })).status).toBe(200);
  });

  it('`web` with a custom scheme, like Cursor', async () => {
    const redirect = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const client = await newClient(url, { application_type: 'web', redirect_uris: [redirect] });
    const { back, ...got } = await getCode(service, acme.member, { client });
    expect(back.location!.href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
    expect((await redeem(url, { ...got })).status).toBe(200);
  });

  it('scopes when it refreshes', async () => {
    const { client, tokens } = await signInAgent(service, acme.member);
    const answered = await refresh(url, client, tokens.refresh_token, { scope: 'openid offline_access' });
    expect([answered.status, answered.body.scope]).toEqual([200, 'mcp']);
  });

  it.each(['client_secret_post', 'client_secret_basic'])('a secret (%s)', async (method) => {
    const client = await newClient(url, { token_endpoint_auth_method: method });
    expect(client.client_secret).toEqual(expect.any(String));
    const got = await getCode(service, acme.member, { client });
    expect((await redeem(url, got)).status).toBe(401);
    const wrong = {
      client_secret: client.client_secret!.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    };
    expect((await redeem(url, got, wrong)).status).toBe(401);
    const fields = {
      grant_type: 'authorization_code',
      code: got.code,
      code_verifier: got.verifier,
      redirect_uri: CALLBACK,
    };
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    const answered =
      method === 'client_secret_basic'
        ? await postForm(`${url}/oauth/token`, fields, { authorization: `Basic ${basic}` })
        : await redeem(url, got, { client_secret: client.client_secret });
    expect(answered.status).toBe(200);
  });
});

describe('signed-in agents', () => {
  it('are listed only for their owner, with their last use', async () => {
    const { tokens } = await signInAgent(service, globex.admin);
    const list = async (person = globex.admin) =>
      (await service.call(listAgents, {}, withSession(person))).body.agents;
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        name: 'Test agent',
        address: null,
        returnsTo: '127.0.0.1',
        signedInAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);
    expect(await list(globex.owner)).toEqual([]);
    expect(await callWith(url, tokens.access_token)).toBe(204);
    await service.flush();
    expect((await list())[0].lastUsedAt).toEqual(expect.any(String));
  });

  it('are not listed before they redeemed their code', async () => {
    await getCode(service, globex.viewer);
    expect((await service.call(listAgents, {}, withSession(globex.viewer))).body.agents).toEqual([]);
  });

  it('are signed out immediately, only by their owner', async () => {
    const { client, tokens } = await signInAgent(service, acme.viewer);
    const { agents } = (await service.call(listAgents, {}, withSession(acme.viewer))).body;
    const agentId = agents[0].id;
    for (const person of [acme.owner, globex.owner]) {
      expect((await service.call(revokeAgent, { agentId }, withSession(person))).status).toBe(404);
    }
    const audit = await followAudit(service.db);
    expect((await service.call(revokeAgent, { agentId }, withSession(acme.viewer))).status).toBe(204);
    expect(await callWith(url, tokens.access_token)).toBe(401);
    expect((await refresh(url, client, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await audit()).map(({ action, kind }) => [action, kind])).toEqual([['agent.revoked', 'session']]);
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'can revoke their own access with the %s',
    async (name) => {
      const { client, tokens } = await signInAgent(service, acme.member);
      const otherClient = await newClient(url);
      await revoke(url, otherClient, tokens[name]);
      expect(await callWith(url, tokens.access_token)).not.toBe(401);
      const audit = await followAudit(service.db);
      expect((await revoke(url, client, tokens[name])).status).toBe(200);
      expect(await callWith(url, tokens.access_token)).toBe(401);
      expect((await refresh(url, client, tokens.refresh_token)).body.error).toBe('invalid_grant');
      expect(await audit()).toEqual([
        expect.objectContaining({
          action: 'agent.revoked',
          kind: 'oauth',
          detail: { because: 'signed_out' },
        }),
      ]);
      expect((await revoke(url, client, 'unknown')).status).toBe(200);
    },
  );
});
