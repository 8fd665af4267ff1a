/** Someone who was removed at the provider loses access: sessions, keys and agents alike. Only a definite answer of the provider does that. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { urlOf } from '../../../../test/helpers/database/database.ts';
import { runInProcess } from '../../../../test/helpers/processes/command-in-process.ts';
import { cleanUp } from '../../../../test/helpers/processes/real-processes.ts';
import { CLIENT_ID, startIdentityProvider } from '../../../../test/helpers/servers/identity-provider.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { Browser, SETTINGS } from '../../../../test/helpers/service/single-sign-on.ts';
import { getCode, redeem, refresh } from '../../../../test/oauth/agent.ts';
import { createIdentityProviders } from '../../../engines/identity-provider/index.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { listMembers } from '../../accounts/members/list-members.ts';
import { getSession } from '../../accounts/sessions/get-session.ts';
import { signIn } from '../../accounts/sessions/sign-in.ts';
import { operatorOf } from '../../audit/index.ts';
import { makeTeam, membersOf } from '../../teams/index.ts';
import { applyEnvironment } from '../settings/apply-environment.ts';
import { changeSingleSignOn } from '../settings/change-single-sign-on.ts';
import { listIdentities } from './list-identities.ts';
import { recheckIdentities } from './recheck-identities.ts';
import { unlinkIdentity } from './unlink-identity.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, clock, db, globex } = service;
let subject = '';
const provider = await startIdentityProvider({
  redirectUrl: `${service.url}/sign-in/return`,
  signsIn: () => subject,
});
const toAcme = { organizationId: acme.id };

const configure = async (changes: Record<string, unknown> = {}) => {
  const settings = { ...SETTINGS, issuer: provider.issuer, ...changes };
  const answer = await service.call(changeSingleSignOn, settings, withSession(acme.owner));
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
};
const logged: string[] = [];
const log = createLog({
  level: 'warn',
  terminal: false,
  destination: { write: (line) => void logged.push(line) },
});
const identityProviders = createIdentityProviders();
/** Runs what the worker runs every minute. */
const recheck = (minutes = 0) => {
  clock.advance(minutes * 60_000);
  const settings = { allowPrivateAddresses: true, singleSignOn: undefined };
  return recheckIdentities({ db, secrets: testSecrets, identityProviders, settings, log }, clock.now());
};

afterAll(cleanUp);

let people = 0;
/** Somebody who signed in, with an API key and an agent. */
async function arrive() {
  people += 1;
  subject = `subject-${people}`;
  const email = `person${people}@acme.example`;
  provider.people.set(subject, { email, email_verified: true, name: `Person ${people}` });
  const browser = new Browser(service);
  const { body } = await browser.signIn(toAcme);
  const key = await browser.call('POST', '/api/v2/api-keys', { name: 'CI' });
  const person = { ...acme.member, userId: body.session.user.id, token: browser.session! };
  const agent = await getCode(service, person);
  const tokens = (await redeem(service.url, agent)).body;
  const statuses = async () => {
    const session = await service.call(getSession, {}, { session: browser.session! });
    const withTheKey = await service.request('GET', '/api/v2/repositories', { as: { key: key.body.secret } });
    const mcp = await service.request('POST', '/mcp', {
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        accept: 'application/json, text/event-stream',
      },
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    return [session.status, withTheKey.status, mcp.status].map((status) =>
      status === 401 ? 'refused' : 'open',
    );
  };
  return { browser, email, subject, userId: person.userId as string, statuses, agent, tokens };
}

const OPEN = ['open', 'open', 'open'];
const REFUSED = ['refused', 'refused', 'refused'];

beforeEach(async () => {
  provider.isDown = false;
  provider.givesRefreshTokens = true;
  provider.replies.clear();
  await configure();
});

it('teams of groups follow what the provider says at each check, and lose whoever is unlinked', async () => {
  const person = await arrive();
  const source = operatorOf(acme.id, clock.now());
  const teamId = await makeTeam(db, source, { name: 'sso-platform', group: 'platform', userIds: [] });
  const members = async () => (await membersOf(db, [teamId])).get(teamId) ?? [];
  const say = async (groups: string[]) => {
    provider.people.set(person.subject, { ...provider.people.get(person.subject)!, groups });
    await recheck(11);
  };
  expect(await members()).toEqual([]);
  await say(['platform']);
  expect(await members()).toEqual([person.userId]);
  await say([]);
  expect(await members()).toEqual([]);
  await say(['platform']);
  expect(await members()).toEqual([person.userId]);
  const unlinked = await service.call(unlinkIdentity, { userId: person.userId }, withSession(acme.owner));
  expect([unlinked.status, await members()]).toEqual([204, []]);
  await recheck(11);
  expect(await members()).toEqual([]);
});

describe('a person removed at the provider', () => {
  it('is refused after the next check, and others are not', async () => {
    const staying = await arrive();
    const leaving = await arrive();
    const audit = await followAudit(db);
    expect(await leaving.statuses()).toEqual(OPEN);
    provider.people.delete(leaving.subject);
    await recheck(5);
    expect(await leaving.statuses()).toEqual(OPEN);
    await recheck(6);
    expect(await leaving.statuses()).toEqual(REFUSED);
    const again = await refresh(service.url, leaving.agent.client, leaving.tokens.refresh_token);
    expect(again.status).toBe(400);
    expect(await staying.statuses()).toEqual(OPEN);
    expect((await service.call(getSession, {}, withSession(globex.member))).status).toBe(200);
    expect(await audit()).toMatchObject([
      { action: 'member.suspended', subjectId: leaving.userId, detail: { reason: 'refused_by_provider' } },
    ]);
    const { body } = await service.call(listMembers, { limit: 200 }, withSession(acme.owner));
    const shown = body.members.find(({ userId }: { userId: string }) => userId === leaving.userId);
    expect(shown.suspendedAt).not.toBeNull();
  });

  it('who comes back gets in again, with the same account, keys and agents', async () => {
    const person = await arrive();
    const removed = provider.people.get(person.subject)!;
    provider.people.delete(person.subject);
    await recheck(11);
    expect(await person.statuses()).toEqual(REFUSED);
    provider.people.set(person.subject, removed);
    const back = await person.browser.signIn(toAcme);
    expect(back.body.session.user.id).toBe(person.userId);
    expect(await person.statuses()).toEqual(OPEN);
    await recheck(11);
    expect(await person.statuses()).toEqual(OPEN);
  });

  it('can be let in without the provider by an admin, who unlinks them', async () => {
    const person = await arrive();
    provider.people.delete(person.subject);
    await recheck(11);
    const { userId } = person;
    expect((await service.call(unlinkIdentity, { userId }, withSession(acme.member))).status).toBe(404);
    expect((await service.call(unlinkIdentity, { userId }, withSession(globex.owner))).status).toBe(404);
    expect((await service.call(unlinkIdentity, { userId }, withSession(acme.admin))).status).toBe(204);
    expect(await person.statuses()).toEqual(['refused', 'open', 'open']);
  });
});

it('an outage of the provider locks nobody out; the next definite answer counts', async () => {
  const person = await arrive();
  provider.isDown = true;
  await recheck(11);
  expect(await person.statuses()).toEqual(OPEN);
  provider.isDown = false;
  provider.replies.set('/token', { error: 'server_error' });
  await recheck(11);
  expect(await person.statuses()).toEqual(OPEN);
  await configure({ clientSecret: 'another' });
  provider.replies.clear();
  await recheck(11);
  expect(await person.statuses()).toEqual(OPEN);
  expect(logged.join('')).toContain('they keep their access');
  await configure();
  await recheck(2);
  expect(await person.statuses()).toEqual(OPEN);
  provider.people.delete(person.subject);
  await recheck(11);
  expect(await person.statuses()).toEqual(REFUSED);
});

it('two nodes that check at once use each refresh token once', async () => {
  const persons = [await arrive(), await arrive()];
  clock.advance(11 * 60_000);
  await Promise.all([recheck(), recheck(), recheck()]);
  for (const person of persons) expect(await person.statuses()).toEqual(OPEN);
  await recheck(11);
  for (const person of persons) expect(await person.statuses()).toEqual(OPEN);
});

it('groups are followed by the check too', async () => {
  const roleRules = [{ value: 'engineering', role: 'member' }];
  const person = await arrive();
  await configure({ roleRules, defaultRole: null });
  const roleNow = async () => (await person.browser.call('GET', '/api/v2/session')).body.role;
  const known = provider.people.get(person.subject)!;
  provider.people.set(person.subject, { ...known, groups: ['engineering'] });
  await recheck(11);
  expect(await roleNow()).toBe('member');
  await configure({ roleRules: [{ value: 'engineering', role: 'viewer' }], defaultRole: null });
  await recheck(11);
  expect(await roleNow()).toBe('viewer');
  provider.people.set(person.subject, { ...known, groups: ['others'] });
  await recheck(11);
  expect(await person.statuses()).toEqual(REFUSED);
});

it('without a refresh token, access ends some hours after the sign-in', async () => {
  provider.givesRefreshTokens = false;
  const person = await arrive();
  await recheck(23 * 60);
  expect((await person.statuses()).slice(0, 2)).toEqual(['open', 'open']);
  await recheck(61);
  expect(await person.statuses()).toEqual(REFUSED);
  expect((await person.browser.signIn(toAcme)).status).toBe(200);
  expect((await person.statuses()).slice(0, 2)).toEqual(['open', 'open']);
});

describe('a logout at the provider', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  let tokens = 0;
  const claims = (changes: Record<string, unknown> = {}) => {
    tokens += 1;
    const iat = Math.floor(clock.now().getTime() / 1000);
    return {
      iss: provider.issuer,
      aud: CLIENT_ID,
      iat,
      exp: iat + 120,
      jti: `logout-${tokens}`,
      events: EVENTS,
      ...changes,
    };
  };
  const send = (token: string, organizationId = acme.id) =>
    service.request('POST', `/api/v2/single-sign-on/${organizationId}/logout`, {
      body: String(new URLSearchParams({ logout_token: token })),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('ends the sessions at once; keys and agents go on if the provider still knows the person', async () => {
    const person = await arrive();
    expect((await send(await provider.sign(claims({ sub: person.subject })))).status).toBe(204);
    expect(await person.statuses()).toEqual(['refused', 'open', 'open']);
    await recheck();
    expect(await person.statuses()).toEqual(['refused', 'open', 'open']);
    await person.browser.signIn(toAcme);
    provider.people.delete(person.subject);
    await send(await provider.sign(claims({ sub: person.subject })));
    await recheck();
    expect(await person.statuses()).toEqual(REFUSED);
  });

  it('works once', async () => {
    const person = await arrive();
    const token = await provider.sign(claims({ sub: person.subject }));
    expect((await send(token)).status).toBe(204);
    await person.browser.signIn(toAcme);
    expect((await send(token)).status).toBe(400);
    expect((await person.statuses())[0]).toBe('open');
  });

  it('is refused when the token is not a valid logout token', async () => {
    const person = await arrive();
    const sub = person.subject;
    const past = Math.floor(clock.now().getTime() / 1000) - 3600;
    const wrong = [
      claims({ sub, iss: 'https://evil.example' }),
      claims({ sub, aud: 'another' }),
      claims({ sub, iat: past, exp: past + 60 }),
      claims({ sub, iat: past, exp: undefined }),
      claims({ sub, events: {} }),
      claims({ sub, events: undefined }),
      claims({ sub, nonce: 'x' }),
      claims({ sub, jti: undefined }),
      claims({}),
    ];
    for (const each of wrong) {
      const answer = await send(await provider.sign(each));
      expect([JSON.stringify(each), answer.status]).toEqual([JSON.stringify(each), 400]);
    }
    const signed = await provider.sign(claims({ sub }));
    const [header, payload] = signed.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of ['', 'x', `${header}.${payload}.AAAA`, `${none}.${payload}.`]) {
      expect((await send(token)).status).toBe(400);
    }
    expect((await send(signed, globex.id)).status).toBe(404);
    expect(await person.statuses()).toEqual(OPEN);
  });
});

describe('the operator', () => {
  it('sets it with environment variables, again and again without a change', async () => {
    const { enabled: _, newMembers: __, defaultRole: ___, roleRules: ____, ...rest } = SETTINGS;
    const environment = {
      ...rest,
      issuer: provider.issuer,
      newMembers: 'invitation' as const,
      defaultRole: null,
      roleRules: [{ value: 'x', role: 'viewer' as const }],
      organization: 'Globex',
    };
    const audit = await followAudit(db);
    await applyEnvironment({ db, secrets: testSecrets }, environment, clock.now());
    await applyEnvironment({ db, secrets: testSecrets }, environment, clock.now());
    expect(await audit()).toMatchObject([
      { action: 'single_sign_on.changed', kind: 'operator', organizationId: globex.id },
    ]);
    const started = await new Browser(service).start({ organizationId: globex.id });
    expect(started.status).toBe(200);
    const list = await service.call(listIdentities, {}, withSession(globex.owner));
    expect(list.body.members.map(({ identity }: { identity: unknown }) => identity)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(
      (await service.request('GET', '/api/v2/repositories', { as: withKey(globex.member) })).status,
    ).not.toBe(401);
  });

  it('switches it off from the host, and passwords work again', async () => {
    const person = await arrive();
    await db.updateTable('single_sign_on').set({ password_sign_in: false }).execute();
    await db
      .updateTable('organizations')
      .set({ single_sign_on_only: true })
      .where('id', '=', acme.id)
      .execute();
    const password = { email: acme.member.email, password: PASSWORD };
    expect((await service.call(signIn, password, 'nobody')).status).toBe(403);
    const audit = await followAudit(db);
    const env = { DATABASE_URL: urlOf(service.connection) };
    const command = (word: string) => runInProcess(['sso', word, '--organization', 'Acme'], { env });
    const off = await command('off');
    expect([off.code, off.stdout]).toEqual([
      0,
      expect.stringContaining(
        `Single sign-on with Acme ID (${provider.issuer}) is off for Acme. Password sign-in is on.`,
      ),
    ]);
    expect((await command('off')).stdout).toContain('Nothing was changed.');
    expect((await service.call(signIn, password, 'nobody')).status).toBe(200);
    expect((await person.browser.signIn(toAcme)).status).toBe(404);
    provider.people.delete(person.subject);
    await recheck(11);
    expect(await person.statuses()).toEqual(OPEN);
    expect((await command('on')).stdout).toContain('Password sign-in is off.');
    expect((await service.call(signIn, password, 'nobody')).status).toBe(403);
    // The command uses the real time, the service of this test a later one.
    expect((await audit()).map(({ action, kind }) => `${kind} ${action}`).sort()).toEqual([
      'operator single_sign_on.switched_off',
      'operator single_sign_on.switched_on',
      'session session.started',
    ]);
    await db.updateTable('single_sign_on').set({ password_sign_in: true }).execute();
    await db.updateTable('organizations').set({ single_sign_on_only: false }).execute();
    const { body } = await service.call(signIn, { ...password, email: acme.owner.email }, 'nobody');
    expect(body.organization.id).toBe(acme.id);
  });
});
