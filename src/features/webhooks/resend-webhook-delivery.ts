/** POST /api/v2/webhooks/:webhookId/deliveries/:deliveryId/resend: sends a delivery again now, with a full set of attempts. */
import { defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { ResendWebhookDeliveryInput, WebhookDelivery } from './contract.ts';
import { renewDelivery, selectDelivery } from './delivery-store.ts';
import { presentDelivery } from './present-webhook.ts';
import { lockWebhook } from './webhook-store.ts';

export const resendWebhookDelivery = defineOperation({
  name: 'resend-webhook-delivery',
  group: 'Webhooks',
  summary: 'Resend a delivery',
  description:
    'Uses the same `webhook-id`, so that the receiver can recognize the delivery. A pending delivery is sent now.',
  http: { method: 'POST', path: '/api/v2/webhooks/:webhookId/deliveries/:deliveryId/resend', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ResendWebhookDeliveryInput,
  output: WebhookDelivery,
  problems: ['not_found', 'conflict'],
  async run({ actor, afterCommit, db, feed }, { deliveryId, webhookId }) {
    const { organizationId } = actor;
    const row = await inTransaction(db, async (transaction) => {
      const webhook = await lockWebhook(transaction, organizationId, webhookId);
      const known = webhook && (await selectDelivery(transaction, organizationId, webhookId, deliveryId));
      if (!known) throw notFound('The delivery');
      if (!webhook.enabled) throw new Problem('conflict', 'The webhook is disabled; enable it first.');
      await renewDelivery(transaction, organizationId, deliveryId);
      return (await selectDelivery(transaction, organizationId, webhookId, deliveryId))!;
    });
    // Wakes up the workers, which queue it.
    afterCommit(() => feed.announce(webhookId));
    return presentDelivery(row);
  },
});
