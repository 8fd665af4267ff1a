/** Sessions over HTTP: read, listed, ended, revoked and switched; by status. */
import { describe, expect, it } from 'vitest';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import {
  BEHIND_PROXY,
  sessionCookie,
  signInFrom,
  tokenFrom,
} from '../../../../test/helpers/service/sign-in-requests.ts';
import { recordSessionEvent } from '../../planner-events/record-session-event.ts';
import { changeMember } from '../members/change-member.ts';
import { deleteExpiredSessions } from '../store/session-store.ts';
import { getSession } from './get-session.ts';
import { listSessions } from './list-sessions.ts';
import { revokeSession } from './revoke-session.ts';
import { signOut } from './sign-out.ts';
import { switchOrganization } from './switch-organization.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, globex } = service;
const EVENT = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
const DAY_MS = 24 * 60 * 60 * 1000;

let made = 0;
async function newPerson(alsoInGlobex = false) {
  made += 1;
  const now = service.clock.now();
  const user = await makeUser(service.db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  const person = await makePerson(service.db, acme.id, user, 'member', now);
  if (alsoInGlobex) await makePerson(service.db, globex.id, user, 'viewer', now);
  return person;
}

describe('getting the session', () => {
  it('401: without a session, with a key, and with both', async () => {
    const person = await newPerson();
    const nobody = await service.call(getSession, {}, 'nobody');
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'Session realm="countersign"',
    ]);
    const both = await service.request('GET', '/api/v2/session', {
      as: withSession(person),
      headers: { 'x-api-key': person.key },
    });
    expect([both.status, both.body.code]).toEqual([403, 'key_not_accepted']);
    const wrongKey = await service.request('GET', '/api/v2/session', {
      as: withSession(person),
      headers: { 'x-api-key': 'csk_wrong' },
    });
    expect(wrongKey.status).toBe(401);
  });

  it('401: after fourteen days without use', async () => {
    const person = await newPerson();
    const session = { session: tokenFrom(await signInFrom(service, person)) };
    service.clock.advance(14 * DAY_MS - 60_000);
    expect((await service.call(getSession, {}, session)).status).toBe(200);
    service.clock.advance(61_000);
    expect((await service.call(getSession, {}, session)).status).toBe(401);
  });
});

describe('signing out', () => {
  it('204: ends this session immediately on every node, and deletes the cookie; others continue', async () => {
    const node = await startAnotherNode(service);
    const person = await newPerson();
    const [here, there] = [await signInFrom(service, person), await signInFrom(service, person)].map(
      tokenFrom,
    );
    const answer = await service.call(signOut, {}, { session: here! });
    expect(answer.status).toBe(204);
    const cookie = sessionCookie(answer)!;
    expect([cookie.name, cookie.token]).toEqual(['countersign', '']);
    expect(cookie.attributes).toContain('Expires=Thu, 01 Jan 1970 00:00:00 GMT');
    const elsewhere = await fetch(`${node.url}/api/v2/session`, {
      headers: { cookie: `countersign=${here}` },
    });
    expect(elsewhere.status).toBe(401);
    expect((await service.call(getSession, {}, { session: there! })).status).toBe(200);
    expect((await service.call(recordSessionEvent, EVENT, withKey(person))).status).toBe(204);
  });

  it('204: is recorded once for any number of concurrent requests', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.call(signOut, {}, withSession(person))),
    );
    for (const { status } of answers) expect([204, 401]).toContain(status);
    expect(await audit()).toEqual([
      {
        action: 'session.ended',
        organizationId: acme.id,
        kind: 'session',
        userId: person.userId,
        subjectId: person.userId,
        subjectName: person.name,
        detail: {},
      },
    ]);
  });
});

describe('listing sessions', () => {
  it('200: shows the person’s own active sessions and which is this one, never a token', async () => {
    const person = await newPerson(true);
    const other = await service.request('POST', '/api/v2/session', {
      body: { email: person.email, password: 'correct horse battery staple' },
      headers: { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'A browser/1.0' },
    });
    const { body, status } = await service.call(listSessions, {}, withSession(person));
    expect(status).toBe(200);
    expect(body.sessions).toHaveLength(3);
    expect(body.sessions.filter(({ current }: { current: boolean }) => current)).toMatchObject([
      { id: person.sessionId },
    ]);
    expect(body.sessions[0]).toMatchObject({
      current: false,
      userAgent: 'A browser/1.0',
      address: '203.0.113.9',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const text = JSON.stringify(body);
    for (const token of [person.token, tokenFrom(other)]) expect(text).not.toContain(token);
    expect(text).not.toMatch(/hash/i);
  });

  it('200: omits expired sessions, and the clean-up deletes them', async () => {
    const person = await newPerson();
    service.clock.advance(15 * DAY_MS);
    const session = { session: tokenFrom(await signInFrom(service, person)) };
    expect((await service.call(listSessions, {}, session)).body.sessions).toHaveLength(1);
    await deleteExpiredSessions(service.db, service.clock.now());
    const rows = await service.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', person.userId)
      .execute();
    expect(rows).toHaveLength(1);
    expect((await service.call(getSession, {}, session)).status).toBe(200);
  });
});

describe('revoking a session', () => {
  it('204: the device gets 401 immediately on another node, and this one stays signed in', async () => {
    const node = await startAnotherNode(service);
    const person = await newPerson();
    const lost = tokenFrom(await signInFrom(service, person));
    const ask = () => fetch(`${node.url}/api/v2/session`, { headers: { cookie: `countersign=${lost}` } });
    expect((await ask()).status).toBe(200);
    const { body } = await service.call(listSessions, {}, withSession(person));
    const { id } = body.sessions.find(({ current }: { current: boolean }) => !current);
    const audit = await followAudit(service.db);
    const answer = await service.call(revokeSession, { sessionId: id }, withSession(person));
    expect([answer.status, sessionCookie(answer)]).toEqual([204, undefined]);
    expect((await ask()).status).toBe(401);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(200);
    expect(await audit()).toMatchObject([
      { action: 'session.revoked', organizationId: acme.id, userId: person.userId, subjectId: id },
    ]);
  });

  it('204: of this session itself deletes the cookie', async () => {
    const person = await newPerson();
    const answer = await service.call(revokeSession, { sessionId: person.sessionId }, withSession(person));
    expect([answer.status, sessionCookie(answer)?.token]).toEqual([204, '']);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(401);
  });

  it('404: someone else’s session, in this organization or another, and one that does not exist', async () => {
    const [person, other] = [await newPerson(), await newPerson(true)];
    const sessionsOfOther = () =>
      service.db.selectFrom('sessions').select('id').where('user_id', '=', other.userId).execute();
    const before = await sessionsOfOther();
    const audit = await followAudit(service.db);
    for (const { id } of [...before, { id: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab' }]) {
      const answer = await service.call(revokeSession, { sessionId: id }, withSession(person));
      expect(answer.status).toBe(404);
    }
    expect(await audit()).toEqual([]);
    expect(before).toHaveLength(2);
    expect(await sessionsOfOther()).toEqual(before);
  });

  it('400: an ID that is not a UUID', async () => {
    const answer = await service.call(revokeSession, { sessionId: 'mine' }, withSession(await newPerson()));
    expect(answer.status).toBe(400);
  });
});

describe('switching the organization', () => {
  it('200: ends this session and starts one there, with the role there; both organizations record it', async () => {
    const person = await newPerson(true);
    const audit = await followAudit(service.db);
    const answer = await service.call(switchOrganization, { organizationId: globex.id }, withSession(person));
    expect(answer.status).toBe(200);
    expect([answer.body.organization.name, answer.body.role]).toEqual(['Globex', 'viewer']);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(401);
    const there = await service.call(getSession, {}, { session: tokenFrom(answer) });
    expect(there.body).toEqual(answer.body);
    expect((await audit()).map(({ action, organizationId }) => [action, organizationId])).toEqual([
      ['session.ended', acme.id],
      ['session.started', globex.id],
    ]);
  });

  it('404: an organization that the person never joined, was deactivated in, or that does not exist', async () => {
    const person = await newPerson(true);
    const globexOwner = { session: tokenFrom(await signInFrom(service, globex.owner)) };
    await service.call(changeMember, { userId: person.userId, active: false }, globexOwner);
    const outsider = await newPerson();
    for (const [who, organizationId] of [
      [person, globex.id],
      [outsider, globex.id],
      [outsider, '0198c1f2-7a3b-7c4d-8e5f-0123456789ab'],
    ] as const) {
      const answer = await service.call(switchOrganization, { organizationId }, withSession(who));
      expect([answer.status, sessionCookie(answer)]).toEqual([404, undefined]);
      expect((await service.call(getSession, {}, withSession(who))).status).toBe(200);
    }
  });

  it('creates one new session for any number of concurrent requests', async () => {
    const person = await newPerson(true);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        service.call(switchOrganization, { organizationId: globex.id }, withSession(person)),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401]);
    for (const answer of answers) expect(sessionCookie(answer) !== undefined).toBe(answer.status === 200);
  });
});
