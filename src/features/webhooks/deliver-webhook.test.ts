/** Deliveries from a plan event to the receiver, with the worker, the queue and a real receiver. */

import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { addComment, addEvent, makePlan } from '../../../test/helpers/rows/plan-rows.ts';
import { isSigned, type Receiver, startReceiver } from '../../../test/helpers/servers/webhook-receiver.ts';
import { makeOrganization, type Organization } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { MAX_ATTEMPTS } from '../../platform/core/network/retry-delay.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { NodeState } from '../../platform/core/work/node-state.ts';
import { createChangeFeed } from '../../platform/live/index.ts';
import { startWorker } from '../../worker.ts';
import { submitPlan } from '../plans/changes/submit-plan.ts';
import { addPlanComment } from '../plans/comments/add-plan-comment.ts';
import { changeWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteOldDeliveries, requeueStranded } from './delivery-store.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const service = await startTestService({ worker: true, settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { clock, db } = service;
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

let made = 0;
/** A new organization with a webhook and its receiver. */
async function newHook(body: Record<string, unknown> = {}) {
  made += 1;
  const receiver = await startReceiver();
  receivers.push(receiver);
  const organization = await makeOrganization(db, `Org${made}`, clock.now());
  const answer = await service.call(
    createWebhook,
    { url: `${receiver.url}?key=hidden`, ...body },
    withSession(organization.admin),
  );
  expect(answer.status).toBe(201);
  const { secret, webhook } = answer.body;
  return { organization, receiver, webhookId: webhook.id as string, secret: secret as string };
}

/** Wakes up the worker, as an operation that changed something does. */
const hint = () => sql`SELECT pg_notify('countersign_changes', 'test,something')`.execute(db);
const deliveriesOf = (webhookId: string) =>
  db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId).orderBy('id').execute();
const untilState = (webhookId: string, state: string) =>
  vi.waitFor(
    async () => {
      const [row] = await deliveriesOf(webhookId);
      expect(row).toMatchObject({ state, claimed_until: null, last_attempt_at: expect.any(Date) });
      return row!;
    },
    { timeout: 30_000, interval: 20 },
  );
const detail = async (organization: Organization, webhookId: string) => {
  const [row] = await deliveriesOf(webhookId);
  const input = { webhookId, deliveryId: row!.id };
  return (await service.call(getWebhookDelivery, input, withSession(organization.admin))).body;
};
async function planWithEvent(organization: Organization) {
  const plan = await makePlan(db, organization.member);
  await hint();
  return plan;
}

describe('a delivery', () => {
  it('contains the event, is signed, and is recorded as succeeded', async () => {
    const { organization, receiver, secret, webhookId } = await newHook({ eventKinds: ['comment_added'] });
    const { member } = organization;
    const plan = await makePlan(db, member, { title: 'Move the queue' });
    const body = `${'🌙'.repeat(2000)}!`;
    const commentId = await addComment(db, plan, organization.admin, { body });
    await hint();
    const [delivery] = await receiver.until(1);
    expect(isSigned(delivery!, secret)).toBe(true);
    expect(delivery!.json).toEqual({
      type: 'plan.comment_added',
      timestamp: expect.stringMatching(/Z$/),
      organizationId: organization.id,
      number: 2,
      plan: {
        seriesId: plan.seriesId,
        title: 'Move the queue',
        status: 'pending',
        url: `${service.url}/plans/${plan.seriesId}`,
      },
      actor: { kind: 'session', id: organization.admin.userId, name: organization.admin.name },
      data: {
        commentId,
        threadId: commentId,
        parentId: null,
        versionId: plan.versionId,
        body: '🌙'.repeat(2000),
        bodyTruncated: true,
        author: { id: organization.admin.userId, name: organization.admin.name },
      },
    });
    const row = await untilState(webhookId, 'succeeded');
    expect(delivery!.headers['webhook-id']).toBe(row.id);
    expect(delivery!.path).toBe('/hooks?key=hidden');
    expect(row).toMatchObject({ attempts: 1, next_attempt_at: null, response_status: 204 });
    expect(row.payload).toBe(delivery!.body);
    const shown = await detail(organization, webhookId);
    expect(shown.attemptLog).toEqual([
      { at: shown.lastAttemptAt, responseStatus: 204, note: null, durationMs: shown.durationMs },
    ]);
  });

  it('is created when people and agents do something', async () => {
    const { organization, receiver } = await newHook();
    const submitted = await service.call(
      submitPlan,
      { seriesKey: uuidv7(), content: '# Move the queue', agentVendor: 'codex' },
      { key: organization.member.key },
    );
    expect(submitted.status).toBe(201);
    const { seriesId, versionId } = submitted.body;
    await service.call(
      addPlanComment,
      { seriesId, versionId, body: 'Why?' },
      withSession(organization.admin),
    );
    const deliveries = await receiver.until(2);
    expect(new Set(deliveries.map(({ json }) => json.type))).toEqual(
      new Set(['plan.created', 'plan.comment_added']),
    );
    for (const { json } of deliveries) expect(json.plan.url).toBe(submitted.body.url);
  });

  it('goes only to webhooks of the organization that are subscribed to the kind', async () => {
    const { organization, receiver, webhookId } = await newHook({ eventKinds: ['approved'] });
    const [everything, disabled, foreign] = [
      await service.call(createWebhook, { url: receiver.url }, withSession(organization.admin)),
      await service.call(
        createWebhook,
        { url: receiver.url, enabled: false },
        withSession(organization.admin),
      ),
      await newHook(),
    ];
    const plan = await makePlan(db, organization.member);
    await addEvent(db, plan, organization.admin, 'approved', {
      version: 1,
      versionId: plan.versionId,
      note: null,
    });
    await hint();
    await receiver.until(3);
    const kindsOf = async (id: string) => (await deliveriesOf(id)).map(({ event_kind: kind }) => kind);
    expect(await kindsOf(webhookId)).toEqual(['approved']);
    expect(await kindsOf(everything.body.webhook.id)).toEqual(['plan_created', 'approved']);
    expect(await kindsOf(disabled.body.webhook.id)).toEqual([]);
    expect(await kindsOf(foreign.webhookId)).toEqual([]);
  });

  it('names the service as the actor of its own actions', async () => {
    const { organization, receiver } = await newHook({ eventKinds: ['status_changed'] });
    const plan = await makePlan(db, organization.member);
    await addEvent(db, plan, null, 'status_changed', {
      from: 'approved',
      to: 'implemented',
      reason: 'merged',
      note: null,
    });
    await hint();
    const [delivery] = await receiver.until(1);
    expect(delivery!.json).toMatchObject({
      actor: { kind: 'service', id: null, name: null },
      data: { to: 'implemented' },
    });
  });

  it('leaves no secret, query or body in the log', async () => {
    const { organization, receiver, secret } = await newHook();
    receiver.answer((response) => void response.writeHead(500).end('a reply with a secret'));
    await planWithEvent(organization);
    await receiver.until(1);
    await vi.waitFor(() => expect(service.logLines.join('')).toContain('attempted a webhook delivery'), {
      timeout: 30_000,
    });
    const log = service.logLines.join('');
    for (const hidden of [secret.slice(6), 'key=hidden', 'a reply with a secret'])
      expect(log).not.toContain(hidden);
  });
});

describe('a delivery that fails', () => {
  it('waits for its next attempt, shows the error, and can be resent now', async () => {
    const { organization, receiver, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(503).end('later please'));
    await planWithEvent(organization);
    await receiver.until(1);
    const failed = await untilState(webhookId, 'pending');
    const waitMs = failed.next_attempt_at!.getTime() - failed.last_attempt_at!.getTime();
    expect(waitMs).toBeGreaterThan(7_000);
    expect(await detail(organization, webhookId)).toMatchObject({
      state: 'pending',
      attempts: 1,
      responseStatus: 503,
      note: 'later please',
      attemptLog: [{ responseStatus: 503, note: 'later please' }],
    });

    receiver.answer((response) => void response.writeHead(200).end('thanks'));
    const resend = { webhookId, deliveryId: failed.id };
    await service.call(resendWebhookDelivery, resend, withSession(organization.admin));
    await untilState(webhookId, 'succeeded');
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    expect(await detail(organization, webhookId)).toMatchObject({
      attempts: 1,
      note: 'thanks',
      attemptLog: [{ responseStatus: 503 }, { responseStatus: 200 }],
    });
  });

  it('is retried automatically', async () => {
    const { organization, receiver, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(500).end());
    await planWithEvent(organization);
    await receiver.until(1);
    receiver.answer((response) => void response.writeHead(204).end());
    const row = await untilState(webhookId, 'succeeded');
    expect([row.attempts, receiver.received.length]).toEqual([2, 2]);
  });

  it('fails after the last attempt', async () => {
    const { organization, receiver, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(302, { location: '/elsewhere' }).end());
    await planWithEvent(organization);
    await untilState(webhookId, 'pending');
    await db
      .updateTable('webhook_deliveries')
      .set({ attempts: MAX_ATTEMPTS - 1, next_attempt_at: sql<Date>`now()`, queued_at: null })
      .where('webhook_id', '=', webhookId)
      .execute();
    await hint();
    const row = await untilState(webhookId, 'failed');
    expect(row).toMatchObject({ attempts: MAX_ATTEMPTS, next_attempt_at: null, response_status: 302 });
    expect(row.response_note).toMatch(/redirect/);
  });

  it('is canceled if its webhook was disabled in the meantime', async () => {
    const { organization, receiver, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(500).end());
    await planWithEvent(organization);
    await untilState(webhookId, 'pending');
    await service.call(changeWebhook, { webhookId, enabled: false }, withSession(organization.admin));
    // As if it had been made in the same moment.
    await db
      .updateTable('webhook_deliveries')
      .set({ state: 'pending', next_attempt_at: sql<Date>`now()`, queued_at: null, response_note: null })
      .where('webhook_id', '=', webhookId)
      .execute();
    await hint();
    const row = await vi.waitFor(
      async () => {
        const [found] = await deliveriesOf(webhookId);
        expect(found!.state).toBe('failed');
        return found!;
      },
      { timeout: 30_000 },
    );
    expect(row.response_note).toBe('The webhook is disabled or deleted.');
    expect(receiver.received).toHaveLength(1);
  });

  it('is signed with the current secret at each attempt', async () => {
    const { organization, receiver, secret, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(500).end());
    await planWithEvent(organization);
    const failed = await untilState(webhookId, 'pending');
    const rotated = await service.call(rotateWebhookSecret, { webhookId }, withSession(organization.admin));
    await service.call(
      resendWebhookDelivery,
      { webhookId, deliveryId: failed.id },
      withSession(organization.admin),
    );
    const [first, second] = await receiver.until(2);
    expect([isSigned(first!, secret), isSigned(second!, secret)]).toEqual([true, false]);
    expect(isSigned(second!, rotated.body.secret)).toBe(true);
  });

  it('does not delay other deliveries if its receiver never responds', async () => {
    const silent = await newHook();
    silent.receiver.answer(() => undefined);
    const plan = await makePlan(db, silent.organization.member);
    for (let count = 0; count < 30; count += 1) await addComment(db, plan, silent.organization.admin);
    await hint();
    await silent.receiver.until(1);
    const quick = await newHook();
    await planWithEvent(quick.organization);
    await untilState(quick.webhookId, 'succeeded');
    expect((await deliveriesOf(silent.webhookId)).every(({ state }) => state === 'pending')).toBe(true);
    await service.call(
      changeWebhook,
      { webhookId: silent.webhookId, enabled: false },
      withSession(silent.organization.admin),
    );
  });
});

describe('a delivery in progress', () => {
  it('is not started a second time concurrently, even if it is resent', async () => {
    const { organization, receiver, webhookId } = await newHook();
    const held = Promise.withResolvers<void>();
    receiver.answer(async (response) => {
      await held.promise;
      response.writeHead(204).end();
    });
    await planWithEvent(organization);
    await receiver.until(1);
    const [row] = await deliveriesOf(webhookId);
    await service.call(
      resendWebhookDelivery,
      { webhookId, deliveryId: row!.id },
      withSession(organization.admin),
    );
    await vi.waitFor(
      async () => {
        const { rows } = await sql`SELECT FROM pgboss.job WHERE group_id = ${webhookId} AND state = 'created'
          AND start_after = (SELECT claimed_until FROM webhook_deliveries WHERE id = ${row!.id})`.execute(db);
        expect(rows).toHaveLength(1);
      },
      { timeout: 30_000, interval: 20 },
    );
    expect(receiver.received).toHaveLength(1);
    held.resolve();
  });
});

describe('several workers', () => {
  it('send each delivery once', async () => {
    const { organization, receiver, webhookId } = await newHook();
    const log = createLog({ level: 'silent', terminal: false });
    const feed = createChangeFeed({ connection: service.connection, db, log });
    const others = Array.from({ length: 2 }, () =>
      startWorker({
        connection: service.connection,
        db,
        clock,
        log,
        feed,
        mirrors: service.mirrors,
        secrets: testSecrets,
        codeHosts: service.codeHosts,
        state: new NodeState({ db, secrets: testSecrets }),
        baseUrl: () => service.url,
        allowPrivateAddresses: true,
        models: undefined,
        queueDelayMs: 0,
      }),
    );
    const plans = await Promise.all(Array.from({ length: 10 }, () => makePlan(db, organization.member)));
    await Promise.all(
      plans.map(async (plan) => {
        for (let count = 0; count < 9; count += 1) await addComment(db, plan, organization.admin);
      }),
    );
    await hint();
    await receiver.until(100);
    await vi.waitFor(
      async () => {
        const rows = await deliveriesOf(webhookId);
        expect(rows.filter(({ state }) => state === 'succeeded')).toHaveLength(100);
      },
      { timeout: 30_000 },
    );
    await Promise.all(others.map((worker) => worker.stop()));
    await feed.close();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
  });
});

describe('old deliveries', () => {
  it('are deleted', async () => {
    const { organization, webhookId } = await newHook();
    await planWithEvent(organization);
    const row = await untilState(webhookId, 'succeeded');
    await deleteOldDeliveries(db, row.created_at);
    expect(await deliveriesOf(webhookId)).toHaveLength(1);
    await deleteOldDeliveries(db, new Date(row.created_at.getTime() + 1));
    expect(await deliveriesOf(webhookId)).toHaveLength(0);
  });

  it('are queued again if the queue lost them', async () => {
    const { organization, receiver, webhookId } = await newHook();
    receiver.answer((response) => void response.writeHead(500).end());
    await planWithEvent(organization);
    await untilState(webhookId, 'pending');
    await sql`DELETE FROM pgboss.job WHERE group_id = ${webhookId}`.execute(db);
    receiver.answer((response) => void response.writeHead(204).end());
    const strand = (hours: number) =>
      db
        .updateTable('webhook_deliveries')
        .set({
          next_attempt_at: sql<Date>`now() - ${hours} * interval '1 hour'`,
          queued_at: sql<Date>`now() - ${hours} * interval '1 hour'`,
        })
        .where('webhook_id', '=', webhookId)
        .execute();
    await strand(0.9);
    await requeueStranded(db);
    expect((await deliveriesOf(webhookId))[0]!.queued_at).not.toBeNull();
    await strand(1.1);
    await requeueStranded(db);
    await hint();
    await untilState(webhookId, 'succeeded');
  });
});
