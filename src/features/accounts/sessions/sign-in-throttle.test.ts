/** How guessing is slowed down, over HTTP. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { untilWaiting } from '../../../../test/helpers/database/waiting.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { makePerson, makeUser, PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import {
  BEHIND_PROXY,
  freshAddress,
  sessionCookie,
  signInFrom,
} from '../../../../test/helpers/service/sign-in-requests.ts';
import { changePassword } from './change-password.ts';
import { deleteOldAttempts } from './sign-in-attempt-store.ts';
import { WINDOW_MS } from './sign-in-limits.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const MINUTE_MS = 60 * 1000;

let made = 0;
async function newPerson() {
  made += 1;
  const now = service.clock.now();
  const user = await makeUser(service.db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  return makePerson(service.db, service.acme.id, user, 'member', now);
}

/** Wrong passwords one after the other; gives the statuses. */
async function guess(email: string, times: number, address = freshAddress): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const answer = await signInFrom(service, { email, password: `guess ${count}` }, address());
    statuses.push(answer.status);
  }
  return statuses;
}

/** As if so many attempts had been made just now. */
async function countedBefore(bucket: string, attempts: number): Promise<void> {
  const window_ends_at = new Date(service.clock.now().getTime() + WINDOW_MS);
  await service.db
    .insertInto('sign_in_attempts')
    .values({ bucket, attempts, window_ends_at })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ attempts }))
    .execute();
}

/** The cookies of a browser that has signed in once, as it sends them after signing out. */
async function deviceOf(person: { email: string }): Promise<string> {
  const answer = await signInFrom(service, person);
  const cookie = answer.headers.getSetCookie().find((header) => header.startsWith('countersign-device='));
  return cookie!.split(';', 1)[0]!;
}
const signInWith = (device: string, who: { email: string; password?: string }, address = freshAddress()) =>
  service.request('POST', '/api/v2/session', {
    body: { email: who.email, password: who.password ?? PASSWORD },
    headers: { 'x-forwarded-for': address, cookie: device },
  });

describe('429', () => {
  it('refuses the eleventh attempt on an account from a network, even with the right password', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    expect(await guess(email, 10, () => here)).toEqual(Array(10).fill(401));
    const answer = await signInFrom(service, { email }, here);
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    expect(sessionCookie(answer)).toBeUndefined();
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
  });

  it('refuses unknown devices after fifty attempts on an account, however many networks they come from', async () => {
    const { email } = await newPerson();
    await countedBefore(`account ${email}`, 47);
    expect(await guess(email, 3)).toEqual(Array(3).fill(401));
    expect((await signInFrom(service, { email })).status).toBe(429);
  });

  it('limits a known device too', async () => {
    const person = await newPerson();
    const device = await deviceOf(person);
    for (let count = 0; count < 10; count += 1) {
      const password = `guess ${count}`;
      expect((await signInWith(device, { ...person, password })).status).toBe(401);
    }
    expect((await signInWith(device, person)).status).toBe(429);
    expect((await signInFrom(service, person)).status, 'the others are not affected').toBe(200);
  });

  it('accepts no device token of another account, and no modified one', async () => {
    const [owner, other] = [await newPerson(), await newPerson()];
    const [owners, others] = [await deviceOf(owner), await deviceOf(other)];
    await countedBefore(`account ${owner.email}`, 50);
    const changed = owners.slice(0, -4) + (owners.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const device of [others, changed, 'countersign-device=rubbish', 'countersign-device=']) {
      expect((await signInWith(device, owner)).status).toBe(429);
    }
    expect((await signInWith(owners, owner)).status).toBe(200);
  });

  it('is the same for an unknown address', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    for (const account of [email, 'unknown@acme.example']) {
      await countedBefore(`account ${account} network ${here}`, 10);
    }
    const [known, unknown] = [
      await signInFrom(service, { email }, here),
      await signInFrom(service, { email: 'unknown@acme.example' }, here),
    ];
    expect([known.status, unknown.status]).toEqual([429, 429]);
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...known.body, requestId: '' });
  });

  it('counts an address in upper and lower case as one account', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    await guess(email, 5, () => here);
    await guess(email.toUpperCase(), 5, () => here);
    expect((await signInFrom(service, { email }, here)).status).toBe(429);
  });

  it('counts each of thirty concurrent attempts', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        signInFrom(service, { email, password: `guess ${index}` }, here),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('waits no longer than the window when the clock was set back', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    await guess(email, 10, () => here);
    service.clock.advance(-2 * 60 * MINUTE_MS);
    const answer = await signInFrom(service, { email }, here);
    service.clock.advance(2 * 60 * MINUTE_MS);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
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

  it('does not let a refused network lock anyone out', async () => {
    const address = freshAddress();
    await countedBefore(`network ${address}`, 100);
    const { email } = await newPerson();
    expect(await guess(email, 12, () => address)).toEqual(Array(12).fill(429));
    expect((await signInFrom(service, { email })).status).toBe(200);
  });

  it('counts a wrong current password when the password is changed', async () => {
    const person = await newPerson();
    const change = (currentPassword: string) =>
      service.call(changePassword, { currentPassword, newPassword: 'a new password' }, withSession(person));
    for (let count = 0; count < 10; count += 1) expect((await change(`guess ${count}`)).status).toBe(400);
    expect((await change(PASSWORD)).status).toBe(429);
    expect((await signInFrom(service, person)).status).toBe(200);
  });

  it('does not prevent a signed-in person from changing the password, whatever others guess', async () => {
    const person = await newPerson();
    await countedBefore(`account ${person.email}`, 50);
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
    await countedBefore(`account ${email} network 127.0.0.1`, 9);
    expect(await guess(email, 1, () => '127.0.0.1')).toEqual([401]);
    const answer = await fetch(`${node.url}/api/v2/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(answer.status).toBe(429);
  });
});

describe('200', () => {
  it('lets the owner sign in from another network, and from a known device anywhere, whatever a stranger guesses', async () => {
    const person = await newPerson();
    const device = await deviceOf(person);
    const here = freshAddress();
    await guess(person.email, 11, () => here);
    expect((await signInFrom(service, person)).status, 'another network').toBe(200);
    await service.db
      .updateTable('sign_in_attempts')
      .set({ attempts: 50 })
      .where('bucket', '=', `account ${person.email}`)
      .execute();
    expect((await signInFrom(service, person)).status, 'an unknown device').toBe(429);
    expect((await signInWith(device, person, here)).status, 'the same network').toBe(200);
  });

  it('lets the account sign in again after the window', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    await guess(email, 11, () => here);
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    expect((await signInFrom(service, { email }, here)).status).toBe(429);
    service.clock.advance(MINUTE_MS + 1000);
    expect((await signInFrom(service, { email }, here)).status).toBe(200);
  });

  it('is not delayed by more guesses: the window does not move', async () => {
    const { email } = await newPerson();
    const here = freshAddress();
    await guess(email, 11, () => here);
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    await guess(email, 5, () => here);
    service.clock.advance(MINUTE_MS + 1000);
    expect((await signInFrom(service, { email }, here)).status).toBe(200);
  });

  it('resets the count after the right password, and gives the network only that attempt back', async () => {
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

  it('lets many people sign in at the same time from one network', async () => {
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
  it('deletes counts after their window and keeps the others', async () => {
    await service.db.deleteFrom('sign_in_attempts').execute();
    const [old, recent] = [await newPerson(), await newPerson()];
    await guess(old.email, 1, () => '192.0.2.1');
    service.clock.advance(WINDOW_MS - MINUTE_MS);
    await guess(recent.email, 1, () => '192.0.2.2');
    service.clock.advance(2 * MINUTE_MS);
    await deleteOldAttempts(service.db, service.clock.now());
    const left = await service.db.selectFrom('sign_in_attempts').select('bucket').orderBy('bucket').execute();
    expect(left.map(({ bucket }) => bucket)).toEqual([
      `account ${recent.email}`,
      `account ${recent.email} network 192.0.2.2`,
      'network 192.0.2.2',
    ]);
  });
});
