/** GET /api/v2/webhooks/:webhookId/deliveries/:deliveryId: the request body and the attempts of a delivery. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { GetWebhookDeliveryInput, WebhookDeliveryDetail } from './contract.ts';
import { selectDelivery } from './delivery-store.ts';
import { presentDeliveryDetail } from './present-webhook.ts';
import { selectWebhook } from './webhook-store.ts';

export const getWebhookDelivery = defineOperation({
  name: 'get-webhook-delivery',
  group: 'Webhooks',
  summary: 'Get a delivery',
  description: 'Returns the delivery with its request body and its last attempts.',
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
