/** POST /api/v2/webhooks/:webhookId/test: sends a test message now, once, and returns the response. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { TestedWebhook, TestWebhookInput } from './contract.ts';
import { postDelivery } from './post-delivery.ts';
import { signatureHeaders } from './sign-delivery.ts';
import { openWebhookSecret, openWebhookUrl } from './webhook-secret.ts';
import { lockWebhook } from './webhook-store.ts';

export const testWebhook = defineOperation({
  name: 'test-webhook',
  group: 'Webhooks',
  summary: 'Send a test to a webhook',
  description: 'Also if the webhook is disabled. The test is not retried and not listed as a delivery.',
  http: { method: 'POST', path: '/api/v2/webhooks/:webhookId/test', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: TestWebhookInput,
  output: TestedWebhook,
  problems: ['not_found'],
  async run({ actor, clock, db, disconnected, secrets, settings }, { webhookId }) {
    const { organizationId } = actor;
    const webhook = await lockWebhook(db, organizationId, webhookId);
    if (!webhook) throw notFound('The webhook');
    const at = clock.now();
    const body = JSON.stringify(
      webhook.format === 'json'
        ? { type: 'test', timestamp: at.toISOString(), organizationId }
        : { text: 'Messages from Countersign reach this channel.' },
    );
    const sealed = { ...webhook, webhook_id: webhookId };
    const outcome = await postDelivery({
      url: openWebhookUrl(secrets, sealed),
      headers: signatureHeaders(openWebhookSecret(secrets, sealed), uuidv7(), at, body),
      body,
      allowPrivateAddresses: settings.allowPrivateAddresses,
      signal: disconnected(),
    });
    return { responseStatus: outcome.status, note: outcome.note };
  },
});
