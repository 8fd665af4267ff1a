/** Webhooks of chats: what they receive, that their address is kept secret, and waiting as the chat asks. */
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { addComment, makePlan } from '../../../test/helpers/rows/plan-rows.ts';
import { postPlan } from '../../../test/helpers/rows/plans.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { startReceiver } from '../../../test/helpers/servers/webhook-receiver.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import type { Queue } from '../../platform/queue/index.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { BY_SERVICE, lockIdlePullRequests, withPullRequestAs } from '../pull-requests/index.ts';
import { changeWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { deliverWebhook, deliveryMaker } from './index.ts';
import { listWebhooks } from './list-webhooks.ts';
import { testWebhook } from './test-webhook.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, clock, db, globex } = service;
const receiver = await startReceiver();
afterAll(() => receiver.close());
const BASE = 'https://countersign.example';
const log = createLog({ level: 'silent', terminal: false });
const outbox = createEventOutbox({
  handlers: [deliveryMaker(() => BASE)],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log,
});
const admin = withSession(acme.admin);
async function newChat(more: Record<string, unknown> = {}): Promise<string> {
  await outbox.run(db, clock.now());
  const answer = await service.call(
    createWebhook,
    { url: `${receiver.url}/T0/SECRET`, format: 'slack', ...more },
    admin,
  );
  expect(answer.status).toBe(201);
  return answer.body.webhook.id;
}
async function messages(webhookId: string): Promise<string[]> {
  await outbox.run(db, clock.now());
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('payload')
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload).text);
}

it('sends messages in which the text of people has no markup and notifies nobody', async () => {
  const chats = [await newChat(), await newChat({ format: 'mattermost' })];
  const plan = await makePlan(db, acme.member, { title: 'Move <!here> @all [x](y)' });
  await addComment(db, plan, acme.admin, { body: 'a > b\n@channel' });
  const url = `${BASE}/plans/${plan.seriesId}`;
  const { name } = acme.member;
  expect(await messages(chats[0]!)).toEqual([
    `${name} posted the plan <${url}|Move &lt;!here&gt; @all [x](y)>`,
    `${acme.admin.name} commented on the plan <${url}|Move &lt;!here&gt; @all [x](y)>\n> a &gt; b @channel`,
  ]);
  const title = '[Move \\<\\!here\\> @\u{200b}all \\[x\\]\\(y\\)]';
  expect(await messages(chats[1]!)).toEqual([
    `${name} posted the plan ${title}(${url})`,
    `${acme.admin.name} commented on the plan ${title}(${url})\n> a \\> b @\u{200b}channel`,
  ]);
});

it('tells the whole organization only of repositories that everyone can see', async () => {
  const open = await makeRepositoryRow(service, acme.id, { name: 'acme/open' });
  const closed = await makeRepositoryRow(service, acme.id, { name: 'acme/closed' });
  await db
    .updateTable('repositories')
    .set({ visibility: 'members' })
    .where('name', '=', 'acme/closed')
    .execute();
  const { id: closedId } = await db
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'acme/closed')
    .executeTakeFirstOrThrow();
  const [all, own] = [await newChat(), await newChat({ repositoryId: closedId })];
  for (const repository of [open, closed]) {
    const { id } = await makePullRequest(service, repository, { author: acme.member });
    await service.request('POST', `/api/v2/pull-requests/${id}/comments`, {
      as: admin,
      body: { body: 'Hm' },
    });
  }
  await makePlan(db, acme.member);
  const toAll = await messages(all);
  expect(toAll.some((text) => text.includes('acme/open'))).toBe(true);
  expect(toAll.some((text) => text.includes('acme/closed'))).toBe(false);
  expect(toAll.some((text) => text.includes('the plan'))).toBe(true);
  const toOwn = await messages(own);
  expect(toOwn.length).toBeGreaterThan(0);
  expect(toOwn.every((text) => text.includes('acme/closed'))).toBe(true);
  const elsewhere = { url: receiver.url, format: 'slack', repositoryId: closedId };
  expect((await service.call(createWebhook, elsewhere, withSession(globex.admin))).status).toBe(404);
});

it('names who is asked or mentioned, and whose changes conflict; a draft asks nobody', async () => {
  const as = withSession(acme.member);
  const team = { name: 'core', userIds: [acme.admin.userId] };
  const core = (await service.request('POST', '/api/v2/teams', { as: admin, body: team })).body;
  const repository = await makeRepositoryRow(service, acme.id, { name: 'acme/named' });
  const draft = await makePullRequest(service, repository, { author: acme.member, state: 'draft' });
  const chat = await newChat();
  const [reviewer, viewer] = [acme.admin.name, acme.viewer.name];
  await service.request('POST', `/api/v2/pull-requests/${draft.id}/review-requests`, {
    ...{ as, body: { userIds: [acme.admin.userId], teamIds: [core.id] } },
  });
  expect(await messages(chat)).toEqual([]);
  const change = (state: string) =>
    service.request('PATCH', `/api/v2/pull-requests/${draft.id}`, { as, body: { state } });
  expect((await change('open')).status).toBe(200);
  const body = `Ask \`@core\`, @Core and @${acme.viewer.email}`;
  await service.request('POST', `/api/v2/pull-requests/${draft.id}/comments`, { as, body: { body } });
  await withPullRequestAs(
    { db, announce: () => undefined },
    { ...BY_SERVICE, organizationId: acme.id },
    draft.id,
    clock.now(),
    async (each) => {
      each.record('pull_request_conflicted', { headCommit: 'a' });
      for (const number of [1, 2, 3]) each.record('discussion_opened', { finding: { number, of: 3 } });
    },
  );
  const plan = (await postPlan(service, acme.member, { content: '# Plan\n\nFor @core.' })).body;
  const ask = { as, body: { userIds: [acme.admin.userId] } };
  await service.request('POST', `/api/v2/plans/${plan.seriesId}/review-requests`, ask);
  const ends = (await messages(chat)).map((text) =>
    text.replace(/<[^|]*\|[^>]*>/, '#').replaceAll('\n', ' / '),
  );
  const { name } = acme.member;
  expect(ends).toEqual([
    `${name} changed the state to open of the pull request # / Reviewers: core, ${reviewer}`,
    `${name} commented on the pull request # / > ${body} / Mentioned: core, ${viewer}`,
    `Countersign found conflicts in the pull request # / Author: ${name}`,
    'Countersign opened 3 discussions on the pull request #',
    `${name} posted the plan # / Mentioned: core`,
    `${name} requested a review of the plan # / Reviewers: ${reviewer}`,
  ]);
});

it('keeps the address sealed, also when it is changed, and sends a test there', async () => {
  const webhookId = await newChat();
  await service.call(changeWebhook, { webhookId, url: `${receiver.url}/T0/OTHER` }, admin);
  const listed = await service.call(listWebhooks, {}, admin);
  expect(JSON.stringify(listed.body)).not.toMatch(/SECRET|OTHER/);
  const audited = await sql`SELECT * FROM audit_events`.execute(db);
  expect(JSON.stringify(audited.rows)).not.toMatch(/SECRET|OTHER/);
  const before = receiver.received.length;
  const tested = await service.call(testWebhook, { webhookId }, admin);
  expect(tested).toMatchObject({ status: 200, body: { responseStatus: 204 } });
  expect(receiver.received[before]).toMatchObject({
    path: '/hooks/T0/OTHER',
    json: { text: 'Messages from Countersign reach this channel.' },
  });
  expect((await service.call(testWebhook, { webhookId }, withSession(globex.admin))).status).toBe(404);
});

it('waits as long as the chat asks after a 429', async () => {
  const webhookId = await newChat();
  await makePlan(db, acme.member);
  await messages(webhookId);
  const { id } = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow();
  receiver.answer((response) => response.writeHead(429, { 'retry-after': '600' }).end());
  const queue = { send: async () => undefined } as unknown as Queue;
  const services = {
    db,
    queue,
    log,
    secrets: testSecrets,
    now: () => clock.now(),
    allowPrivateAddresses: true,
  };
  await deliverWebhook(services, id, new AbortController().signal);
  const { rows } = await sql<{ wait: number; state: string; response_status: number }>`
    SELECT extract(epoch FROM next_attempt_at - now())::float8 AS wait, state, response_status
    FROM webhook_deliveries WHERE id = ${id}`.execute(db);
  expect(rows[0]).toMatchObject({ state: 'pending', response_status: 429 });
  expect(rows[0]!.wait).toBeGreaterThan(590);
});
