/** Webhooks over HTTP, as admins manage them; by status. */
import { describe, expect, it } from 'vitest';
import { followAudit } from '../../../test/audit-trail.ts';
import { makeOrganization, type Organization, type Person } from '../../../test/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/harness.ts';
import { testSecrets } from '../../../test/secrets.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { PLAN_EVENT_KINDS } from '../plans/contract.ts';
import { changeWebhook } from './change-webhook.ts';
import { WEBHOOK_EVENT_KINDS } from './contract.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { insertDeliveries } from './delivery-store.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { sealPlainSecrets } from './index.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { newWebhookSecret } from './sign-delivery.ts';
import { openWebhookSecret } from './webhook-secret.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
const URL = 'https://hooks.invalid/in?key=hidden';

let made = 0;
async function newOrganization(): Promise<Organization> {
  made += 1;
  return makeOrganization(db, `Org${made}`, clock.now());
}
const create = (person: Person, body: Record<string, unknown> = {}) =>
  service.call(createWebhook, { url: URL, ...body }, withSession(person));
const listed = async (person: Person) =>
  (await service.call(listWebhooks, {}, withSession(person))).body.webhooks as Record<string, unknown>[];

/** A webhook with so many deliveries, made straight in the database. */
async function webhookWith(count: number, organization = acme) {
  const { webhook } = (await create(organization.admin)).body;
  const deliveries = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    organizationId: organization.id,
    webhookId: webhook.id as string,
    eventKind: 'comment_added',
    payload: JSON.stringify({ number: index }),
  }));
  await insertDeliveries(db, deliveries, clock.now());
  return { webhookId: webhook.id as string, ids: deliveries.map(({ id }) => id) };
}
const storedSecret = (webhookId: string) =>
  db
    .selectFrom('webhooks')
    .select(['id as webhook_id', 'secret', 'sealed_secret'])
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow();
const secretOf = async (webhookId: string) => openWebhookSecret(testSecrets, await storedSecret(webhookId));

describe('creating', () => {
  it('201: gives the secret this once, and everything else from then on', async () => {
    const { admin } = await newOrganization();
    const answer = await create(admin, { eventKinds: ['approved', 'comment_added', 'approved'] });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { secret, webhook } = answer.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL,
      eventKinds: ['approved', 'comment_added'],
      enabled: true,
      createdBy: { id: admin.userId, name: admin.name },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: webhook.createdAt,
      newestDelivery: null,
    });
    expect(await listed(admin)).toEqual([webhook]);
    expect(JSON.stringify(await listed(admin))).not.toContain(secret);
  });

  it('201: is recorded without the secret and without the query of the URL', async () => {
    const { admin, id } = await newOrganization();
    const audit = await followAudit(db);
    const { webhook } = (await create(admin)).body;
    expect(await audit()).toEqual([
      {
        action: 'webhook.created',
        organizationId: id,
        kind: 'session',
        userId: admin.userId,
        subjectId: webhook.id,
        subjectName: 'https://hooks.invalid/in',
        detail: {},
      },
    ]);
  });

  it('201: takes every kind of event that a plan has, and no other', () => {
    expect(WEBHOOK_EVENT_KINDS).toEqual(PLAN_EVENT_KINDS);
  });

  it('409: at most 20 in an organization, however many are made at once', async () => {
    const { admin } = await newOrganization();
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(admin)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    const [first] = await listed(admin);
    await service.call(deleteWebhook, { webhookId: first!.id }, withSession(admin));
    expect((await create(admin)).status).toBe(201);
  });

  it.each([
    ['no URL', undefined],
    ['white space', '  '],
    ['no whole URL', '/hooks'],
    ['another scheme', 'ftp://hooks.invalid/'],
    ['a script', 'javascript:alert(1)'],
    ['a user name', 'https://ada@hooks.invalid/'],
    ['a password', 'https://:pw@hooks.invalid/'],
    ['a fragment', 'https://hooks.invalid/#x'],
    ['an empty fragment', 'https://hooks.invalid/#'],
    ['a NUL', 'https://hooks.invalid/\0'],
    ['2,001 characters', `https://hooks.invalid/${'x'.repeat(1979)}`],
    ['this machine', 'http://127.0.0.1:9/'],
    ['this machine by name', 'http://localhost/'],
    ['this machine as a number', 'http://2130706433/'],
    ['a private network', 'http://10.1.2.3/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest'],
    ['a private address of IPv6', 'http://[fd00::1]/'],
    ['an address inside another', 'http://[::ffff:10.0.0.1]/'],
    ['a private address through NAT64', 'http://[64:ff9b::10.0.0.1]/'],
  ])('400: a URL that is %s', async (_name, url) => {
    const answer = await create(acme.admin, { url });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'url']);
  });

  it('201: a URL of 2,000 characters', async () => {
    const { admin } = await newOrganization();
    expect((await create(admin, { url: `https://hooks.invalid/${'x'.repeat(1978)}` })).status).toBe(201);
  });

  it('400: a kind of event that there is not', async () => {
    const answer = await create(acme.admin, { eventKinds: ['approved', 'eaten'] });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'eventKinds[1]']);
  });
});

describe('changing', () => {
  it('200: changes what is named and nothing else, and records what it was', async () => {
    const { admin } = await newOrganization();
    const { webhook } = (await create(admin)).body;
    const secret = await secretOf(webhook.id);
    const audit = await followAudit(db);
    clock.advance(1000);
    const change = (body: Record<string, unknown>) =>
      service.call(changeWebhook, { webhookId: webhook.id, ...body }, withSession(admin));
    const answer = await change({ url: 'https://other.invalid/?key=hidden', eventKinds: ['approved'] });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...webhook,
        url: 'https://other.invalid/?key=hidden',
        eventKinds: ['approved'],
        updatedAt: expect.any(String),
      },
    ]);
    expect(answer.body.updatedAt > webhook.updatedAt).toBe(true);
    expect(await secretOf(webhook.id)).toBe(secret);
    expect((await change({})).body).toEqual(answer.body);
    expect((await change({ enabled: true })).body).toEqual(answer.body);
    const records = await audit();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      action: 'webhook.changed',
      detail: {
        url: { from: 'https://hooks.invalid/in', to: 'https://other.invalid/' },
        eventKinds: { from: [], to: ['approved'] },
      },
    });
    expect(JSON.stringify(records)).not.toContain('hidden');
  });

  it('200: disabling gives up what is still to be delivered', async () => {
    const { ids, webhookId } = await webhookWith(2);
    await service.call(changeWebhook, { webhookId, enabled: false }, withSession(acme.admin));
    const answer = await service.call(
      getWebhookDelivery,
      { webhookId, deliveryId: ids[0] },
      withSession(acme.admin),
    );
    expect(answer.body).toMatchObject({
      state: 'failed',
      nextAttemptAt: null,
      note: 'The webhook was disabled.',
    });
    const resent = await service.call(
      resendWebhookDelivery,
      { webhookId, deliveryId: ids[0] },
      withSession(acme.admin),
    );
    expect([resent.status, resent.body.code]).toEqual([409, 'conflict']);
  });

  it('400: a URL as it may not be made either', async () => {
    const { webhookId } = await webhookWith(0);
    for (const url of ['http://192.168.0.1/', 'mailto:a@b.example']) {
      const answer = await service.call(changeWebhook, { webhookId, url }, withSession(acme.admin));
      expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'url']);
    }
  });
});

describe('rotating the secret', () => {
  it('401: not without a session, and nothing changes', async () => {
    const { webhook, secret } = (await create((await newOrganization()).admin)).body;
    const audit = await followAudit(db);
    const answer = await service.call(rotateWebhookSecret, { webhookId: webhook.id }, 'nobody');
    expect(answer.status).toBe(401);
    expect(await secretOf(webhook.id)).toBe(secret);
    expect(await audit()).toEqual([]);
  });

  it('200: gives another secret this once, and records that', async () => {
    const { admin } = await newOrganization();
    const { webhook, secret } = (await create(admin)).body;
    const audit = await followAudit(db);
    const answer = await service.call(rotateWebhookSecret, { webhookId: webhook.id }, withSession(admin));
    expect(answer.status).toBe(200);
    expect(answer.body.secret).not.toBe(secret);
    expect(await secretOf(webhook.id)).toBe(answer.body.secret);
    expect(await audit()).toMatchObject([{ action: 'webhook.secret_rotated', subjectId: webhook.id }]);
  });
});

describe('deleting', () => {
  it('204: it is gone with its secret and its deliveries, and 404 from then on', async () => {
    const { ids, webhookId } = await webhookWith(1);
    const audit = await followAudit(db);
    const remove = () => service.call(deleteWebhook, { webhookId }, withSession(acme.admin));
    expect((await remove()).status).toBe(204);
    expect(await audit()).toMatchObject([
      { action: 'webhook.deleted', subjectName: 'https://hooks.invalid/in' },
    ]);
    expect((await listed(acme.admin)).map(({ id }) => id)).not.toContain(webhookId);
    expect(await storedSecret(webhookId)).toMatchObject({ secret: null, sealed_secret: null });
    const answers = [
      await remove(),
      await service.call(changeWebhook, { webhookId, enabled: true }, withSession(acme.admin)),
      await service.call(rotateWebhookSecret, { webhookId }, withSession(acme.admin)),
      await service.call(listWebhookDeliveries, { webhookId }, withSession(acme.admin)),
      await service.call(getWebhookDelivery, { webhookId, deliveryId: ids[0] }, withSession(acme.admin)),
      await service.call(resendWebhookDelivery, { webhookId, deliveryId: ids[0] }, withSession(acme.admin)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });
});

describe('deliveries', () => {
  it('200: are listed newest first, in pages, and by state', async () => {
    const { ids, webhookId } = await webhookWith(5);
    await db
      .updateTable('webhook_deliveries')
      .set({ state: 'failed' })
      .where('id', 'in', [ids[1]!, ids[3]!])
      .execute();
    const page = async (query: Record<string, unknown>) =>
      (await service.call(listWebhookDeliveries, { webhookId, ...query }, withSession(acme.admin))).body;
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.nextCursor });
    const third = await page({ limit: 2, cursor: second.nextCursor });
    const seen = [...first.deliveries, ...second.deliveries, ...third.deliveries];
    expect(seen.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(third.nextCursor).toBeNull();
    expect((await page({ state: 'failed' })).deliveries.map(({ id }: { id: string }) => id)).toEqual([
      ids[3],
      ids[1],
    ]);
    expect((await page({ state: 'succeeded' })).deliveries).toEqual([]);
    expect(first.deliveries[0]).toEqual({
      id: ids[4],
      webhookId,
      eventKind: 'comment_added',
      state: 'pending',
      attempts: 0,
      createdAt: expect.any(String),
      lastAttemptAt: null,
      nextAttemptAt: expect.any(String),
      responseStatus: null,
      note: null,
      durationMs: null,
    });
    const [webhook] = (await listed(acme.admin)).filter(({ id }) => id === webhookId);
    expect(webhook!.newestDelivery).toMatchObject({ id: ids[4], state: 'pending' });
  });

  it('200: one is shown with what is sent', async () => {
    const { ids, webhookId } = await webhookWith(1);
    const answer = await service.call(
      getWebhookDelivery,
      { webhookId, deliveryId: ids[0] },
      withSession(acme.admin),
    );
    expect(answer.body).toMatchObject({ id: ids[0], payload: '{"number":0}', attemptLog: [] });
  });

  it('200: one is sent again, whatever became of it', async () => {
    const { ids, webhookId } = await webhookWith(3);
    const states = ['failed', 'succeeded', 'pending'] as const;
    for (const [index, state] of states.entries()) {
      await db
        .updateTable('webhook_deliveries')
        .set({ state, attempts: 8, next_attempt_at: null, queued_at: clock.now() })
        .where('id', '=', ids[index]!)
        .execute();
      const answer = await service.call(
        resendWebhookDelivery,
        { webhookId, deliveryId: ids[index] },
        withSession(acme.admin),
      );
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { id: ids[index], state: 'pending', attempts: 0, nextAttemptAt: expect.any(String) },
      ]);
    }
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select('queued_at')
      .where('webhook_id', '=', webhookId)
      .execute();
    expect(rows.map((row) => row.queued_at)).toEqual([null, null, null]);
  });

  it('400: a state that there is not', async () => {
    const { webhookId } = await webhookWith(0);
    const answer = await service.call(
      listWebhookDeliveries,
      { webhookId, state: 'lost' },
      withSession(acme.admin),
    );
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'state']);
  });

  it('404: of another webhook, and one that is not there', async () => {
    const [one, other] = [await webhookWith(1), await webhookWith(1)];
    for (const operation of [getWebhookDelivery, resendWebhookDelivery]) {
      for (const deliveryId of [other.ids[0], UNKNOWN]) {
        const answer = await service.call(
          operation,
          { webhookId: one.webhookId, deliveryId },
          withSession(acme.admin),
        );
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      }
    }
  });
});

describe('who may', () => {
  it('403: members and viewers may nothing of it, keys neither; 404: nobody of another organization', async () => {
    const { ids, webhookId } = await webhookWith(1);
    const inputs = [
      [listWebhooks, {}],
      [createWebhook, { url: URL }],
      [changeWebhook, { webhookId, enabled: false }],
      [rotateWebhookSecret, { webhookId }],
      [listWebhookDeliveries, { webhookId }],
      [getWebhookDelivery, { webhookId, deliveryId: ids[0] }],
      [resendWebhookDelivery, { webhookId, deliveryId: ids[0] }],
      [deleteWebhook, { webhookId }],
    ] as const;
    for (const [operation, input] of inputs) {
      for (const person of [acme.member, acme.viewer]) {
        const answer = await service.call(operation, input, withSession(person));
        expect([operation.name, answer.status, answer.body.code]).toEqual([operation.name, 403, 'forbidden']);
      }
      const withAKey = await service.call(operation, input, withKey(acme.owner));
      expect([withAKey.status, withAKey.body.code]).toEqual([403, 'key_not_accepted']);
      if (!('webhookId' in input)) continue;
      const elsewhere = await service.call(operation, input, withSession(globex.owner));
      expect([operation.name, elsewhere.status]).toEqual([operation.name, 404]);
    }
    expect((await listed(acme.owner)).find(({ id }) => id === webhookId)).toMatchObject({ enabled: true });
  });
});

describe('the stored secret', () => {
  it('is sealed for its webhook: what is stored neither shows it nor opens for another', async () => {
    const { secret, webhook } = (await create(acme.admin)).body;
    const stored = await storedSecret(webhook.id);
    expect(stored.secret).toBeNull();
    expect(stored.sealed_secret!.toString('latin1')).not.toContain(secret.slice(6));
    expect(openWebhookSecret(testSecrets, stored)).toBe(secret);
    expect(() => openWebhookSecret(testSecrets, { ...stored, webhook_id: uuidv7() })).toThrow();
  });

  it('of an earlier version is sealed at the start, by several nodes at once, and stays the same', async () => {
    const plain = new Map<string, string>();
    for (let n = 0; n < 12; n += 1) {
      const { webhook } = (await create((await newOrganization()).admin)).body;
      const secret = newWebhookSecret();
      plain.set(webhook.id, secret);
      await db
        .updateTable('webhooks')
        .set({ secret, sealed_secret: null })
        .where('id', '=', webhook.id)
        .execute();
      if (n === 0) expect(await secretOf(webhook.id), 'before it is sealed').toBe(secret);
    }
    await Promise.all(Array.from({ length: 4 }, () => sealPlainSecrets(db, testSecrets)));
    await sealPlainSecrets(db, testSecrets);
    for (const [id, secret] of plain) {
      expect(await storedSecret(id)).toMatchObject({ secret: null });
      expect(await secretOf(id)).toBe(secret);
    }
  });
});
