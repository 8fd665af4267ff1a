/** Consent is valid only in the browser that the agent opened, with the session that gave it. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { alterMember } from '../../src/features/accounts/index.ts';
import { switchOrganization } from '../../src/features/accounts/sessions/switch-organization.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { getAgentSignIn } from '../../src/features/oauth/get-agent-sign-in.ts';
import { hashOf } from '../../src/platform/core/text/secret-token.ts';
import { untilWaiting } from '../helpers/database/waiting.ts';
import { followAudit } from '../helpers/service/audit-trail.ts';
import { makePerson, makeUser } from '../helpers/service/factories.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import {
  answer,
  authorizationUrl,
  Browser,
  begin,
  getCode,
  newClient,
  proofKey,
  redeem,
  signInAgent,
} from './agent.ts';

const service = await startTestService();
const { acme, clock, db, globex, url } = service;
const client = await newClient(url);
const ask = (browser: Browser) => begin(browser, authorizationUrl(url, client, proofKey().challenge));
const resume = (signInId: string) => `${url}/oauth/auth/${signInId}`;

async function expectNoCode(browser: Browser, address: string): Promise<void> {
  const page = await browser.get(address);
  expect([page.status, page.location?.searchParams.get('code')]).toEqual([400, undefined]);
  expect(page.text).toContain('cannot be continued here');
}

describe('no code is issued', () => {
  it('to the browser of an attacker who got someone else to allow the request', async () => {
    const attacker = new Browser(globex.owner);
    const signInId = await ask(attacker);
    const allowed = await answer(service, acme.owner, signInId);
    expect(allowed.status).toBe(200);
    await expectNoCode(attacker, allowed.body.continueAt);
    // Nor to the victim's browser, which the agent didn't open.
    await expectNoCode(new Browser(acme.owner), allowed.body.continueAt);
  });

  it('to an attacker who continues their own request with the cookie of the request that the victim allowed', async () => {
    const attacker = new Browser(globex.owner);
    const own = await ask(attacker);
    const stolen = await ask(attacker);
    await answer(service, globex.owner, own);
    await answer(service, acme.owner, stolen);
    const ofStolen = [...attacker.cookies].filter(([, { path }]) => path.endsWith(stolen));
    expect(ofStolen.length).toBeGreaterThan(0);
    for (const [name, { value }] of ofStolen) {
      attacker.cookies.set(name, { value, path: new URL(resume(own)).pathname });
    }
    await expectNoCode(attacker, resume(own));
  });

  it('to a browser that has signed out meanwhile, or signed in as someone else', async () => {
    for (const person of [undefined, acme.admin]) {
      const browser = new Browser(acme.member);
      const signInId = await ask(browser);
      const { body } = await answer(service, acme.member, signInId);
      browser.cookies.delete('countersign');
      if (person) browser.signIn(person);
      await expectNoCode(browser, body.continueAt);
    }
  });

  it('to another session of the same person', async () => {
    const browser = new Browser(acme.member);
    const signInId = await ask(browser);
    const { body } = await answer(service, acme.member, signInId);
    const credentials = { email: acme.member.email, password: 'correct horse battery staple' };
    const signedIn = await service.request('POST', '/api/v2/session', { body: credentials });
    const [, token] = /countersign=([^;]+)/.exec(signedIn.headers.get('set-cookie')!)!;
    browser.signIn({ token: token! });
    await expectNoCode(browser, body.continueAt);
  });

  it('when the cookie of the request was made up', async () => {
    const signInId = await ask(new Browser());
    await answer(service, acme.member, signInId);
    const browser = new Browser(acme.member);
    const path = new URL(resume(signInId)).pathname;
    browser.cookies.set('countersign-agent-resume', { value: signInId, path });
    browser.cookies.set('countersign-agent-resume.sig', { value: 'x'.repeat(27), path });
    await expectNoCode(browser, resume(signInId));
  });

  it('a second time', async () => {
    const { browser, continueAt } = await getCode(service, acme.member, { client });
    await expectNoCode(browser, continueAt);
  });

  it('to more than one of many concurrent requests', async () => {
    const browser = new Browser(acme.member);
    const signInId = await ask(browser);
    await answer(service, acme.member, signInId);
    // The request is locked until all of them have read it and wait to complete it.
    const pages = await db.transaction().execute(async (holding) => {
      await sql`SELECT FROM oauth_records WHERE key_hash = ${hashOf(signInId)} FOR UPDATE`.execute(holding);
      const asked = Array.from({ length: 4 }, () => {
        const same = new Browser();
        for (const [name, cookie] of browser.cookies) same.cookies.set(name, cookie);
        return same.get(resume(signInId));
      });
      await untilWaiting(db, asked.length);
      return asked;
    });
    const shown = await Promise.all(pages);
    expect(shown.filter(({ location }) => location?.searchParams.has('code'))).toHaveLength(1);
  });

  it('before anyone answered: the person is asked again', async () => {
    const browser = new Browser(acme.member);
    const signInId = await ask(browser);
    const page = await browser.get(resume(signInId));
    expect(page.location!.pathname).toMatch(/^\/connect\//);
  });

  it('because of earlier consent: every request needs a decision', async () => {
    const { browser } = await getCode(service, acme.member, { client });
    const page = await browser.get(authorizationUrl(url, client, proofKey().challenge));
    expect(page.location!.pathname).toMatch(/^\/connect\//);
  });
});

describe('an answer', () => {
  it('is refused when a page of another site sends it', async () => {
    const signInId = await ask(new Browser(acme.member));
    const path = `/api/v2/agent-sign-ins/${signInId}/answer`;
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of foreign) {
      const as = withSession(acme.member);
      const answered = await service.request('POST', path, { as, body: { allow: true }, headers });
      expect([answered.status, answered.body.code]).toEqual([403, 'cross_origin']);
    }
    expect((await service.call(getAgentSignIn, { signInId }, withSession(acme.member))).status).toBe(200);
  });

  it('cannot be sent with a key or a token', async () => {
    const { tokens } = await signInAgent(service, acme.member, client);
    const signInId = await ask(new Browser());
    const path = `/api/v2/agent-sign-ins/${signInId}/answer`;
    const body = { allow: true };
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await service.request('POST', path, { headers, body })).status).toBe(403);
    const as = { key: acme.member.key };
    expect((await service.request('POST', path, { as, body })).status).toBe(403);
  });

  it('is refused when the session has changed to another person or organization since the page was shown', async () => {
    const signInId = await ask(new Browser(acme.member));
    const path = `/api/v2/agent-sign-ins/${signInId}/answer`;
    const right = { userId: acme.member.userId, organizationId: acme.id };
    const as = withSession(acme.member);
    const send = (shown: object) => service.request('POST', path, { as, body: { allow: true, shown } });
    expect((await send({ ...right, organizationId: globex.id })).status).toBe(409);
    expect((await send({ ...right, userId: acme.owner.userId })).status).toBe(409);
    expect((await send(right)).status).toBe(200);
  });

  it('counts once; repeating it from the same session changes nothing', async () => {
    const signInId = await ask(new Browser(acme.member));
    const audit = await followAudit(db);
    const first = await answer(service, acme.member, signInId);
    const again = await answer(service, acme.member, signInId);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await answer(service, acme.member, signInId, false)).status).toBe(409);
    expect((await answer(service, acme.admin, signInId)).status).toBe(409);
    expect((await service.call(getAgentSignIn, { signInId }, withSession(acme.member))).status).toBe(409);
    expect((await audit()).map(({ action }) => action)).toEqual(['agent.signed_in']);
  });

  it('counts once among many concurrent ones', async () => {
    const signInId = await ask(new Browser());
    const people = [acme.owner, acme.admin, acme.member, acme.viewer, globex.owner, globex.member];
    const answers = await Promise.all(people.map((person) => answer(service, person, signInId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('sent while the person is being deactivated waits and grants no access', async () => {
    const user = await makeUser(db, { name: 'Leaver', email: 'leaver@acme.example' }, clock.now());
    const person = await makePerson(db, acme.id, user, 'member', clock.now());
    const signInId = await ask(new Browser(person));
    const { answering } = await db.transaction().execute(async (transaction) => {
      const operator = operatorOf(acme.id, clock.now());
      await alterMember(transaction, 'owner', operator, { userId: user.id, active: false });
      const answering = answer(service, person, signInId);
      await untilWaiting(db, 1);
      return { answering };
    });
    expect((await answering).status).toBe(401);
    const grants = await db
      .selectFrom('oauth_records')
      .select('id')
      .where('user_id', '=', user.id)
      .where('kind', '=', 'Grant')
      .execute();
    expect(grants).toEqual([]);
  });

  it('grants access to the organization of the session that gave it', async () => {
    const user = await makeUser(db, { name: 'Rover', email: 'rover@acme.example' }, clock.now());
    const there = await makePerson(db, globex.id, user, 'member', clock.now());
    await makePerson(db, acme.id, user, 'viewer', clock.now());
    const browser = new Browser(there);
    const signInId = await ask(browser);
    const switched = await service.call(switchOrganization, { organizationId: acme.id }, withSession(there));
    const [, token] = /countersign=([^;]+)/.exec(switched.headers.get('set-cookie')!)!;
    browser.signIn({ token: token! });
    const now = { ...there, token: token! };
    const { body } = await service.call(getAgentSignIn, { signInId }, withSession(now));
    expect(body.organization).toEqual({ id: acme.id, name: 'Acme' });
    const allowed = await answer(service, now, signInId);
    const back = await browser.get(allowed.body.continueAt);
    expect(back.location!.searchParams.has('code')).toBe(true);
    const granted = await db
      .selectFrom('oauth_records')
      .select(['organization_id', 'user_id'])
      .where('kind', '=', 'Grant')
      .where('user_id', '=', user.id)
      .execute();
    expect(granted).toEqual([{ organization_id: acme.id, user_id: user.id }]);
  });
});

it('a code from another flow does not fit the verifier of this one', async () => {
  const mine = await getCode(service, acme.member, { client });
  const theirs = await getCode(service, acme.admin, { client });
  const injected = await redeem(url, { ...mine, code: theirs.code });
  expect([injected.status, injected.body.error]).toEqual([400, 'invalid_grant']);
});
