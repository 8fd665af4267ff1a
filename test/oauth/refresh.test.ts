/** A refresh token is valid once; concurrent reuse is tolerated, later reuse revokes every token. */
import { describe, expect, it } from 'vitest';
import { followAudit } from '../helpers/service/audit-trail.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { callWith, newClient, refresh, revoke, signInAgent } from './agent.ts';

const service = await startTestService();
const { acme, clock, db, url } = service;
const client = await newClient(url);
const DAY_MS = 24 * 60 * 60 * 1000;

it('returns a new access token and a new refresh token each time', async () => {
  const { tokens } = await signInAgent(service, acme.member, client);
  const second = await refresh(url, client, tokens.refresh_token);
  expect([second.status, second.body.expires_in, second.body.scope]).toEqual([200, 3600, 'mcp']);
  const third = await refresh(url, client, second.body.refresh_token);
  const refreshTokens = [tokens, second.body, third.body].map(({ refresh_token }) => refresh_token);
  expect(new Set(refreshTokens).size).toBe(3);
  expect(await callWith(url, third.body.access_token)).toBe(204);
});

it('keeps the agent’s identity across tokens', async () => {
  const { tokens } = await signInAgent(service, acme.admin, client);
  const { body } = await refresh(url, client, tokens.refresh_token);
  const list = async () =>
    (await service.request('GET', '/api/v2/agents', { as: { session: acme.admin.token } })).body;
  const [agent] = (await list()).agents;
  for (const token of [tokens.access_token, body.access_token]) expect(await callWith(url, token)).toBe(204);
  expect((await list()).agents).toHaveLength(1);
  const grants = await db.selectFrom('oauth_records').select('id').where('id', '=', agent.id).execute();
  expect(grants).toHaveLength(1);
});

describe('the same refresh token again', () => {
  it('works within ten seconds, for a lost reply', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const first = await refresh(url, client, tokens.refresh_token);
    clock.advance(9_000);
    const again = await refresh(url, client, tokens.refresh_token);
    expect([first.status, again.status]).toEqual([200, 200]);
    for (const { body } of [first, again]) {
      expect(await callWith(url, body.access_token)).toBe(204);
      expect((await refresh(url, client, body.refresh_token)).status).toBe(200);
    }
  });

  it('does not restart the ten seconds', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    await refresh(url, client, tokens.refresh_token);
    clock.advance(6_000);
    expect((await refresh(url, client, tokens.refresh_token)).status).toBe(200);
    clock.advance(6_000);
    expect((await refresh(url, client, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('later revokes every token of the agent, for every holder', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const first = await refresh(url, client, tokens.refresh_token);
    const audit = await followAudit(db);
    clock.advance(10_001);
    const stolen = await refresh(url, client, tokens.refresh_token);
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
    expect((await refresh(url, client, first.body.refresh_token)).body.error).toBe('invalid_grant');
    for (const token of [tokens.access_token, first.body.access_token]) {
      expect(await callWith(url, token)).toBe(401);
    }
    expect(await audit()).toEqual([
      expect.objectContaining({ action: 'agent.revoked', kind: 'oauth', detail: { because: 'used_twice' } }),
    ]);
  });

  it('works for each of many concurrent requests', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refresh(url, client, tokens.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    for (const { body } of answers) expect(await callWith(url, body.access_token)).toBe(204);
  });
});

describe('a refresh token is refused', () => {
  it('for another agent', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const otherClient = await newClient(url);
    expect((await refresh(url, otherClient, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(url, client, tokens.refresh_token)).status).toBe(200);
  });

  it('for another resource', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const elsewhere = { resource: 'https://elsewhere.example/mcp' };
    expect((await refresh(url, client, tokens.refresh_token, elsewhere)).body.error).toBe('invalid_target');
  });

  it('during revocation, or leaves no valid token', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tokens } = await signInAgent(service, acme.member, client);
      const [ended, ...refreshed] = await Promise.all([
        revoke(url, client, tokens.access_token),
        ...Array.from({ length: 4 }, () => refresh(url, client, tokens.refresh_token)),
      ]);
      expect(ended.status).toBe(200);
      for (const { body, status } of refreshed) {
        if (status === 200) expect(await callWith(url, body.access_token)).toBe(401);
        else expect([status, body.error]).toEqual([400, 'invalid_grant']);
      }
    }
  });

  it('after thirty days without use, but not while the agent is active', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    clock.advance(29 * DAY_MS);
    const fresh = await refresh(url, client, tokens.refresh_token);
    expect(fresh.status).toBe(200);
    clock.advance(29 * DAY_MS);
    const fresher = await refresh(url, client, fresh.body.refresh_token);
    expect(fresher.status).toBe(200);
    clock.advance(30 * DAY_MS + 1);
    expect((await refresh(url, client, fresher.body.refresh_token)).body.error).toBe('invalid_grant');
  });
});
