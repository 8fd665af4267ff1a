/** Managing webhooks: creating, changing, deleting, rotating secrets, and who can do it. */
import { describe, expect, it } from 'vitest';
import { WEBHOOK_URL, webhookWith } from '../../../test/helpers/rows/webhooks.ts';
import { followAudit } from '../../../test/helpers/service/audit-trail.ts';
import { makeOrganization, type Organization, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { PLAN_EVENT_KINDS } from '../plans/contract.ts';
import { PULL_REQUEST_EVENT_KINDS } from '../pull-requests/contract.ts';
import { changeWebhook } from './change-webhook.ts';
import { WEBHOOK_EVENT_KINDS } from './contract.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { sealPlainSecrets } from './index.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { newWebhookSecret } from './sign-delivery.ts';
import { testWebhook } from './test-webhook.ts';
import { openWebhookSecret } from './webhook-secret.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;

let made = 0;
async function newOrganization(): Promise<Organization> {
  made += 1;
  return makeOrganization(db, `Org${made}`, clock.now());
}
const create = (person: Person, body: Record<string, unknown> = {}) =>
  service.call(createWebhook, { url: WEBHOOK_URL, ...body }, withSession(person));
const listed = async (person: Person) =>
  (await service.call(listWebhooks, {}, withSession(person))).body.webhooks as Record<string, unknown>[];

const storedSecret = (webhookId: string) =>
  db
    .selectFrom('webhooks')
    .select(['id as webhook_id', 'secret', 'sealed_secret'])
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow();
const secretOf = async (webhookId: string) => openWebhookSecret(testSecrets, await storedSecret(webhookId));

describe('create-webhook', () => {
  it('201: returns the secret only once, and everything else later too', async () => {
    const { admin } = await newOrganization();
    const answer = await create(admin, { eventKinds: ['approved', 'comment_added', 'approved'] });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { secret, webhook } = answer.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: WEBHOOK_URL,
      format: 'json',
      repositoryId: null,
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

  it('201: accepts every kind of event, and no kind belongs to two kinds of subjects', () => {
    expect(WEBHOOK_EVENT_KINDS).toEqual([...PLAN_EVENT_KINDS, ...PULL_REQUEST_EVENT_KINDS]);
    expect(new Set(WEBHOOK_EVENT_KINDS).size).toBe(WEBHOOK_EVENT_KINDS.length);
  });

  it('409: at most 20 per organization, even for concurrent requests', async () => {
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

  it('400: an unknown kind of event', async () => {
    const answer = await create(acme.admin, { eventKinds: ['approved', 'eaten'] });
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'eventKinds[1]']);
  });
});

describe('change-webhook', () => {
  it('200: changes only the given settings and records their old values', async () => {
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

  it('200: disabling cancels pending deliveries', async () => {
    const { ids, webhookId } = await webhookWith(service, 2);
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

  it('400: an invalid URL', async () => {
    const { webhookId } = await webhookWith(service, 0);
    for (const url of ['http://192.168.0.1/', 'mailto:a@b.example']) {
      const answer = await service.call(changeWebhook, { webhookId, url }, withSession(acme.admin));
      expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'url']);
    }
  });
});

describe('rotate-webhook-secret', () => {
  it('401: changes nothing without a session', async () => {
    const { webhook, secret } = (await create((await newOrganization()).admin)).body;
    const audit = await followAudit(db);
    const answer = await service.call(rotateWebhookSecret, { webhookId: webhook.id }, 'nobody');
    expect(answer.status).toBe(401);
    expect(await secretOf(webhook.id)).toBe(secret);
    expect(await audit()).toEqual([]);
  });

  it('200: returns a new secret only once, and is recorded', async () => {
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

describe('delete-webhook', () => {
  it('204: removes the webhook with its secret and deliveries; later requests are 404', async () => {
    const { ids, webhookId } = await webhookWith(service, 1);
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

describe('access', () => {
  it('403: for members, viewers and keys; 404: for another organization', async () => {
    const { ids, webhookId } = await webhookWith(service, 1);
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
  it('is encrypted for its webhook: another webhook cannot decrypt it', async () => {
    const { secret, webhook } = (await create(acme.admin)).body;
    const stored = await storedSecret(webhook.id);
    expect(stored.secret).toBeNull();
    expect(stored.sealed_secret!.toString('latin1')).not.toContain(secret.slice(6));
    expect(openWebhookSecret(testSecrets, stored)).toBe(secret);
    expect(() => openWebhookSecret(testSecrets, { ...stored, webhook_id: uuidv7() })).toThrow();
  });

  it('from an earlier version is encrypted at startup, by several nodes at once, and stays the same', async () => {
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

it('test-webhook: reaches no private address, whatever the URL was when it was created', async () => {
  const { admin } = await newOrganization();
  const created = await create(admin);
  const webhookId: string = created.body.webhook.id;
  await db.updateTable('webhooks').set({ url: 'https://127.0.0.1:1/' }).where('id', '=', webhookId).execute();
  const { body } = await service.call(testWebhook, { webhookId }, withSession(admin));
  expect(body.note).toMatch(/private address/);
});
