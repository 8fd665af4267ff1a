/** Listing, reading and resending deliveries. */
import { describe, expect, it } from 'vitest';
import { webhookWith } from '../../../test/helpers/rows/webhooks.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';

const service = await startTestService();
const { acme, clock, db } = service;
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
const listed = async () => (await service.call(listWebhooks, {}, withSession(acme.admin))).body.webhooks;

describe('list-webhook-deliveries', () => {
  it('200: returns them newest first, in pages and by state', async () => {
    const { ids, webhookId } = await webhookWith(service, 5);
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
    const [webhook] = (await listed()).filter(({ id }: { id: string }) => id === webhookId);
    expect(webhook!.newestDelivery).toMatchObject({ id: ids[4], state: 'pending' });
  });

  it('200: get-webhook-delivery returns one with its request body', async () => {
    const { ids, webhookId } = await webhookWith(service, 1);
    const answer = await service.call(
      getWebhookDelivery,
      { webhookId, deliveryId: ids[0] },
      withSession(acme.admin),
    );
    expect(answer.body).toMatchObject({ id: ids[0], payload: '{"number":0}', attemptLog: [] });
  });

  it('200: resend-webhook-delivery sends one again in any state', async () => {
    const { ids, webhookId } = await webhookWith(service, 3);
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

  it('400: an unknown state', async () => {
    const { webhookId } = await webhookWith(service, 0);
    const answer = await service.call(
      listWebhookDeliveries,
      { webhookId, state: 'lost' },
      withSession(acme.admin),
    );
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, 'state']);
  });

  it('404: a delivery of another webhook, and one that does not exist', async () => {
    const [one, other] = [await webhookWith(service, 1), await webhookWith(service, 1)];
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
