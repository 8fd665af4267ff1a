/** Changing your own name and email address over HTTP, by status. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser, PASSWORD, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { BEHIND_PROXY, signInFrom } from '../../../../test/helpers/service/sign-in-requests.ts';
import { recordSessionEvent } from '../../planner-events/record-session-event.ts';
import { getSession } from '../sessions/get-session.ts';
import { changeProfile } from './change-profile.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, clock, db, globex } = service;

let made = 0;
async function newPerson(): Promise<Person> {
  made += 1;
  const user = await makeUser(db, { name: `P ${made}`, email: `p${made}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}
const change = (person: Person, input: Record<string, unknown>) =>
  service.call(changeProfile, input, withSession(person));

describe('200', () => {
  it('a new name needs no password, and is recorded in each organization', async () => {
    const person = await newPerson();
    const user = { id: person.userId, name: person.name, email: person.email };
    await makePerson(db, globex.id, user, 'member', clock.now());
    const audit = await followAudit(db);
    const answer = await change(person, { name: 'Grace Hopper' });
    expect([answer.status, answer.body.user.name]).toEqual([200, 'Grace Hopper']);
    const records = await audit();
    expect(records.map(({ organizationId }) => organizationId).sort()).toEqual([acme.id, globex.id].sort());
    expect(records[0]).toMatchObject({
      action: 'profile.changed',
      subjectId: person.userId,
      detail: { name: { from: person.name, to: 'Grace Hopper' } },
    });
  });

  it('a new address is used to sign in; sessions and keys keep working', async () => {
    const person = await newPerson();
    const email = `new${made}@acme.example`;
    const answer = await change(person, { email: email.toUpperCase(), currentPassword: PASSWORD });
    expect([answer.status, answer.body.user.email]).toEqual([200, email]);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(200);
    const event = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
    expect((await service.call(recordSessionEvent, event, withKey(person))).status).toBe(204);
    expect((await signInFrom(service, { email })).status).toBe(200);
    expect((await signInFrom(service, person)).status).toBe(401);
  });

  it('two new addresses at once: every address is remembered', async () => {
    const person = await newPerson();
    const emails = [`left${made}@acme.example`, `right${made}@acme.example`];
    const answers = await Promise.all(
      emails.map((email) => change(person, { email, currentPassword: PASSWORD })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { rows } = await sql<{ email: string }>`SELECT email FROM users WHERE id = ${person.userId}
      UNION ALL SELECT email FROM former_emails WHERE user_id = ${person.userId}`.execute(db);
    expect(rows.map(({ email }) => email).toSorted()).toEqual([...emails, person.email].toSorted());
  });

  it('the same values, or none, change nothing and are not recorded', async () => {
    const person = await newPerson();
    const audit = await followAudit(db);
    expect((await change(person, { name: person.name, email: person.email })).status).toBe(200);
    expect((await change(person, {})).status).toBe(200);
    expect(await audit()).toEqual([]);
  });
});

describe('400', () => {
  it('a new address without the current password, or with a wrong one', async () => {
    const person = await newPerson();
    const email = `other${made}@acme.example`;
    for (const currentPassword of [undefined, '', 'not this one']) {
      const answer = await change(person, { email, currentPassword });
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'currentPassword']);
    }
    expect((await signInFrom(service, person)).status).toBe(200);
  });

  it('an empty name, and an invalid address', async () => {
    const person = await newPerson();
    const answer = await change(person, { name: ' ', email: 'nobody', currentPassword: PASSWORD });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'email']);
  });
});

describe('invisible characters', () => {
  it.each([
    ['a zero-width space alone', { name: '\u200b' }],
    ['joiners alone', { name: '\u200d\u200c' }],
    ['an override of the direction', { name: 'Ada\u202eLovelace' }],
    ['tags', { name: 'Ada\u{e0041}' }],
    ['a zero-width space in an address', { email: 'a\u200bda@acme.example', currentPassword: PASSWORD }],
  ])('are 400: %s', async (_what, input) => {
    const answer = await change(await newPerson(), input);
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      400,
      'must not contain invisible characters',
    ]);
  });

  it.each(['می\u200cخواهم', 'Ada ❤\ufe0f'])(
    'are allowed where a name is written with them: %s',
    async (name) => {
      expect((await change(await newPerson(), { name })).body.user.name).toBe(name);
    },
  );
});

describe('409', () => {
  it('an address of another account, and the second of two concurrent requests for the same one', async () => {
    const [first, second] = [await newPerson(), await newPerson()];
    const taken = await change(first, { email: acme.owner.email, currentPassword: PASSWORD });
    expect([taken.status, taken.body.code]).toEqual([409, 'conflict']);
    const email = `wanted${made}@acme.example`;
    const answers = await Promise.all(
      [first, second].map((person) => change(person, { email, currentPassword: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
