/** DELETE /api/v2/webhooks/:webhookId: deletes a webhook and cancels its pending deliveries. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { DeleteWebhookInput } from './contract.ts';
import { cancelDeliveries } from './delivery-store.ts';
import { lockWebhook, updateWebhook } from './webhook-store.ts';
import { withoutQuery } from './webhook-url.ts';

export const deleteWebhook = defineOperation({
  name: 'delete-webhook',
  group: 'Webhooks',
  summary: 'Delete a webhook',
  description:
    'Its secret is deleted, its pending deliveries are canceled, and its deliveries are no longer shown.',
  http: { method: 'DELETE', path: '/api/v2/webhooks/:webhookId', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: DeleteWebhookInput,
  output: null,
  problems: ['not_found'],
  async run(context, { webhookId }) {
    const { actor, clock, db } = context;
    const { organizationId } = actor;
    await inTransaction(db, async (transaction) => {
      const webhook = await lockWebhook(transaction, organizationId, webhookId);
      if (!webhook) throw notFound('The webhook');
      const now = clock.now();
      await updateWebhook(transaction, organizationId, webhookId, {
        sealed_secret: null,
        deleted_at: now,
        updated_at: now,
      });
      await cancelDeliveries(transaction, organizationId, webhookId, 'The webhook was deleted.');
      await recordAudit(transaction, callerOf(context), {
        action: 'webhook.deleted',
        subjectId: webhookId,
        subjectName: withoutQuery(webhook.url),
      });
    });
  },
});
