/** GET /api/v2/webhooks/:webhookId/deliveries/:deliveryId: what was sent, and what came back each time. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import { GetWebhookDeliveryInput, WebhookDeliveryDetail } from './contract.ts';
import { selectDelivery } from './delivery-store.ts';
import { presentDeliveryDetail } from './present-webhook.ts';
import { selectWebhook } from './webhook-store.ts';

export const getWebhookDelivery = defineOperation({
  name: 'get-webhook-delivery',
  group: 'Webhooks',
  summary: 'Get a delivery',
  description: 'With the body that is sent and the newest attempts.',
  http: { method: 'GET', path: '/api/v2/webhooks/:webhookId/deliveries/:deliveryId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: GetWebhookDeliveryInput,
  output: WebhookDeliveryDetail,
  problems: ['not_found'],
  async run({ actor, db }, { deliveryId, webhookId }) {
    const webhook = await selectWebhook(db, actor.organizationId, webhookId);
    const row = webhook && (await selectDelivery(db, actor.organizationId, webhookId, deliveryId));
    if (!row) throw notFound('The delivery');
    return presentDeliveryDetail(row);
  },
});
