/** Changing your password over HTTP, by status. */
import { describe, expect, it } from 'vitest';
import { untilWaiting } from '../../../../test/helpers/database/waiting.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser, PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import {
  BEHIND_PROXY,
  sessionCookie,
  signInFrom,
  tokenFrom,
} from '../../../../test/helpers/service/sign-in-requests.ts';
import { operatorOf } from '../../audit/index.ts';
import { recordSessionEvent } from '../../planner-events/record-session-event.ts';
import { alterMember, resetPassword } from '../index.ts';
import { lockMembersAndOwners } from '../store/account-store.ts';
import { changePassword } from './change-password.ts';
import { getSession } from './get-session.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, globex } = service;
const NEW = 'a new password';
const EVENT = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };

let made = 0;
async function newPerson() {
  made += 1;
  const now = service.clock.now();
  const user = await makeUser(service.db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  const inGlobex = await makePerson(service.db, globex.id, user, 'viewer', new Date(now.getTime() + 1));
  return { ...(await makePerson(service.db, acme.id, user, 'member', now)), inGlobex };
}

const change = (session: string, currentPassword = PASSWORD, newPassword = NEW) =>
  service.call(changePassword, { currentPassword, newPassword }, { session });

describe('200', () => {
  it('ends all other sessions, gives this one a new token, and keys keep working', async () => {
    const person = await newPerson();
    const other = tokenFrom(await signInFrom(service, person));
    const answer = await change(person.token);
    expect([answer.status, answer.body.organization.id]).toEqual([200, acme.id]);
    const fresh = tokenFrom(answer);
    for (const token of [person.token, other, person.inGlobex.token]) {
      expect((await service.call(getSession, {}, { session: token })).status).toBe(401);
    }
    expect((await service.call(getSession, {}, { session: fresh })).status).toBe(200);
    expect((await service.call(recordSessionEvent, EVENT, withKey(person))).status).toBe(204);
    expect((await signInFrom(service, person)).status).toBe(401);
    expect((await signInFrom(service, { email: person.email, password: NEW })).status).toBe(200);
  });

  it('is recorded, without either password', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    await change(person.token);
    const records = await audit();
    expect(records).toEqual([
      {
        action: 'password.changed',
        organizationId: acme.id,
        kind: 'session',
        userId: person.userId,
        subjectId: person.userId,
        subjectName: person.name,
        detail: {},
      },
    ]);
    expect(JSON.stringify(records)).not.toContain(NEW);
  });

  it('succeeds for one of two concurrent requests, and ends the session of the other', async () => {
    const person = await newPerson();
    const second = tokenFrom(await signInFrom(service, person));
    const answers = await Promise.all([
      change(person.token, PASSWORD, 'the first one'),
      change(second, PASSWORD, 'the second one'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1);
    const winner = answers[0]!.status === 200 ? 'the first one' : 'the second one';
    expect((await signInFrom(service, { email: person.email, password: winner })).status).toBe(200);
  });
});

describe('400', () => {
  it('rejects a wrong current password and changes nothing', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    const answer = await change(person.token, 'wrong');
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ path: 'currentPassword', message: 'is not the current password' }],
    ]);
    expect(sessionCookie(answer)).toBeUndefined();
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(200);
    expect((await signInFrom(service, person)).status).toBe(200);
    expect((await audit()).map(({ action }) => action)).toEqual(['session.started']);
  });

  it.each([
    ['seven characters', '1234567'],
    ['a thousand and one', 'x'.repeat(1001)],
    ['seven characters outside the basic plane', '😀'.repeat(7)],
  ])('rejects a new password of %s', async (_name, password) => {
    const person = await newPerson();
    const answer = await change(person.token, PASSWORD, password);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'newPassword']);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(200);
  });
});

describe('at the same time as a deactivation', () => {
  it('waits for it without a deadlock, and leaves no session behind: 401', async () => {
    const person = await newPerson();
    const { answering } = await service.db.transaction().execute(async (transaction) => {
      await lockMembersAndOwners(transaction, acme.id, [person.userId]);
      const answering = change(person.token);
      await untilWaiting(service.db, 1);
      const operator = operatorOf(acme.id, service.clock.now());
      await alterMember(transaction, 'owner', operator, { userId: person.userId, active: false });
      return { answering };
    });
    const answer = await answering;
    expect([answer.status, sessionCookie(answer)]).toEqual([401, undefined]);
    const left = await service.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', person.userId)
      .where('organization_id', '=', acme.id)
      .execute();
    expect(left).toEqual([]);
    expect((await signInFrom(service, { email: person.email, password: NEW })).status).toBe(401);
  });
});

describe('the operator’s reset', () => {
  it('ends every session, unlocks the account immediately, and is recorded in each organization', async () => {
    const person = await newPerson();
    for (let count = 0; count < 11; count += 1)
      await signInFrom(service, { email: person.email, password: 'wrong' });
    const audit = await followAudit(service.db);
    const at = service.clock.now();
    await resetPassword(
      service.db,
      { id: person.userId, name: person.name, email: person.email },
      NEW,
      [operatorOf(acme.id, at), operatorOf(globex.id, at)],
      at,
    );
    for (const token of [person.token, person.inGlobex.token]) {
      expect((await service.call(getSession, {}, { session: token })).status).toBe(401);
    }
    expect((await audit()).map(({ action, kind, organizationId }) => [action, kind, organizationId])).toEqual(
      [
        ['password.reset', 'operator', acme.id],
        ['password.reset', 'operator', globex.id],
      ],
    );
    expect((await signInFrom(service, { email: person.email, password: NEW })).status).toBe(200);
  });
});
