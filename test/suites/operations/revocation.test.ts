/**
 * Revocation is immediate on every node: two server processes on one database, one under load with the credential, the
 * other revokes it. No request that starts after the reply is accepted.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { endProcesses, startService } from '../../helpers/processes/countersign-process.ts';
import { cleanUp } from '../../helpers/processes/real-processes.ts';
import { makeOrganization, makePerson, makeUser, type Person } from '../../helpers/service/factories.ts';

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 4, onConnectionLost: () => undefined });
const { db } = database;
const acme = await makeOrganization(db, 'Acme', new Date());
const env = { DATABASE_URL: urlOf(connection), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
const [a, b] = await Promise.all([startService({ env }), startService({ env })]);

afterAll(async () => {
  await endProcesses();
  await cleanUp();
  await database.close();
});

const CALLERS_AT_ONCE = 16;
const BEFORE = 100;
const AFTER = 400;
const EVENT = JSON.stringify({ sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' });

interface Seen {
  startedMs: number;
  status: number;
}

/** Concurrent callers that send requests one after another until they are stopped. */
function load(send: () => Promise<Response>) {
  const seen: Seen[] = [];
  const watchers = new Set<() => void>();
  let going = true;
  const caller = async () => {
    while (going) {
      const startedMs = performance.now();
      const response = await send();
      await response.arrayBuffer();
      seen.push({ startedMs, status: response.status });
      for (const watcher of watchers) watcher();
    }
  };
  const ended = Promise.all(Array.from({ length: CALLERS_AT_ONCE }, caller));
  return {
    seen,
    /** Resolves when enough observations match. */
    until: (fits: (seen: Seen) => boolean, count: number) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (seen.filter(fits).length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        ended.catch(reject);
      }),
    async end() {
      going = false;
      await ended;
    },
  };
}

const callWithKey = (url: string, key: string) => () =>
  fetch(`${url}/api/v2/mcp-sessions/events`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: EVENT,
  });

const useSession = (url: string, token: string) => () =>
  fetch(`${url}/api/v2/session`, { headers: { cookie: `countersign=${token}` } });

/** Revokes a credential on one node while the other is under load with it; returns the replies before and after. */
async function endUnderLoad(send: () => Promise<Response>, end: () => Promise<Response>) {
  const callers = load(send);
  await callers.until(({ status }) => status < 300, BEFORE);
  const reply = await end();
  const repliedMs = performance.now();
  expect(reply.status).toBeLessThan(300);
  await callers.until(({ startedMs }) => startedMs > repliedMs, AFTER);
  await callers.end();
  return {
    before: callers.seen.filter(({ startedMs }) => startedMs <= repliedMs),
    after: callers.seen.filter(({ startedMs }) => startedMs > repliedMs),
  };
}

function expectEnded({ after, before }: { before: Seen[]; after: Seen[] }): void {
  expect(before.filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(BEFORE);
  for (const { status } of before) expect([200, 204, 401]).toContain(status);
  expect(after.length).toBeGreaterThanOrEqual(AFTER);
  expect(after.filter(({ status }) => status !== 401)).toEqual([]);
}

const ask = (method: string, path: string, by: Person, body?: unknown) =>
  fetch(a.url + path, {
    method,
    headers: { cookie: `countersign=${by.token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

let made = 0;
async function newPerson(): Promise<Person> {
  made += 1;
  const now = new Date();
  const user = await makeUser(db, { name: `P ${made}`, email: `p${made}@acme.example` }, now);
  return makePerson(db, acme.id, user, 'member', now);
}

/** Another user's key is used on the same node the whole time. */
async function withControl(run: () => Promise<void>): Promise<void> {
  const control = load(callWithKey(b.url, acme.admin.key));
  await run();
  await control.until(() => true, BEFORE);
  await control.end();
  expect(control.seen.filter(({ status }) => status !== 204)).toEqual([]);
}

describe('on the other node, under load', () => {
  it('no request with a revoked key is accepted', async () => {
    const person = await newPerson();
    await withControl(async () => {
      const seen = await endUnderLoad(callWithKey(b.url, person.key), () =>
        ask('DELETE', `/api/v2/api-keys/${person.keyId}`, person),
      );
      expectEnded(seen);
    });
    expect((await useSession(b.url, person.token)()).status).toBe(200);
  });

  it('no request with a key of a deactivated user is accepted', async () => {
    const person = await newPerson();
    await withControl(async () => {
      const seen = await endUnderLoad(callWithKey(b.url, person.key), () =>
        ask('PATCH', `/api/v2/members/${person.userId}`, acme.owner, { active: false }),
      );
      expectEnded(seen);
    });
  });

  it('no request with a session of a deactivated user is accepted', async () => {
    const person = await newPerson();
    const seen = await endUnderLoad(useSession(b.url, person.token), () =>
      ask('PATCH', `/api/v2/members/${person.userId}`, acme.owner, { active: false }),
    );
    expectEnded(seen);
  });

  it('no request with a signed-out session is accepted', async () => {
    const person = await newPerson();
    const seen = await endUnderLoad(useSession(b.url, person.token), () =>
      ask('DELETE', '/api/v2/session', person),
    );
    expectEnded(seen);
  });

  it('a key whose owner gets a lower role is limited to that role', async () => {
    const person = await newPerson();
    const callers = load(callWithKey(b.url, person.key));
    await callers.until(({ status }) => status === 204, BEFORE);
    const reply = await ask('PATCH', `/api/v2/members/${person.userId}`, acme.owner, { role: 'viewer' });
    const repliedMs = performance.now();
    expect(reply.status).toBe(200);
    await callers.until(({ startedMs }) => startedMs > repliedMs, AFTER);
    await callers.end();
    const after = callers.seen.filter(({ startedMs }) => startedMs > repliedMs);
    expect(after.filter(({ status }) => status !== 403)).toEqual([]);
  });
});
