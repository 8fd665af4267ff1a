/** How guessing is slowed down, over HTTP. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startAnotherNode } from '../../../test/another-node.ts';
import { makePerson, makeUser, PASSWORD } from '../../../test/factories.ts';
import { startTestService, withSession } from '../../../test/harness.ts';
import { BEHIND_PROXY, freshAddress, sessionCookie, signInFrom } from '../../../test/visitor.ts';
import { untilWaiting } from '../../../test/waiting.ts';
import { changePassword, deleteOldAttempts } from './index.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const MINUTE_MS = 60 * 1000;
const WINDOW_MS = 15 * MINUTE_MS;

let made = 0;
async function newPerson() {
  made += 1;
  const now = service.clock.now();
  const user = await makeUser(service.db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  return makePerson(service.db, service.acme.id, user, 'member', now);
}

/** Wrong passwords one after the other; gives the statuses. */
async function guess(email: string, times: number, address?: () => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const answer = await signInFrom(service, { email, password: `guess ${count}` }, address?.());
    statuses.push(answer.status);
  }
  return statuses;
}

describe('429', () => {
  it('refuses the eleventh attempt on an account, even with the right password and from elsewhere', async () => {
    const { email } = await newPerson();
    expect(await guess(email, 10)).toEqual(Array(10).fill(401));
    const answer = await signInFrom(service, { email });
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    expect(sessionCookie(answer)).toBeUndefined();
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
  });

  it('says the same for an address that nobody has', async () => {
    const { email } = await newPerson();
    await guess(email, 10);
    await guess('unknown@acme.example', 10);
    const [known, unknown] = [
      await signInFrom(service, { email }),
      await signInFrom(service, { email: 'unknown@acme.example' }),
    ];
    expect([known.status, unknown.status]).toEqual([429, 429]);
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' });
  });

  it('counts the address in any case as one account', async () => {
    const { email } = await newPerson();
    await guess(email, 5);
    await guess(email.toUpperCase(), 5);
    expect((await signInFrom(service, { email })).status).toBe(429);
  });

  it('counts every one of thirty guesses made at once', async () => {
    const { email } = await newPerson();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => signInFrom(service, { email, password: `guess ${index}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('refuses a network after a hundred attempts on any accounts; an IPv6 network is a /64', async () => {
    let host = 0;
    const inNetwork = () => `2001:db8:0:1::${(host++).toString(16)}`;
    const guesses = Array.from({ length: 10 }, (_, round) =>
      guess(`someone${round}@acme.example`, 10, inNetwork),
    );
    expect((await Promise.all(guesses)).flat()).toEqual(Array(100).fill(401));
    const { email } = await newPerson();
    const refused = await signInFrom(service, { email }, inNetwork());
    expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([429, true]);
    expect((await signInFrom(service, { email }, '2001:db8:0:2::1')).status).toBe(200);
  });

  it('does not let a network that was refused lock anybody out', async () => {
    const address = freshAddress();
    await service.db
      .insertInto('sign_in_attempts')
      .values({
        bucket: `network ${address}`,
        attempts: 100,
        window_ends_at: new Date(service.clock.now().getTime() + WINDOW_MS),
      })
      .execute();
    const { email } = await newPerson();
    expect(await guess(email, 12, () => address)).toEqual(Array(12).fill(429));
    expect((await signInFrom(service, { email })).status).toBe(200);
  });

  it('counts a wrong present password when the password is changed', async () => {
    const person = await newPerson();
    const change = (currentPassword: string) =>
      service.call(changePassword, { currentPassword, newPassword: 'a new password' }, withSession(person));
    for (let count = 0; count < 10; count += 1) expect((await change(`guess ${count}`)).status).toBe(400);
    expect((await change(PASSWORD)).status).toBe(429);
    expect((await signInFrom(service, person)).status).toBe(200);
  });

  it('does not keep a person who is signed in from changing a password, whatever others guess at the door', async () => {
    const person = await newPerson();
    await guess(person.email, 11);
    const answer = await service.call(
      changePassword,
      { currentPassword: PASSWORD, newPassword: 'a new password' },
      withSession(person),
    );
    expect(answer.status).toBe(200);
  });

  it('is counted in PostgreSQL: a second node refuses what the first one counted', async () => {
    const node = await startAnotherNode(service, BEHIND_PROXY);
    const { email } = await newPerson();
    expect(await guess(email, 10)).toEqual(Array(10).fill(401));
    const answer = await fetch(`${node.url}/api/v2/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(answer.status).toBe(429);
  });
});

describe('200', () => {
  it('lets the account in again when the window has passed', async () => {
    const { email } = await newPerson();
    await guess(email, 11);
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    expect((await signInFrom(service, { email })).status).toBe(429);
    service.clock.advance(MINUTE_MS + 1000);
    expect((await signInFrom(service, { email })).status).toBe(200);
  });

  it('is not put off by going on guessing: the window does not move', async () => {
    const { email } = await newPerson();
    await guess(email, 11);
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    await guess(email, 5);
    service.clock.advance(MINUTE_MS + 1000);
    expect((await signInFrom(service, { email })).status).toBe(200);
  });

  it('starts afresh with the right password, without giving the network more than its attempt back', async () => {
    const { email } = await newPerson();
    const address = freshAddress();
    await guess(email, 9, () => address);
    expect((await signInFrom(service, { email }, address)).status).toBe(200);
    expect(await guess(email, 10, () => address)).toEqual(Array(10).fill(401));
    const { attempts } = await service.db
      .selectFrom('sign_in_attempts')
      .select('attempts')
      .where('bucket', '=', `network ${address}`)
      .executeTakeFirstOrThrow();
    expect(attempts).toBe(19);
  });

  it('lets many sign in at once from one network without getting in each other’s way', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, newPerson));
    const address = freshAddress();
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        people.flatMap(({ email }) => [
          signInFrom(service, { email }, address),
          signInFrom(service, { email }, address),
          signInFrom(service, { email, password: 'wrong' }, address),
        ]),
      );
      for (const { status } of answers) expect([200, 401]).toContain(status);
    }
  });
});

describe('counting', () => {
  it.each(['account', 'network'])(
    'holds no other count while it waits for that of the %s: no two ever wait for each other',
    async (first) => {
      const { email } = await newPerson();
      const address = freshAddress();
      const buckets = [`account ${email}`, `network ${address}`];
      if (first === 'network') buckets.reverse();
      await guess(email, 1, () => address);
      const { signingIn } = await service.db.transaction().execute(async (transaction) => {
        const held = (bucket: string) =>
          sql`SELECT 1 FROM sign_in_attempts WHERE bucket = ${bucket} FOR UPDATE NOWAIT`.execute(transaction);
        await held(buckets[0]!);
        const signingIn = signInFrom(service, { email }, address);
        await untilWaiting(service.db, 1);
        await held(buckets[1]!);
        return { signingIn };
      });
      expect((await signingIn).status).toBe(200);
    },
  );
});

describe('forgetting', () => {
  it('drops what is past its window and keeps what is not', async () => {
    await service.db.deleteFrom('sign_in_attempts').execute();
    const [old, recent] = [await newPerson(), await newPerson()];
    await guess(old.email, 1, () => '192.0.2.1');
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    await guess(recent.email, 1, () => '192.0.2.2');
    service.clock.advance(2 * MINUTE_MS);
    await deleteOldAttempts(service.db, service.clock.now());
    const left = await service.db.selectFrom('sign_in_attempts').select('bucket').orderBy('bucket').execute();
    expect(left.map(({ bucket }) => bucket)).toEqual([`account ${recent.email}`, 'network 192.0.2.2']);
  });
});
