/** Signing in over HTTP, by status. */
import * as argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser, PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import {
  BEHIND_PROXY,
  freshAddress,
  sessionCookie,
  signInFrom,
  tokenFrom,
} from '../../../../test/helpers/service/sign-in-requests.ts';
import { changeMember } from '../members/change-member.ts';
import { changePassword } from './change-password.ts';
import { getSession } from './get-session.ts';

/** The real library, watched: who is known must not show in the work that is done. */
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, verify: vi.fn(real.verify) };
});

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, globex } = service;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A member of Acme, and also of Globex if requested, independent of other tests. */
let made = 0;
async function newPerson(alsoInGlobex = false) {
  made += 1;
  const now = service.clock.now();
  const user = await makeUser(service.db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  const person = await makePerson(service.db, acme.id, user, 'member', now);
  if (alsoInGlobex) await makePerson(service.db, globex.id, user, 'viewer', new Date(now.getTime() + 1000));
  return person;
}

beforeEach(() => {
  vi.mocked(argon2.verify).mockClear();
});

describe('200', () => {
  it('starts a session with the right password', async () => {
    const answer = await signInFrom(service, acme.member);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: acme.member.userId, name: acme.member.name, email: acme.member.email },
      organization: { id: acme.id, name: 'Acme' },
      role: 'member',
      organizations: [{ id: acme.id, name: 'Acme', role: 'member' }],
    });
    const seen = await service.call(getSession, {}, { session: tokenFrom(answer) });
    expect(seen.body).toEqual(answer.body);
  });

  it('ignores the case of the address', async () => {
    const answer = await signInFrom(service, { email: acme.member.email.toUpperCase() });
    expect([answer.status, answer.body.user?.id]).toEqual([200, acme.member.userId]);
  });

  it('accepts the password in any Unicode normalization form', async () => {
    const { email, token } = await newPerson();
    await service.call(
      changePassword,
      { currentPassword: PASSWORD, newPassword: 'ångström ﬁle'.normalize('NFC') },
      { session: token },
    );
    const answer = await signInFrom(service, { email, password: 'ångström ﬁle'.normalize('NFD') });
    expect(answer.status).toBe(200);
  });

  it('signs in to the organization joined first, and lists the others', async () => {
    const { email } = await newPerson(true);
    const { body } = await signInFrom(service, { email });
    expect(body.organization.name).toBe('Acme');
    expect(body.organizations).toEqual([
      { id: acme.id, name: 'Acme', role: 'member' },
      { id: globex.id, name: 'Globex', role: 'viewer' },
    ]);
  });

  it('signs in to the requested organization, with the role there', async () => {
    const { email } = await newPerson(true);
    const { body } = await signInFrom(service, { email, organizationId: globex.id });
    expect([body.organization.name, body.role]).toEqual(['Globex', 'viewer']);
  });

  it('signs in to another organization if the person was deactivated in the first', async () => {
    const { email, userId } = await newPerson(true);
    await service.call(changeMember, { userId, active: false }, withSession(acme.owner));
    const { body } = await signInFrom(service, { email });
    expect(body.organization.name).toBe('Globex');
    expect(body.organizations).toHaveLength(1);
  });

  it('returns a new token each time, whatever cookie was sent', async () => {
    const first = tokenFrom(await signInFrom(service, acme.member));
    const answer = await service.request('POST', '/api/v2/session', {
      as: { session: first },
      body: { email: acme.member.email, password: PASSWORD },
      headers: { 'x-forwarded-for': freshAddress() },
    });
    expect(answer.status).toBe(200);
    expect(tokenFrom(answer)).not.toBe(first);
    const planted = await service.request('POST', '/api/v2/session', {
      as: { session: 'chosen-by-someone-else' },
      body: { email: acme.member.email, password: PASSWORD },
      headers: { 'x-forwarded-for': freshAddress() },
    });
    expect(tokenFrom(planted)).not.toBe('chosen-by-someone-else');
    const fixed = await service.call(getSession, {}, { session: 'chosen-by-someone-else' });
    expect(fixed.status).toBe(401);
  });

  it('stores only the hash of the token', async () => {
    const token = tokenFrom(await signInFrom(service, acme.member));
    const rows = await service.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('sets a cookie that scripts cannot read and other sites do not send, over http', async () => {
    const cookie = sessionCookie(await signInFrom(service, acme.member))!;
    expect(cookie.name).toBe('countersign');
    expect(cookie.attributes).toContain('HttpOnly');
    expect(cookie.attributes).toContain('SameSite=Lax');
    expect(cookie.attributes).toContain('Path=/');
    expect(cookie.attributes).not.toContain('Secure');
  });

  it('records the sign-in', async () => {
    const audit = await followAudit(service.db);
    await signInFrom(service, acme.viewer);
    expect(await audit()).toEqual([
      {
        action: 'session.started',
        organizationId: acme.id,
        kind: 'session',
        userId: acme.viewer.userId,
        subjectId: acme.viewer.userId,
        subjectName: acme.viewer.name,
        detail: {},
      },
    ]);
  });

  it('keeps a session alive while it is used, up to ninety days', async () => {
    const { email } = await newPerson();
    const session = { session: tokenFrom(await signInFrom(service, { email })) };
    for (let day = 0; day < 88; day += 11) {
      service.clock.advance(11 * DAY_MS);
      await service.flush();
      expect((await service.call(getSession, {}, session)).status).toBe(200);
      await service.flush();
    }
    service.clock.advance(2 * DAY_MS + 1000);
    expect((await service.call(getSession, {}, session)).status).toBe(401);
  });
});

describe('401', () => {
  it('is the same for a wrong password, an unknown address and a deactivated person', async () => {
    const gone = await newPerson();
    const owner = tokenFrom(await signInFrom(service, acme.owner));
    await service.call(changeMember, { userId: gone.userId, active: false }, { session: owner });
    const answers = [
      await signInFrom(service, { email: acme.member.email, password: 'wrong' }),
      await signInFrom(service, { email: 'nobody@acme.example' }),
      await signInFrom(service, { email: gone.email }),
      await signInFrom(service, { email: acme.member.email, organizationId: globex.id }),
    ];
    const [first] = answers;
    expect([first!.status, first!.body.code]).toEqual([401, 'sign_in_failed']);
    for (const answer of answers) {
      expect({ ...answer.body, requestId: '' }).toEqual({ ...first!.body, requestId: '' });
      expect([...answer.headers.keys()].sort()).toEqual([...first!.headers.keys()].sort());
      expect(sessionCookie(answer)).toBeUndefined();
    }
  });

  it('does the same work for an unknown address: one check against a hash of the same cost', async () => {
    const costs: (string | undefined)[] = [];
    for (const email of [acme.member.email, 'nobody@acme.example', 'nobody-else@acme.example']) {
      vi.mocked(argon2.verify).mockClear();
      await signInFrom(service, { email, password: 'wrong' });
      expect(argon2.verify).toHaveBeenCalledTimes(1);
      const [hash] = vi.mocked(argon2.verify).mock.calls[0]!;
      costs.push(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/.exec(String(hash))?.[0]);
    }
    expect(costs[0]).toBe('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(new Set(costs).size).toBe(1);
  });

  it('is recorded in every organization of the account, without the password', async () => {
    const person = await newPerson(true);
    const audit = await followAudit(service.db);
    await signInFrom(service, { email: person.email, password: 'a wrong guess' });
    const records = await audit();
    expect(records.map(({ action, organizationId }) => [action, organizationId])).toEqual([
      ['session.refused', acme.id],
      ['session.refused', globex.id],
    ]);
    for (const record of records) {
      expect(record).toMatchObject({ kind: 'anonymous', userId: null, subjectId: person.userId });
    }
    expect(JSON.stringify(records)).not.toContain('a wrong guess');
  });

  it('starts no session with a password that is changed while it is being checked', async () => {
    const person = await newPerson();
    const checked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const { verify } = await vi.importActual<typeof argon2>('@node-rs/argon2');
    vi.mocked(argon2.verify).mockImplementationOnce(async (...given) => {
      const right = await verify(...given);
      checked.resolve();
      await changed.promise;
      return right;
    });
    const signingIn = signInFrom(service, { email: person.email });
    await checked.promise;
    const change = await service.call(
      changePassword,
      { currentPassword: PASSWORD, newPassword: 'another password' },
      withSession(person),
    );
    expect(change.status).toBe(200);
    changed.resolve();
    const late = await signingIn;
    expect([late.status, sessionCookie(late)]).toEqual([401, undefined]);
    const sessions = await service.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', person.userId)
      .execute();
    expect(sessions).toHaveLength(1);
  });
});

describe('over https', () => {
  it('sets a __Host- cookie that is only sent over HTTPS, and reads no other', async () => {
    const secure = await startTestService({
      settings: { ...BEHIND_PROXY, BASE_URL: 'https://review.example' },
    });
    const answer = await signInFrom(secure, secure.acme.member);
    const cookie = sessionCookie(answer)!;
    expect(cookie.name).toBe('__Host-countersign');
    expect(cookie.attributes).toContain('Secure');
    expect(cookie.attributes).toContain('HttpOnly');
    expect(cookie.attributes).toContain('Path=/');
    expect(cookie.attributes.some((attribute) => attribute.startsWith('Domain'))).toBe(false);
    expect((await secure.call(getSession, {}, { session: cookie.token })).status).toBe(200);
    const plain = await secure.request('GET', '/api/v2/session', {
      headers: { cookie: `countersign=${cookie.token}` },
    });
    expect(plain.status).toBe(401);
  });
});
