/** API keys over HTTP: created, listed, used and revoked; by status. */
import { describe, expect, it } from 'vitest';
import { startAnotherNode } from '../../../test/helpers/service/another-node.ts';
import { followAudit } from '../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser } from '../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import type { Role } from '../../platform/core/operations/actor.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import { changeMember } from '../accounts/members/change-member.ts';
import { listMembers } from '../accounts/members/list-members.ts';
import { getSession } from '../accounts/sessions/get-session.ts';
import { listSessions } from '../accounts/sessions/list-sessions.ts';
import { operatorOf } from '../audit/index.ts';
import { listAuditEvents } from '../audit/list-audit-events.ts';
import { recordSessionEvent } from '../planner-events/record-session-event.ts';
import { createApiKey } from './create-api-key.ts';
import { generateApiKey } from './index.ts';
import { newKeySecret } from './key-format.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const service = await startTestService();
const { acme, globex } = service;
const EVENT = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

let made = 0;
async function newPerson(role: Role = 'member', organizationId = acme.id) {
  made += 1;
  const now = service.clock.now();
  const user = { name: `P ${made}`, email: `p${made}@acme.example` };
  return makePerson(service.db, organizationId, await makeUser(service.db, user, now), role, now);
}

type Person = Awaited<ReturnType<typeof newPerson>>;
const create = (person: Person, name = 'CI') => service.call(createApiKey, { name }, withSession(person));
const use = (key: string) => service.call(recordSessionEvent, EVENT, { key });
const listed = async (person: Person) =>
  (await service.call(listApiKeys, {}, withSession(person))).body.keys as Record<string, string | null>[];

describe('creating', () => {
  it('201: returns a secret that works immediately, and never returns it again', async () => {
    const person = await newPerson('admin');
    const answer = await create(person, 'Nightly build 🌙');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { key, secret } = answer.body;
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Nightly build 🌙',
      prefix: secret.slice(0, 8),
      lastFour: secret.slice(-4),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await use(secret)).status).toBe(204);
    const hash = hashOf(secret);
    for (const operation of [listApiKeys, listSessions, listMembers, getSession, listAuditEvents]) {
      const { body, status } = await service.call(operation, {}, withSession(person));
      expect(status).toBe(200);
      expectNothingOf(body, secret, hash);
    }
    const revoked = await service.call(revokeApiKey, { keyId: key.id }, withSession(person));
    expect(revoked.status).toBe(200);
    expectNothingOf(revoked.body, secret, hash);
  });

  it('201: stores a SHA-256 hash, and the secret in no table', async () => {
    const { secret, key } = (await create(await newPerson())).body;
    const row = await service.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', key.id)
      .executeTakeFirstOrThrow();
    expect(row.hash.equals(hashOf(secret))).toBe(true);
    expect(row.hash).toHaveLength(32);
    for (const table of ['api_keys', 'audit_events', 'sessions', 'idempotent_replies'] as const) {
      const rows = await service.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(secret.slice(8, -4));
    }
  });

  it('201: is recorded with its name, not its secret', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    const { key, secret } = (await create(person)).body;
    const records = await audit();
    expect(records).toEqual([
      {
        action: 'api_key.created',
        organizationId: acme.id,
        kind: 'session',
        userId: person.userId,
        subjectId: key.id,
        subjectName: 'CI',
        detail: {},
      },
    ]);
    expect(JSON.stringify(records)).not.toContain(secret);
  });

  it('201: is never replayed: an Idempotency-Key makes no difference', async () => {
    const person = await newPerson();
    const send = () =>
      service.request('POST', '/api/v2/api-keys', {
        as: withSession(person),
        body: { name: 'CI' },
        headers: { 'idempotency-key': 'one' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.secret).not.toBe(second.body.secret);
  });

  it.each([
    ['nothing', undefined],
    ['nothing but white space', ' \n'],
    ['more than 200 characters', '🌙'.repeat(201)],
    ['a NUL', 'a\0b'],
    ['half a surrogate pair', 'a\ud800'],
    ['a number', 7],
  ])('400: a name that is %s', async (_name, name) => {
    const person = await newPerson();
    const answer = await service.call(createApiKey, { name }, withSession(person));
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'name']);
    expect(await listed(person)).toHaveLength(1);
  });

  it('201: a name of 200 characters outside the basic plane', async () => {
    expect((await create(await newPerson(), '🌙'.repeat(200))).status).toBe(201);
  });

  it('403: a key cannot create a key', async () => {
    const person = await newPerson('owner');
    const answer = await service.call(createApiKey, { name: 'CI' }, withKey(person));
    expect([answer.status, answer.body.code]).toEqual([403, 'key_not_accepted']);
    expect(await listed(person)).toHaveLength(1);
  });

  it('409: at most a hundred active keys, even with twenty concurrent requests; revoked ones do not count', async () => {
    const person = await newPerson();
    const source = operatorOf(acme.id, service.clock.now());
    for (let count = 1; count < 95; count += 1) await generateApiKey(service.db, person, `${count}`, source);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(person)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(15);
    await service.call(revokeApiKey, { keyId: person.keyId }, withSession(person));
    expect([(await create(person)).status, (await create(person)).status]).toEqual([201, 409]);
    expect((await create(await newPerson())).status).toBe(201);
  });
});

describe('listing', () => {
  it('200: shows the caller’s own keys in pages, newest first, revoked ones too', async () => {
    const person = await newPerson();
    const ids = [person.keyId];
    for (let count = 0; count < 4; count += 1) ids.unshift((await create(person, `${count}`)).body.key.id);
    await service.call(revokeApiKey, { keyId: ids[1] }, withSession(person));
    const first = await service.call(listApiKeys, { limit: 3 }, withSession(person));
    const second = await service.call(
      listApiKeys,
      { limit: 3, cursor: first.body.nextCursor },
      withSession(person),
    );
    const keys = [...first.body.keys, ...second.body.keys];
    expect(keys.map(({ id }) => id)).toEqual(ids);
    expect(keys.map(({ revokedAt }) => revokedAt !== null)).toEqual([false, true, false, false, false]);
    expect(second.body.nextCursor).toBeNull();
    expect(Object.keys(keys[0]).sort()).toEqual([
      'createdAt',
      'id',
      'lastFour',
      'lastUsedAt',
      'name',
      'prefix',
      'revokedAt',
    ]);
  });

  it('200: shows no keys of others, even to an owner, nor the person’s own in another organization', async () => {
    const person = await newPerson();
    const user = { id: person.userId, name: person.name, email: person.email };
    const inGlobex = await makePerson(service.db, globex.id, user, 'member', service.clock.now());
    expect((await listed(person)).map(({ id }) => id)).toEqual([person.keyId]);
    expect((await listed(inGlobex)).map(({ id }) => id)).toEqual([inGlobex.keyId]);
    expect((await listed(acme.owner)).map(({ id }) => id)).toEqual([acme.owner.keyId]);
  });

  it('200: says when a key was last used, written at most once a minute and with the next flush', async () => {
    const person = await newPerson();
    const lastUsed = async () => (await listed(person))[0]!.lastUsedAt;
    await use(person.key);
    expect(await lastUsed()).toBeNull();
    await service.flush();
    const first = await lastUsed();
    expect(Math.abs(Date.parse(first!) - service.clock.now().getTime())).toBeLessThan(60_000);
    service.clock.advance(30_000);
    await use(person.key);
    await service.flush();
    expect(await lastUsed()).toBe(first);
    service.clock.advance(31_000);
    await service.flush();
    await use(person.key);
    await service.flush();
    expect(Date.parse((await lastUsed())!) - Date.parse(first!)).toBeGreaterThanOrEqual(60_000);
  });

  it('200: two nodes together write it at most once a minute', async () => {
    const node = await startAnotherNode(service);
    const person = await newPerson();
    await use(person.key);
    await service.flush();
    const [first] = await listed(person);
    service.clock.advance(20_000);
    const answer = await fetch(`${node.url}/api/v2/mcp-sessions/events`, {
      method: 'POST',
      headers: { 'x-api-key': person.key, 'content-type': 'application/json' },
      body: JSON.stringify(EVENT),
    });
    expect(answer.status).toBe(204);
    await node.flush();
    expect((await listed(person))[0]!.lastUsedAt).toBe(first!.lastUsedAt);
  });

  it('200: a key that was never used, or was refused, has no last use', async () => {
    const person = await newPerson();
    await use(newKeySecret());
    await service.call(revokeApiKey, { keyId: person.keyId }, withSession(person));
    await use(person.key);
    await service.flush();
    expect((await listed(person))[0]!.lastUsedAt).toBeNull();
  });
});

describe('using', () => {
  it('401: is the same for a key that is missing, malformed, mistyped, unknown, revoked or of a deactivated user', async () => {
    const [revoked, gone] = [await newPerson(), await newPerson()];
    await service.call(revokeApiKey, { keyId: revoked.keyId }, withSession(revoked));
    await service.call(changeMember, { userId: gone.userId, active: false }, withSession(acme.owner));
    const typo = acme.member.key.slice(0, -1) + (acme.member.key.endsWith('0') ? '1' : '0');
    const keys = ['', 'csk_', typo, newKeySecret(), revoked.key, gone.key, `${acme.member.key},x`];
    const missing = await service.call(recordSessionEvent, EVENT, 'nobody');
    expect([missing.status, missing.body.code]).toEqual([401, 'unauthenticated']);
    for (const key of keys) {
      const answer = await use(key);
      expect(answer.status).toBe(401);
      expect({ ...answer.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="countersign"');
    }
  });

  it('401: an invalid key never falls back to a session cookie', async () => {
    const answer = await service.request('GET', '/api/v2/api-keys', {
      as: withSession(acme.owner),
      headers: { 'x-api-key': newKeySecret() },
    });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });
});

describe('revoking', () => {
  it('200: ends this key immediately on every node; other keys and sessions keep working', async () => {
    const node = await startAnotherNode(service);
    const person = await newPerson();
    const other = (await create(person)).body.secret;
    const elsewhere = (key: string) =>
      fetch(`${node.url}/api/v2/mcp-sessions/events`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(EVENT),
      });
    expect((await elsewhere(person.key)).status).toBe(204);
    const answer = await service.call(revokeApiKey, { keyId: person.keyId }, withSession(person));
    expect([answer.status, typeof answer.body.revokedAt]).toEqual([200, 'string']);
    expect([(await elsewhere(person.key)).status, (await elsewhere(other)).status]).toEqual([401, 204]);
    expect((await service.call(getSession, {}, withSession(person))).status).toBe(200);
  });

  it('200: repeating it changes and records nothing, even with many concurrent requests', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    const revoke = () => service.call(revokeApiKey, { keyId: person.keyId }, withSession(person));
    const answers = await Promise.all(Array.from({ length: 8 }, revoke));
    service.clock.advance(1000);
    answers.push(await revoke());
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([200, answers[0]!.body]);
    }
    expect(await audit()).toEqual([
      {
        action: 'api_key.revoked',
        organizationId: acme.id,
        kind: 'session',
        userId: person.userId,
        subjectId: person.keyId,
        subjectName: 'test key',
        detail: {},
      },
    ]);
  });

  it('404: a key of someone else, in this organization or another, even for an owner, and one that does not exist', async () => {
    const person = await newPerson();
    for (const caller of [acme.owner, globex.owner, acme.member]) {
      const answer = await service.call(revokeApiKey, { keyId: person.keyId }, withSession(caller));
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
    expect((await use(person.key)).status).toBe(204);
    const missing = await service.call(revokeApiKey, { keyId: UNKNOWN }, withSession(person));
    expect(missing.status).toBe(404);
  });

  it('400: an ID that is not a UUID', async () => {
    const answer = await service.call(revokeApiKey, { keyId: 'mine' }, withSession(acme.member));
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'keyId']);
  });
});

/** Neither the secret's hidden part nor its hash in any spelling. */
function expectNothingOf(body: unknown, secret: string, hash: Buffer): void {
  const text = JSON.stringify(body);
  expect(text).not.toContain(secret.slice(8, -4));
  for (const spelling of ['hex', 'base64', 'base64url'] as const)
    expect(text).not.toContain(hash.toString(spelling));
  expect(text).not.toMatch(/"hash"|"secret"/);
}
