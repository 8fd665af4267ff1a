/** GET /api/v2/webhooks: the organization's webhooks. */
import { defineOperation } from '../../context.ts';
import { ListWebhooksInput, WebhookList } from './contract.ts';
import { presentWebhook } from './present-webhook.ts';
import { selectWebhooks } from './webhook-store.ts';

export const listWebhooks = defineOperation({
  name: 'list-webhooks',
  group: 'Webhooks',
  summary: 'List webhooks',
  http: { method: 'GET', path: '/api/v2/webhooks', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListWebhooksInput,
  output: WebhookList,
  problems: [],
  async run({ actor, db }) {
    const rows = await selectWebhooks(db, actor.organizationId);
    return { webhooks: rows.map(presentWebhook) };
  },
});
