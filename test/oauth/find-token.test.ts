/** Token lookups share a query, never return stale results, and the doctor explains why a token fails. */
import { describe, expect, it } from 'vitest';
import { changeMember } from '../../src/features/accounts/members/change-member.ts';
import { createTokenFinder } from '../../src/features/oauth/find-token.ts';
import { listAgents } from '../../src/features/oauth/list-agents.ts';
import { revokeAgent } from '../../src/features/oauth/revoke-agent.ts';
import { newToken } from '../../src/platform/core/text/secret-token.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import { signInAgent } from './agent.ts';

const service = await startTestService();
const { acme, clock, globex } = service;

function watchedFinder() {
  const asked: string[] = [];
  const db = service.db.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { finder: createTokenFinder(db, clock), asked };
}

describe('concurrent lookups', () => {
  it('share one query, and each gets its own caller', async () => {
    const people = [acme.owner, globex.viewer];
    const tokens: string[] = [];
    for (const person of people) tokens.push((await signInAgent(service, person)).tokens.access_token);
    const { asked, finder } = watchedFinder();
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, index) => finder.find(tokens[index % 2]!)),
    );
    found.forEach((actor, index) => {
      const person = people[index % 2]!;
      expect(actor).toEqual({
        kind: 'oauth',
        credentialId: expect.any(String),
        organizationId: person.organizationId,
        userId: person.userId,
        userName: person.name,
        role: person.role,
      });
    });
    expect(asked).toHaveLength(1);
  });

  it('run no query for what cannot be a token', async () => {
    const { asked, finder } = watchedFinder();
    expect(await finder.find('')).toBeUndefined();
    expect(await finder.find(`${newToken()}x`)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('never return stale results: a token revoked meanwhile is not found', async () => {
    const { tokens } = await signInAgent(service, acme.admin);
    const { finder } = watchedFinder();
    const agentId = (await finder.find(tokens.access_token))!.credentialId;
    const before = Array.from({ length: 20 }, () => finder.find(tokens.access_token));
    await service.call(revokeAgent, { agentId }, withSession(acme.admin));
    expect(await finder.find(tokens.access_token)).toBeUndefined();
    await Promise.all(before);
  });
});

it('an agent’s last use is recorded at most once a minute', async () => {
  const { tokens } = await signInAgent(service, acme.member);
  const { finder } = watchedFinder();
  const used = async () => {
    await finder.find(tokens.access_token);
    await finder.flush();
    const { body } = await service.call(listAgents, {}, withSession(acme.member));
    return body.agents[0].lastUsedAt as string;
  };
  const first = await used();
  clock.advance(30_000);
  expect(await used()).toBe(first);
  clock.advance(31_000);
  await finder.flush();
  expect(await used()).not.toBe(first);
});

describe('the doctor', () => {
  const { finder } = watchedFinder();
  const fault = async (token: string) => {
    const check = await finder.explain(token);
    return check.accepted ? undefined : check.fault;
  };

  it('reports the owner of a token', async () => {
    const { tokens } = await signInAgent(service, globex.member);
    expect(await finder.explain(tokens.access_token)).toEqual({
      accepted: true,
      user: globex.member.name,
      organization: 'Globex',
      role: 'member',
    });
  });

  it('distinguishes malformed, unknown, revoked and expired tokens', async () => {
    const { tokens } = await signInAgent(service, globex.owner);
    expect([await fault('csk'), await fault(newToken())]).toEqual(['malformed', 'unknown']);
    expect(await fault(tokens.refresh_token)).toBe('unknown');
    clock.advance(3_600_001);
    expect(await fault(tokens.access_token)).toBe('expired');
    const { agents } = (await service.call(listAgents, {}, withSession(globex.owner))).body;
    await service.call(revokeAgent, { agentId: agents[0].id }, withSession(globex.owner));
    expect(await fault(tokens.access_token)).toBe('unknown');
  });

  it('reports that the owner of a stored token is deactivated', async () => {
    const { tokens } = await signInAgent(service, globex.admin);
    await service.db
      .updateTable('memberships')
      .set({ deactivated_at: clock.now() })
      .where('user_id', '=', globex.admin.userId)
      .execute();
    expect(await fault(tokens.access_token)).toBe('deactivated');
    expect(await finder.find(tokens.access_token)).toBeUndefined();
    await service.call(
      changeMember,
      { userId: globex.admin.userId, active: true },
      withSession(globex.owner),
    );
    expect(await fault(tokens.access_token)).toBeUndefined();
  });
});
