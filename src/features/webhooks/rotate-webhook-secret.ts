/** POST /api/v2/webhooks/:webhookId/secret: replaces the secret and returns the new one, only this once. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { CreatedWebhook, RotateWebhookSecretInput } from './contract.ts';
import { presentWebhook } from './present-webhook.ts';
import { newWebhookSecret } from './sign-delivery.ts';
import { sealWebhookSecret } from './webhook-secret.ts';
import { lockWebhook, selectWebhook, updateWebhook } from './webhook-store.ts';
import { withoutQuery } from './webhook-url.ts';

export const rotateWebhookSecret = defineOperation({
  name: 'rotate-webhook-secret',
  group: 'Webhooks',
  summary: "Replace a webhook's secret",
  description:
    'The old secret stops working immediately: every further attempt is signed with the new one, even for earlier deliveries. The new secret is returned only in this response.',
  http: { method: 'POST', path: '/api/v2/webhooks/:webhookId/secret', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: RotateWebhookSecretInput,
  output: CreatedWebhook,
  problems: ['not_found'],
  async run(context, { webhookId }) {
    const { actor, clock, db } = context;
    const secret = newWebhookSecret();
    const webhook = await inTransaction(db, async (transaction) => {
      const found = await lockWebhook(transaction, actor.organizationId, webhookId);
      if (!found) throw notFound('The webhook');
      await updateWebhook(transaction, actor.organizationId, webhookId, {
        sealed_secret: sealWebhookSecret(context.secrets, webhookId, secret),
        updated_at: clock.now(),
      });
      await recordAudit(transaction, callerOf(context), {
        action: 'webhook.secret_rotated',
        subjectId: webhookId,
        subjectName: withoutQuery(found.url),
      });
      return (await selectWebhook(transaction, actor.organizationId, webhookId))!;
    });
    return { webhook: presentWebhook(webhook), secret };
  },
});
