/** Webhooks with deliveries for tests. */
import { createWebhook } from '../../../src/features/webhooks/create-webhook.ts';
import { insertDeliveries } from '../../../src/features/webhooks/delivery-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { type TestService, withSession } from '../service/harness.ts';

export const WEBHOOK_URL = 'https://hooks.invalid/in?key=hidden';

/** Creates a webhook in Acme and inserts this many pending deliveries. */
export async function webhookWith(
  service: TestService,
  count: number,
): Promise<{ webhookId: string; ids: string[] }> {
  const { acme, clock, db } = service;
  const created = await service.call(createWebhook, { url: WEBHOOK_URL }, withSession(acme.admin));
  const webhookId: string = created.body.webhook.id;
  const deliveries = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    organizationId: acme.id,
    webhookId,
    eventKind: 'comment_added',
    payload: JSON.stringify({ number: index }),
  }));
  await insertDeliveries(db, deliveries, clock.now());
  return { webhookId, ids: deliveries.map(({ id }) => id) };
}
