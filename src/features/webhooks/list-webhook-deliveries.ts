/** GET /api/v2/webhooks/:webhookId/deliveries: the deliveries of a webhook, newest first. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { ListWebhookDeliveriesInput, WebhookDeliveryPage } from './contract.ts';
import { selectDeliveries } from './delivery-store.ts';
import { presentDelivery } from './present-webhook.ts';
import { selectWebhook } from './webhook-store.ts';

export const listWebhookDeliveries = defineOperation({
  name: 'list-webhook-deliveries',
  group: 'Webhooks',
  summary: "List a webhook's deliveries",
  http: { method: 'GET', path: '/api/v2/webhooks/:webhookId/deliveries', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListWebhookDeliveriesInput,
  output: WebhookDeliveryPage,
  problems: ['not_found'],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const beforeId = readCursor(input.cursor, [isUuid])?.[0];
    const { state, webhookId } = input;
    if (!(await selectWebhook(db, actor.organizationId, webhookId))) throw notFound('The webhook');
    const rows = await selectDeliveries(db, actor.organizationId, {
      webhookId,
      state,
      beforeId,
      limit: limit + 1,
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { deliveries: page.map(presentDelivery), nextCursor };
  },
});
