/** Signing in through a real provider: who gets in, as whom and with which role, and everything that must be refused. */
import { beforeEach, describe, expect, it } from 'vitest';
import { startIdentityProvider } from '../../../../test/helpers/servers/identity-provider.ts';
import { PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { Browser, SETTINGS } from '../../../../test/helpers/service/single-sign-on.ts';
import { inviteMember } from '../../accounts/invitations/invite-member.ts';
import { revokeInvitation } from '../../accounts/invitations/revoke-invitation.ts';
import { listMembers } from '../../accounts/members/list-members.ts';
import { getSession } from '../../accounts/sessions/get-session.ts';
import { signIn } from '../../accounts/sessions/sign-in.ts';
import { allowIdentityLink } from '../identities/allow-identity-link.ts';
import { changeSingleSignOn } from '../settings/change-single-sign-on.ts';
import { getSingleSignOn } from '../settings/get-single-sign-on.ts';
import { testSingleSignOn } from '../settings/test-single-sign-on.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db, globex } = service;
let subject = 'nobody';
const provider = await startIdentityProvider({
  redirectUrl: `${service.url}/sign-in/return`,
  signsIn: () => subject,
});

const configure = async (changes: Record<string, unknown> = {}, as = acme.owner) => {
  const settings = { ...SETTINGS, issuer: provider.issuer, ...changes };
  const answer = await service.call(changeSingleSignOn, settings, withSession(as));
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer;
};

let people = 0;
/** Somebody new at the provider, who signs in next. */
function arrive(person: Record<string, unknown> = {}): { subject: string; email: string } {
  people += 1;
  subject = `subject-${people}`;
  const email = `person${people}@acme.example`;
  provider.people.set(subject, { email, email_verified: true, name: `Person ${people}`, ...person });
  return { subject, email: (person.email as string) ?? email };
}

const toAcme = { organizationId: acme.id };
const memberNames = async () => {
  const { body } = await service.call(listMembers, { limit: 200 }, withSession(acme.owner));
  return body.members.map(({ email }: { email: string }) => email);
};

beforeEach(async () => {
  provider.alter = undefined;
  provider.replies.clear();
  provider.isDown = false;
  await configure();
});

describe('the settings', () => {
  it('never show the client secret, and keep it unless there is a new one', async () => {
    const { body } = await service.call(getSingleSignOn, {}, withSession(acme.admin));
    expect(body.settings).toMatchObject({ name: 'Acme ID', issuer: provider.issuer });
    expect(body.redirectUrl).toBe(`${service.url}/sign-in/return`);
    expect(JSON.stringify(body)).not.toContain(SETTINGS.clientSecret);
    await configure({ clientSecret: undefined, name: 'Acme login' });
    arrive();
    expect((await new Browser(service).signIn(toAcme)).status).toBe(200);
    const { rows } = { rows: await db.selectFrom('single_sign_on').selectAll().execute() };
    expect(JSON.stringify(rows)).not.toContain(SETTINGS.clientSecret);
    expect(service.logLines.join('')).not.toContain(SETTINGS.clientSecret);
  });

  it('are for admins and owners of this organization', async () => {
    for (const person of [acme.member, acme.viewer]) {
      expect((await service.call(getSingleSignOn, {}, withSession(person))).status).toBe(403);
    }
    expect((await service.call(getSingleSignOn, {}, withSession(globex.owner))).body.settings).toBeNull();
  });

  it('never send the stored secret to another issuer', async () => {
    const moved = { ...SETTINGS, clientSecret: undefined, issuer: 'http://127.0.0.1:9' };
    const answer = await service.call(changeSingleSignOn, moved, withSession(acme.admin));
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'clientSecret']);
    const { clientId, issuer } = moved;
    const test = await service.call(testSingleSignOn, { clientId, issuer }, withSession(acme.admin));
    expect([test.status, test.body.errors[0].path]).toEqual([400, 'clientSecret']);
  });

  it('allow to switch passwords off only to someone who signed in this way', async () => {
    const off = { ...SETTINGS, issuer: provider.issuer, passwordSignIn: false };
    const answer = await service.call(changeSingleSignOn, off, withSession(acme.owner));
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });
});

describe('the test of a connection', () => {
  const test = (changes: Record<string, unknown> = {}) =>
    service.call(
      testSingleSignOn,
      { issuer: provider.issuer, clientId: SETTINGS.clientId, ...changes },
      withSession(acme.admin),
    );
  const failed = ({ body }: Awaited<ReturnType<typeof test>>) =>
    body.checks.filter(({ ok }: { ok: boolean }) => !ok);

  it('passes with the stored secret', async () => {
    const answer = await test();
    expect(answer.body.checks.map(({ detail }: { detail: string }) => detail)).toEqual([
      `${provider.issuer} was found and the issuer matches.`,
      'One key was read.',
      'The provider accepted them.',
      'The provider supports it.',
    ]);
    expect(answer.body.ok).toBe(true);
  });

  it('says when the client or its secret is wrong', async () => {
    const answer = await test({ clientSecret: 'another secret' });
    expect(failed(answer)).toEqual([
      {
        name: 'Client ID and secret',
        ok: false,
        detail: 'The provider refused the client ID or the client secret.',
      },
    ]);
  });

  it('says what the issuer must be', async () => {
    const answer = await test({ issuer: `${provider.issuer}/`, clientSecret: 'x' });
    expect(failed(answer)[0].detail).toBe(
      `The provider calls itself ${provider.issuer}. Enter exactly that as the issuer.`,
    );
  });

  it('says when there is no provider, no answer, or no key', async () => {
    provider.replies.set('/jwks', { keys: [] });
    expect(failed(await test())[0].detail).toBe('The provider publishes no keys.');
    provider.replies.set('/.well-known/openid-configuration', 'hello');
    expect(failed(await test())[0].detail).toContain('not valid');
    provider.isDown = true;
    expect(failed(await test())[0].detail).toContain("can't be reached");
  });
});

describe('a first sign-in', () => {
  it('creates a member, and the second finds them by subject, whatever their email address became', async () => {
    const { email, subject: id } = arrive();
    const browser = new Browser(service);
    const first = await browser.signIn({ ...toAcme, returnTo: '/plans?status=approved#x' });
    expect(first.body).toMatchObject({
      session: { user: { email }, organization: { id: acme.id }, role: 'member' },
      returnTo: '/plans?status=approved#x',
    });
    expect((await service.call(getSession, {}, { session: browser.session! })).status).toBe(200);
    provider.people.set(id, { email: `renamed-${email}`, email_verified: true });
    const second = await new Browser(service).signIn(toAcme);
    expect(second.body.session.user).toEqual(first.body.session.user);
  });

  it('of one person in two browsers at once creates one member', async () => {
    const { email } = arrive();
    const visits = [new Browser(service), new Browser(service)].map(async (browser) => ({
      browser,
      returned: await browser.visit((await browser.start(toAcme)).body.url),
    }));
    const ready = await Promise.all(visits);
    const answers = await Promise.all(ready.map(({ browser, returned }) => browser.finish(returned)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await memberNames()).filter((each: string) => each === email)).toHaveLength(1);
  });

  it('needs an invitation where the settings say so, and gets its role', async () => {
    await configure({ newMembers: 'invitation' });
    const { email } = arrive();
    const refused = await new Browser(service).signIn(toAcme);
    expect([refused.status, refused.body.code]).toEqual([403, 'single_sign_on_failed']);
    expect(refused.body.detail).toContain('Ask an admin for an invitation');
    await service.call(inviteMember, { email, role: 'viewer' }, withSession(acme.admin));
    expect((await new Browser(service).signIn(toAcme)).body.session.role).toBe('viewer');
  });

  it('is not let in by an invitation that was revoked', async () => {
    await configure({ newMembers: 'invitation' });
    const { email } = arrive();
    const as = withSession(acme.admin);
    const { body } = await service.call(inviteMember, { email, role: 'viewer' }, as);
    await service.call(revokeInvitation, { invitationId: body.invitation.id }, as);
    expect((await new Browser(service).signIn(toAcme)).status).toBe(403);
  });

  it('leads only to pages of this service', async () => {
    arrive();
    for (const returnTo of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil.example',
      'x',
    ]) {
      const answer = await new Browser(service).signIn({ ...toAcme, returnTo });
      expect([returnTo, answer.body.returnTo]).toEqual([returnTo, '/']);
    }
  });

  it('opens nothing in another organization', async () => {
    const started = await new Browser(service).start({ organizationId: globex.id });
    expect(started.status).toBe(404);
    arrive();
    const { body } = await new Browser(service).signIn(toAcme);
    expect(body.session.organizations.map(({ id }: { id: string }) => id)).toEqual([acme.id]);
  });
});

describe('an existing account with the same email address', () => {
  it('is not taken over', async () => {
    arrive({ email: acme.member.email });
    const answer = await new Browser(service).signIn(toAcme);
    expect([answer.status, answer.body.code]).toEqual([403, 'single_sign_on_failed']);
    expect(answer.body.detail).toContain('already exists');
    arrive({ email: globex.owner.email });
    expect((await new Browser(service).signIn(toAcme)).status).toBe(403);
    // Nor by somebody else's session.
    expect((await new Browser(service, acme.viewer).signIn(toAcme)).status).toBe(403);
  });

  it('is linked from its own session, also under another address at the provider', async () => {
    const { email } = arrive();
    const browser = new Browser(service, acme.viewer);
    const started = await browser.call('POST', '/api/v2/single-sign-on/link', {});
    const linked = await browser.finish(await browser.visit(started.body.url));
    expect(linked.body).toMatchObject({
      session: { user: { id: acme.viewer.userId } },
      returnTo: '/settings/account',
    });
    const again = await new Browser(service).signIn(toAcme);
    expect(again.body.session.user.id).toBe(acme.viewer.userId);
    const mine = await browser.call('GET', '/api/v2/single-sign-on/me');
    expect(mine.body).toMatchObject({ provider: 'Acme ID', identity: { email, recheckedWithToken: true } });
    // Someone else cannot link the same account of the provider.
    const thief = new Browser(service, acme.member);
    const second = await thief.call('POST', '/api/v2/single-sign-on/link', {});
    const refused = await thief.finish(await thief.visit(second.body.url));
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'This account at the provider is linked to another member.',
    ]);
  });

  it('is linked once an admin allowed it, but an owner only by an owner', async () => {
    arrive({ email: acme.admin.email });
    const input = { userId: acme.admin.userId };
    expect((await service.call(allowIdentityLink, input, withSession(acme.member))).status).toBe(403);
    expect((await service.call(allowIdentityLink, input, withSession(globex.owner))).status).toBe(404);
    const owner = { userId: acme.owner.userId };
    expect((await service.call(allowIdentityLink, owner, withSession(acme.admin))).status).toBe(403);
    expect((await service.call(allowIdentityLink, input, withSession(acme.owner))).status).toBe(200);
    const answer = await new Browser(service).signIn(toAcme);
    expect(answer.body.session).toMatchObject({ user: { id: acme.admin.userId }, role: 'admin' });
  });
});

describe('roles', () => {
  it('follow the groups at every sign-in, the highest first; owners keep theirs', async () => {
    const roleRules = [
      { value: 'engineering', role: 'member' },
      { value: 'platform', role: 'admin' },
    ];
    await configure({ roleRules, defaultRole: 'viewer' });
    const { subject: id } = arrive({ groups: ['engineering', 'platform'] });
    const person = provider.people.get(id)!;
    const roleNow = async () => (await new Browser(service).signIn(toAcme)).body.session?.role;
    expect(await roleNow()).toBe('admin');
    provider.people.set(id, { ...person, groups: ['engineering'] });
    expect(await roleNow()).toBe('member');
    provider.people.set(id, { ...person, groups: ['others'] });
    expect(await roleNow()).toBe('viewer');
    await configure({ roleRules, defaultRole: null });
    const refused = await new Browser(service).signIn(toAcme);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('in no group')]);
  });
});

describe('refused', () => {
  const refusal = async (sign = () => new Browser(service).signIn(toAcme)) => {
    const before = await memberNames();
    const answer = await sign();
    expect(answer.status).not.toBe(200);
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith('countersign='))).toEqual([]);
    expect(await memberNames()).toEqual(before);
    return answer.body.detail as string;
  };
  const altered = (changes: Record<string, unknown>) => async (reply: { id_token?: string }) => {
    reply.id_token = await provider.resign(reply.id_token!, changes);
  };
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;

  it.each<[string, Record<string, unknown>, string]>([
    ['another issuer', { iss: 'https://evil.example' }, 'issued by another provider'],
    ['another audience', { aud: 'another-app' }, 'issued for another application'],
    ['another nonce', { nonce: 'x' }, 'belongs to another sign-in'],
    ['an end in the past', { exp: hourAgo, iat: hourAgo - 60 }, 'has expired'],
  ])('a token with %s', async (_, changes, words) => {
    arrive();
    provider.alter = altered(changes);
    expect(await refusal()).toContain(words);
  });

  it('a token that the provider did not sign', async () => {
    arrive();
    provider.alter = async (reply) => {
      reply.id_token = `${reply.id_token!.slice(0, -8)}AAAAAAAA`;
    };
    expect(await refusal()).toContain('not valid');
  });

  it('an answer of a mixed-up provider', async () => {
    arrive();
    const browser = new Browser(service);
    const returned = await browser.visit((await browser.start(toAcme)).body.url);
    expect(returned.searchParams.get('iss')).toBe(provider.issuer);
    expect(await refusal(() => browser.finish(returned, { iss: 'https://evil.example' }))).toContain(
      'not valid',
    );
    const other = await browser.visit((await browser.start(toAcme)).body.url);
    expect(await refusal(() => browser.finish(other, { iss: undefined }))).toContain('not valid');
  });

  it('a state or code that was used, or that another browser started', async () => {
    arrive();
    const browser = new Browser(service);
    const returned = await browser.visit((await browser.start(toAcme)).body.url);
    expect(await refusal(() => new Browser(service).finish(returned))).toContain('another browser');
    expect((await browser.finish(returned)).status).toBe(200);
    expect(await refusal(() => new Browser(service).finish(returned))).toContain('already used');
    const next = await browser.visit((await browser.start(toAcme)).body.url);
    const replayed = await browser.finish(next, { code: returned.searchParams.get('code')! });
    expect([replayed.status, replayed.body.detail]).toEqual([
      403,
      'The provider no longer accepts this sign-in.',
    ]);
    const slow = await browser.visit((await browser.start(toAcme)).body.url);
    service.clock.advance(11 * 60_000);
    expect((await browser.finish(slow)).body.detail).toContain('has expired');
  });

  it('someone whom the provider did not let in, whose address is not verified, or whose domain is not allowed', async () => {
    subject = 'unknown';
    expect(await refusal()).toContain('did not let you in');
    arrive({ email_verified: false });
    expect(await refusal()).toContain('has not verified');
    arrive({ email_verified: undefined });
    expect(await refusal()).toContain('has not verified');
    arrive({ email: undefined });
    expect(await refusal()).toContain('sent no email address');
    await configure({ allowedDomains: ['acme.example'] });
    arrive({ email: 'somebody@evil-acme.example' });
    expect(await refusal()).toContain('evil-acme.example can’t sign in');
    arrive({ email: 'somebody@acme.example.evil' });
    expect(await refusal()).toContain('can’t sign in');
  });

  it('a deactivated member', async () => {
    arrive();
    const { body } = await new Browser(service).signIn(toAcme);
    await service.request('PATCH', `/api/v2/members/${body.session.user.id}`, {
      as: withSession(acme.owner),
      body: { active: false },
    });
    expect(await refusal()).toContain('deactivated');
  });

  it('everybody while the provider is down, as a temporary problem', async () => {
    arrive();
    const browser = new Browser(service);
    const returned = await browser.visit((await browser.start(toAcme)).body.url);
    provider.isDown = true;
    const answer = await browser.finish(returned);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    // Existing sessions continue.
    expect((await service.call(getSession, {}, withSession(acme.member))).status).toBe(200);
  });
});

describe('with password sign-in off', () => {
  it('only single sign-on opens the organization; others are unaffected', async () => {
    arrive();
    const browser = new Browser(service, acme.owner);
    const started = await browser.call('POST', '/api/v2/single-sign-on/link', {});
    await browser.finish(await browser.visit(started.body.url));
    const key = withKey(acme.member);
    expect((await service.request('GET', '/api/v2/sign-in-methods')).body).toEqual({
      password: true,
      singleSignOn: [{ organizationId: acme.id, name: 'Acme ID', passwordSignIn: true }],
    });
    const off = { ...SETTINGS, issuer: provider.issuer, passwordSignIn: false };
    // Nobody has signed in there yet.
    const moved = { ...off, issuer: 'https://other.example.com' };
    expect((await browser.call('PUT', '/api/v2/single-sign-on', moved)).status).toBe(409);
    expect((await browser.call('PUT', '/api/v2/single-sign-on', off)).status).toBe(200);

    const password = { email: acme.member.email, password: PASSWORD };
    const refused = await service.call(signIn, password, 'nobody');
    expect([refused.status, refused.body.code]).toEqual([403, 'single_sign_on_required']);
    const wrong = await service.call(signIn, { ...password, password: 'wrong' }, 'nobody');
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed']);
    expect((await service.call(getSession, {}, withSession(acme.member))).status).toBe(401);
    expect((await service.request('GET', '/api/v2/repositories', { as: key })).status).not.toBe(401);
    const change = { currentPassword: PASSWORD, newPassword: 'another passphrase' };
    expect((await browser.call('POST', '/api/v2/password', change)).body.code).toBe(
      'single_sign_on_required',
    );
    const elsewhere = { email: globex.member.email, password: PASSWORD };
    expect((await service.call(signIn, elsewhere, 'nobody')).status).toBe(200);
    expect((await browser.call('DELETE', `/api/v2/members/${acme.owner.userId}/identity`)).status).toBe(409);

    const on = await browser.call('PUT', '/api/v2/single-sign-on', { ...off, passwordSignIn: true });
    expect(on.status).toBe(200);
    expect((await service.call(signIn, password, 'nobody')).status).toBe(200);
    acme.owner.token = browser.session!;
  });
});
