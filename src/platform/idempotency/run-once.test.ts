/** Idempotency-Key over HTTP, by status: the first successful reply is repeated, and nothing is done twice. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makePerson, makeUser } from '../../../test/helpers/service/factories.ts';
import {
  type Credential,
  startTestService,
  withKey,
  withSession,
} from '../../../test/helpers/service/harness.ts';
import {
  countThings,
  createThings,
  makeThing,
  sampleOperations,
} from '../../../test/helpers/service/sample-operations.ts';
import { Problem } from '../core/errors/errors.ts';
import { hashOf } from '../core/text/secret-token.ts';
import { deleteOldReplies } from './index.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Runs while the request for the thing with this name is under way. */
const underWay = new Map<string, () => Promise<void>>();
const service = await startTestService({
  operations: [
    makeThing(async (name) => underWay.get(name)?.()),
    ...sampleOperations.filter(({ name }) => name !== 'make-thing'),
  ],
});
const { acme, clock, db, globex } = service;
await createThings(db);
const member = withKey(acme.member);

const make = (name: string, key: string, as: Credential = member, path = '/api/v2/test/things') =>
  service.request('POST', path, { as, body: { name }, headers: { 'idempotency-key': key } });

/** The reply as bytes, for comparing to the letter. */
async function makeRaw(name: string, key: string) {
  const response = await fetch(`${service.url}/api/v2/test/things`, {
    method: 'POST',
    headers: { 'x-api-key': acme.member.key, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name }),
  });
  const headers = ['content-type', 'cache-control'].map((header) => response.headers.get(header));
  return { status: response.status, headers, bytes: await response.text() };
}

describe('201', () => {
  it('replays the first reply byte for byte and does nothing twice', async () => {
    const first = await makeRaw('replayed ☃', 'k1');
    clock.advance(HOUR_MS);
    const second = await makeRaw('replayed ☃', 'k1');
    expect(first.status).toBe(201);
    expect(second).toEqual(first);
    expect(await countThings(db, 'replayed ☃')).toBe(1);
  });

  it('runs each time without a key', async () => {
    const request = () =>
      service.request('POST', '/api/v2/test/things', { as: member, body: { name: 'keyless' } });
    const [first, second] = [await request(), await request()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(await countThings(db, 'keyless')).toBe(2);
  });

  it('runs again under another key, for another path and for another caller', async () => {
    const colleague = withKey(acme.owner);
    const replies = [
      await make('independent', 'k2'),
      await make('independent', 'k3'),
      await make('independent', 'k2', colleague),
      await make('independent', 'k2', member, '/api/v2/test/things?other'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(4);
  });

  it('keeps two organizations separate, even for the same person', async () => {
    const user = await makeUser(db, { name: 'Both', email: 'both@example.com' }, clock.now());
    const here = await makePerson(db, acme.id, user, 'member', clock.now());
    const there = await makePerson(db, globex.id, user, 'member', clock.now());
    const inAcme = await make('apart', 'k4', withKey(here));
    const inGlobex = await make('apart', 'k4', withKey(there));
    expect([inAcme.status, inGlobex.status]).toEqual([201, 201]);
    expect(inGlobex.body.id).not.toBe(inAcme.body.id);
    const rows = await sql<{
      organization_id: string;
    }>`SELECT organization_id FROM things WHERE name = 'apart'`.execute(db);
    expect(rows.rows.map((row) => row.organization_id).toSorted()).toEqual([acme.id, globex.id].toSorted());
  });

  it('treats another key or session of the same person as the same caller', async () => {
    const first = await make('same person', 'k5');
    const second = await make('same person', 'k5', withSession(acme.member));
    expect(second.body).toEqual(first.body);
  });

  it('does not keep a failed attempt: the next one runs', async () => {
    underWay.set('stumbles', async () => {
      throw new Error('the first attempt fails after its row was written');
    });
    expect((await make('stumbles', 'k6')).status).toBe(500);
    expect(await countThings(db, 'stumbles')).toBe(0);
    underWay.set('stumbles', async () => {
      throw new Problem('conflict', 'the second is refused');
    });
    expect((await make('stumbles', 'k6')).status).toBe(409);
    underWay.delete('stumbles');
    expect((await make('stumbles', 'k6')).status).toBe(201);
    expect(await countThings(db, 'stumbles')).toBe(1);
  });

  it('does not keep an invalid request: the corrected one runs under the same key', async () => {
    expect((await make('', 'k7')).status).toBe(400);
    expect((await make('corrected', 'k7')).status).toBe(201);
  });

  it('replays for 24 hours and runs again after them', async () => {
    const first = await make('daily', 'k8');
    clock.advance(24 * HOUR_MS - 60_000);
    expect((await make('daily', 'k8')).body).toEqual(first.body);
    clock.advance(61_000);
    const next = await make('daily', 'k8');
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
    expect((await make('daily', 'k8')).body).toEqual(next.body);
    expect(await countThings(db, 'daily')).toBe(2);
  });

  it('accepts another body after 24 hours', async () => {
    expect((await make('yesterday', 'k9')).status).toBe(201);
    clock.advance(24 * HOUR_MS + 1000);
    expect((await make('today', 'k9')).status).toBe(201);
  });

  it.each([1, 255])('takes a key of %d characters', async (length) => {
    expect((await make(`key of ${length}`, 'k'.repeat(length))).status).toBe(201);
  });

  it('is ignored by operations that do not support it', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(300) };
    const answer = await service.request('GET', '/api/v2/test/large-thing?size=1', { as: member, headers });
    expect(answer.status).toBe(200);
  });
});

describe('20 at once', () => {
  it('write exactly one row: while one runs, all others get Retry-After', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let count = 0;
    underWay.set('crowd', () => {
      entered[Math.min(count, 1)]!.resolve();
      count += 1;
      return gate.promise;
    });
    const first = make('crowd', 'k10');
    await entered[0]!.promise;
    const others = Promise.all(Array.from({ length: 19 }, () => make('crowd', 'k10')));
    await Promise.race([others, entered[1]!.promise]);
    gate.resolve();
    const statuses = (await others).map(({ status }) => status);
    expect(statuses).toEqual(Array(19).fill(409));
    const { body, status } = await first;
    expect(status).toBe(201);
    expect(await countThings(db, 'crowd')).toBe(1);
    expect((await make('crowd', 'k10')).body).toEqual(body);
  });

  it('write exactly one row without delays: each gets the same reply or Retry-After', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make('rush', 'k16')));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.status).toBe(409);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await countThings(db, 'rush')).toBe(1);
  });
});

describe('400', () => {
  it.each([0, 256])('refuses a key of %d characters, and does nothing', async (length) => {
    const answer = await make(`refused ${length}`, 'k'.repeat(length));
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { path: 'Idempotency-Key', message: 'must have 1 to 255 characters' },
    ]);
    expect(await countThings(db, `refused ${length}`)).toBe(0);
  });

  it('lists an invalid key together with the other errors', async () => {
    const answer = await make('', '');
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['Idempotency-Key', 'name']);
  });
});

describe('401', () => {
  it('replays nothing to someone without a valid credential', async () => {
    await make('private', 'k11');
    expect((await make('private', 'k11', 'nobody')).status).toBe(401);
  });
});

describe('409', () => {
  it('refuses the same key with another body, and does nothing', async () => {
    await make('one', 'k12');
    const answer = await make('another', 'k12');
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('idempotency_conflict');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(await countThings(db, 'another')).toBe(0);
  });

  it('refuses a body that differs only in its bytes', async () => {
    await make('bytes', 'k13');
    const headers = { 'idempotency-key': 'k13', 'content-type': 'application/json' };
    const spaced = await service.request('POST', '/api/v2/test/things', {
      as: member,
      body: '{ "name":"bytes"}',
      headers,
    });
    expect(spaced.status).toBe(409);
  });

  it('refuses with Retry-After while the first is running, then replays it', async () => {
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    underWay.set('slow', () => {
      entered.resolve();
      return gate.promise;
    });
    const first = make('slow', 'k14');
    await entered.promise;

    const meanwhile = await make('slow', 'k14');
    expect(meanwhile.status).toBe(409);
    expect(meanwhile.body.code).toBe('idempotency_conflict');
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    expect((await make('unrelated', 'k15')).status).toBe(201);

    gate.resolve();
    const done = await first;
    expect(done.status).toBe(201);
    expect((await make('slow', 'k14')).body).toEqual(done.body);
    expect(await countThings(db, 'slow')).toBe(1);
  });
});

describe('what is kept', () => {
  it('contains the key only as a hash, and is deleted after 24 hours', async () => {
    await make('kept', 'a key that must not be stored');
    const kept = () => db.selectFrom('idempotent_replies').selectAll().execute();
    const rows = await kept();
    expect(rows.some((row) => row.body_hash.equals(hashOf('{"name":"kept"}')))).toBe(true);
    expect(
      JSON.stringify(rows.map((row) => ({ ...row, fingerprint: row.fingerprint.toString() }))),
    ).not.toContain('must not be stored');
    await deleteOldReplies(db, clock.now());
    expect((await kept()).length).toBeGreaterThan(0);
    clock.advance(24 * HOUR_MS);
    await deleteOldReplies(db, clock.now());
    expect(await kept()).toEqual([]);
  });
});
