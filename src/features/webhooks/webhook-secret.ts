/** The secret that signs the deliveries of a webhook, encrypted for that webhook only. */
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { lockPlainSecrets, updateSecret } from './webhook-store.ts';

const purposeOf = (webhookId: string) => `webhook-secret:${webhookId}`;
const BATCH = 100;

export function sealWebhookSecret(secrets: SecretBox, webhookId: string, secret: string): Buffer {
  return secrets.seal(secret, purposeOf(webhookId));
}

export function openWebhookSecret(
  secrets: SecretBox,
  webhook: { webhook_id: string; secret: string | null; sealed_secret: Buffer | null },
): string {
  const { sealed_secret: sealed, secret, webhook_id: id } = webhook;
  if (sealed) return secrets.open(sealed, purposeOf(id));
  if (secret === null) throw new Error('The webhook has no secret.');
  return secret; // Written by an earlier version that still runs on another node.
}

const urlPurposeOf = (webhookId: string) => `webhook-url:${webhookId}`;

export function sealWebhookUrl(secrets: SecretBox, webhookId: string, url: string): Buffer {
  return secrets.seal(url, urlPurposeOf(webhookId));
}

export function openWebhookUrl(
  secrets: SecretBox,
  webhook: { webhook_id: string; url: string; sealed_url: Buffer | null },
): string {
  return webhook.sealed_url
    ? secrets.open(webhook.sealed_url, urlPurposeOf(webhook.webhook_id))
    : webhook.url;
}

/** Encrypts secrets that earlier versions stored in plain text. Several nodes can run this at once. */
export async function sealPlainSecrets(db: Db, secrets: SecretBox): Promise<void> {
  for (;;) {
    const count = await inTransaction(db, async (transaction) => {
      const rows = await lockPlainSecrets(transaction, BATCH);
      for (const { id, secret } of rows) {
        // A deleted webhook has an empty secret, which becomes null.
        const sealed = secret ? sealWebhookSecret(secrets, id, secret) : null;
        await updateSecret(transaction, id, sealed);
      }
      return rows.length;
    });
    if (count === 0) return;
  }
}
