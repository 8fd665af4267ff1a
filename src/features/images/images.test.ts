/** Images in comments: what is accepted, how it is served and to whom, the limits, and when it is deleted. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../test/helpers/rows/plan-rows.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { DAY_MS } from '../../platform/core/text/durations.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { IMAGE_LIMITS } from './contract.ts';
import { deleteUnusedImages, lockImagesToLookAt } from './image-store.ts';
import { cleanImages } from './jobs.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member, viewer } = acme;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const upload = (body: object, by: Person = member) =>
  service.request('POST', '/api/v2/images', { as: withSession(by), body });
const fetchAs = (address: string, by: Person) =>
  fetch(`${service.url}${address}`, { headers: { cookie: `countersign=${by.token}` } });

async function start(options: Parameters<typeof makeRepositoryRow>[2] = {}) {
  const repository = await makeRepositoryRow(service, acme.id, options);
  const { id: pullRequestId } = await makePullRequest(service, repository);
  const uploaded = await upload({ pullRequestId, base64: PNG.toString('base64') });
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
  return { pullRequestId, ...(uploaded.body as { id: string; address: string }) };
}
const comment = async (pullRequestId: string, body: string): Promise<string> => {
  const path = `/api/v2/pull-requests/${pullRequestId}/comments`;
  const answer = await service.request('POST', path, { as: withSession(member), body: { body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return `${path}/${answer.body.conversation.at(-1).id}`;
};
const change = (path: string, body?: object) =>
  service.request(body ? 'PATCH' : 'DELETE', path, { as: withSession(member), ...(body && { body }) });
/** How each of these people is answered. */
const statuses = (address: string, ...people: Person[]) =>
  Promise.all(people.map(async (person) => (await fetchAs(address, person)).status));
const exists = async (id: string) =>
  (await db.selectFrom('images').select('id').where('id', '=', id).execute()).length === 1;

it('serves exactly the bytes with the type that they are, which browsers may not guess or run', async () => {
  const { address } = await start();
  const response = await fetchAs(address, member);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': expect.stringContaining('private'),
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
});

describe('only readers', () => {
  it('of the pull request see it, and only members add some', async () => {
    const { address, pullRequestId } = await start({ members: [member] });
    expect(await statuses(address, member, admin), 'no text shows it').toEqual([200, 404]);
    await comment(pullRequestId, `![](${address})`);
    expect(await statuses(address, member, admin, viewer, globex.owner)).toEqual([200, 200, 404, 404]);
    expect((await fetch(`${service.url}${address}`)).status).toBe(401);
    expect((await service.request('GET', address, { as: withKey(admin) })).status).toBe(403);
    const base64 = PNG.toString('base64');
    expect((await upload({ pullRequestId, base64 }, globex.member)).status).toBe(404);
    const open = await start();
    expect((await upload({ pullRequestId: open.pullRequestId, base64 }, viewer)).status).toBe(403);
  });

  it('of the plan see it, until it is deleted', async () => {
    const plan = await makePlan(db, member);
    const base64 = PNG.toString('base64');
    const { body } = await upload({ seriesId: plan.seriesId, base64 });
    const path = `/api/v2/plans/${plan.seriesId}/comments`;
    const posted = { versionId: plan.versionId, body: `![](${body.address})` };
    await service.request('POST', path, { as: withSession(member), body: posted });
    expect(await statuses(body.address, viewer, globex.viewer)).toEqual([200, 404]);
    expect((await upload({ seriesId: plan.seriesId, base64 }, globex.owner)).status).toBe(404);
    await db.updateTable('plans').set({ status: 'deleted' }).where('series_id', '=', plan.seriesId).execute();
    expect((await fetchAs(body.address, viewer)).status).toBe(404);
  });
});

describe('refuses', () => {
  it('everything that is no image by its content, and what is too large', async () => {
    const { pullRequestId } = await start();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const content of [svg, page, Buffer.from('GIF'), Buffer.concat([Buffer.from(' '), PNG])]) {
      const answer = await upload({ pullRequestId, base64: content.toString('base64') });
      expect(answer.body.errors).toEqual([
        { path: 'base64', message: 'must be a PNG, JPEG, GIF or WebP image' },
      ]);
    }
    const large = Buffer.concat([PNG, Buffer.alloc(IMAGE_LIMITS.bytes - PNG.length + 1)]);
    expect((await upload({ pullRequestId, base64: large.toString('base64') })).status).toBe(400);
    const largest = large.subarray(0, IMAGE_LIMITS.bytes);
    expect((await upload({ pullRequestId, base64: largest.toString('base64') })).status).toBe(201);
    for (const body of [{ base64: 'no!' }, { base64: 'AAAA' }, { pullRequestId, base64: '' }])
      expect((await upload(body)).status).toBe(400);
    for (const [start, type] of [
      ['ffd8ffe0', 'image/jpeg'],
      ['474946383961', 'image/gif'],
      ['524946460000000057454250', 'image/webp'],
    ] as const) {
      const { body } = await upload({ pullRequestId, base64: Buffer.from(start, 'hex').toString('base64') });
      expect(body.mediaType).toBe(type);
    }
  });

  it('more than a pull request or the organization may have, also from two at once', async () => {
    const { id, pullRequestId } = await start();
    const base64 = PNG.toString('base64');
    const resize = (size: number) => db.updateTable('images').set({ size }).where('id', '=', id).execute();
    const { bytes } = await db
      .selectFrom('images')
      .select(({ fn }) => fn.sum<string>('size').as('bytes'))
      .where('organization_id', '=', acme.id)
      .executeTakeFirstOrThrow();
    await resize(IMAGE_LIMITS.organizationBytes - Number(bytes));
    const two = await Promise.all([upload({ pullRequestId, base64 }), upload({ pullRequestId, base64 })]);
    expect(two.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(two.find(({ status }) => status === 409)!.body.detail).toContain('no room left');
    await resize(PNG.length);
    const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const many = Array.from({ length: IMAGE_LIMITS.count - 2 }, () => ({ ...row, id: crypto.randomUUID() }));
    await db.insertInto('images').values(many).execute();
    expect((await upload({ pullRequestId, base64 })).body.detail).toContain(`${IMAGE_LIMITS.count} images`);
  });
});

describe('follows the texts that show it', () => {
  const days = (count: number) => new Date(clock.now().getTime() + count * DAY_MS + 1000);

  it('comments, earlier and pending ones: it is served as long as one can be read, and then deleted', async () => {
    const { address, id, pullRequestId } = await start();
    const plain = await start();
    const path = await comment(pullRequestId, `Look: ![chart](${address})`);
    await cleanImages(db, clock.now());
    expect(await exists(plain.id), 'it may still be written about').toBe(true);
    await cleanImages(db, days(1));
    expect([await exists(id), await exists(plain.id)]).toEqual([true, false]);
    await change(path, { body: 'Without it' });
    await cleanImages(db, days(3));
    expect(await statuses(address, viewer), 'an earlier text shows it').toEqual([200]);
    await change(path);
    expect(await statuses(address, viewer, member)).toEqual([404, 404]);
    const at = clock.now();
    await db
      .insertInto('pending_comments')
      .values({
        ...{ id: uuidv7(), organization_id: acme.id, pull_request_id: pullRequestId, user_id: member.userId },
        ...{ is_reply: false, file: 'a.ts', side: 'new', start_line: 1, end_line: 1, commented_code: '' },
        ...{ body: address, created_at: at, updated_at: at },
      })
      .execute();
    expect(await statuses(address, member, viewer), 'of a pending comment').toEqual([200, 404]);
    await cleanImages(db, days(5));
    expect(await exists(id)).toBe(true);
    await db.deleteFrom('pending_comments').where('pull_request_id', '=', pullRequestId).execute();
    await cleanImages(db, days(7));
    expect(await exists(id)).toBe(false);
  });

  it('of another pull request or plan too, for readers of both, and when the first one is gone', async () => {
    const first = await start({ members: [member] });
    const other = await start();
    await comment(first.pullRequestId, `![](${first.address})`);
    await change(`/api/v2/pull-requests/${other.pullRequestId}`, {
      description: `![](https://x.example${first.address.toUpperCase().replace('/API/V2/IMAGES', '/api/v2/images')})`,
    });
    // A person who can't see the first one could have written its address into the other.
    expect(await statuses(first.address, member, viewer, globex.owner)).toEqual([200, 404, 404]);
    await db.deleteFrom('pull_requests').where('id', '=', first.pullRequestId).execute();
    await cleanImages(db, days(2));
    expect(await statuses(first.address, viewer)).toEqual([200]);
    await change(`/api/v2/pull-requests/${other.pullRequestId}`, { description: 'Nothing' });
    expect(await statuses(first.address, viewer)).toEqual([404]);
  });

  it('when its last comment is deleted while another begins to show it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [from, to] = [await start(), await start()];
      const path = await comment(from.pullRequestId, `![](${from.address})`);
      await Promise.all([change(path), comment(to.pullRequestId, `![](${from.address})`)]);
      await cleanImages(db, days(2));
      expect(await statuses(from.address, viewer)).toEqual([200]);
    }
  });

  it('while the job that deletes it is at work: the text waits, and is saved', async () => {
    const { address, id, pullRequestId } = await start();
    const posting = await inTransaction(db, async (transaction) => {
      const looked = await lockImagesToLookAt(transaction, { before: days(2), limit: 1000 });
      expect(looked).toContain(id);
      const writing = comment(pullRequestId, `![](${address})`);
      const waiting = async () =>
        (
          await sql`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
            AND datname = current_database()`.execute(db)
        ).rows.length;
      await expect.poll(waiting, { timeout: 40_000 }).toBe(1);
      await deleteUnusedImages(transaction, looked, clock.now());
      return { writing };
    });
    expect(await posting.writing).toContain('/comments/');
    expect([await exists(id), ...(await statuses(address, viewer))]).toEqual([false, 404]);
  });
});
