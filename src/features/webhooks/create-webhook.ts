/** POST /api/v2/webhooks: creates a webhook and returns its secret, only this once. */

import { defineOperation } from '../../context.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { CreatedWebhook, CreateWebhookInput, MAX_WEBHOOKS } from './contract.ts';
import { presentWebhook } from './present-webhook.ts';
import { newWebhookSecret } from './sign-delivery.ts';
import { sealWebhookSecret, sealWebhookUrl } from './webhook-secret.ts';
import { countWebhooks, insertWebhook, isRepository, lockWebhooks, selectWebhook } from './webhook-store.ts';
import { acceptUrl, shownUrl, withoutQuery } from './webhook-url.ts';

export const createWebhook = defineOperation({
  name: 'create-webhook',
  group: 'Webhooks',
  summary: 'Add a webhook',
  description:
    'Plan events are posted to the URL as JSON, signed as specified by Standard Webhooks. The secret is returned only in this response.',
  http: { method: 'POST', path: '/api/v2/webhooks', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: CreateWebhookInput,
  output: CreatedWebhook,
  problems: ['conflict', 'not_found'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const url = await acceptUrl(input.url, context.settings.allowPrivateAddresses);
    const format = input.format ?? 'json';
    const repositoryId = input.repositoryId ?? null;
    if (repositoryId !== null && !(await isRepository(db, actor.organizationId, repositoryId))) {
      throw notFound('The repository');
    }
    const secret = newWebhookSecret();
    const webhook = await inTransaction(db, async (transaction) => {
      await lockWebhooks(transaction, actor.organizationId);
      if ((await countWebhooks(transaction, actor.organizationId)) >= MAX_WEBHOOKS) {
        throw new Problem(
          'conflict',
          `Your organization already has ${MAX_WEBHOOKS} webhooks. Delete one first.`,
        );
      }
      const id = uuidv7();
      await insertWebhook(transaction, {
        id,
        organizationId: actor.organizationId,
        url: shownUrl(url, format),
        sealedUrl: format === 'json' ? null : sealWebhookUrl(context.secrets, id, url),
        format,
        repositoryId,
        sealedSecret: sealWebhookSecret(context.secrets, id, secret),
        eventKinds: [...new Set(input.eventKinds)],
        enabled: input.enabled ?? true,
        createdBy: actor.userId,
        at: clock.now(),
      });
      await recordAudit(transaction, callerOf(context), {
        action: 'webhook.created',
        subjectId: id,
        subjectName: withoutQuery(shownUrl(url, format)),
      });
      return (await selectWebhook(transaction, actor.organizationId, id))!;
    });
    return { webhook: presentWebhook(webhook), secret };
  },
});
