/** PATCH /api/v2/webhooks/:webhookId: changes the URL, the events, or whether the webhook is enabled. */

import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ChangeWebhookInput, Webhook } from './contract.ts';
import { cancelDeliveries } from './delivery-store.ts';
import { presentWebhook } from './present-webhook.ts';
import { sealWebhookUrl } from './webhook-secret.ts';
import { lockWebhook, selectWebhook, updateWebhook } from './webhook-store.ts';
import { acceptUrl, shownUrl, withoutQuery } from './webhook-url.ts';

export const changeWebhook = defineOperation({
  name: 'change-webhook',
  group: 'Webhooks',
  summary: 'Change a webhook',
  http: { method: 'PATCH', path: '/api/v2/webhooks/:webhookId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeWebhookInput,
  output: Webhook,
  problems: ['not_found'],
  async run(context, { webhookId, ...input }) {
    const { actor, clock, db } = context;
    const { organizationId } = actor;
    const url =
      input.url === undefined
        ? undefined
        : await acceptUrl(input.url, context.settings.allowPrivateAddresses);
    const webhook = await inTransaction(db, async (transaction) => {
      const before = await lockWebhook(transaction, organizationId, webhookId);
      if (!before) throw notFound('The webhook');
      const after = {
        url: url === undefined ? before.url : shownUrl(url, before.format),
        event_kinds: input.eventKinds ? [...new Set(input.eventKinds)] : before.event_kinds,
        enabled: input.enabled ?? before.enabled,
      };
      const sealedUrl =
        url !== undefined && before.format !== 'json'
          ? sealWebhookUrl(context.secrets, webhookId, url)
          : undefined;
      const detail = { ...changesBetween(before, after), ...(sealedUrl && { url: { to: after.url } }) };
      if (Object.keys(detail).length > 0) {
        await updateWebhook(transaction, organizationId, webhookId, {
          ...after,
          ...(sealedUrl && { sealed_url: sealedUrl }),
          updated_at: clock.now(),
        });
        if (!after.enabled) {
          await cancelDeliveries(transaction, organizationId, webhookId, 'The webhook was disabled.');
        }
        await recordAudit(transaction, callerOf(context), {
          action: 'webhook.changed',
          subjectId: webhookId,
          subjectName: withoutQuery(after.url),
          detail,
        });
      }
      return (await selectWebhook(transaction, organizationId, webhookId))!;
    });
    return presentWebhook(webhook);
  },
});

interface Settings {
  url: string;
  event_kinds: string[];
  enabled: boolean;
}

/** The changed settings for the audit log, with URLs without their query. */
function changesBetween(before: Settings, after: Settings): Record<string, unknown> {
  const sameKinds = before.event_kinds.join() === after.event_kinds.join();
  return {
    ...(before.url !== after.url && { url: { from: withoutQuery(before.url), to: withoutQuery(after.url) } }),
    ...(!sameKinds && { eventKinds: { from: before.event_kinds, to: after.event_kinds } }),
    ...(before.enabled !== after.enabled && { enabled: { from: before.enabled, to: after.enabled } }),
  };
}
