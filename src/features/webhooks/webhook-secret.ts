/** The secret that signs a webhook's deliveries: sealed for that one webhook. */
import type { SecretBox } from '../../platform/core/secret-box.ts';
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
  return secret; // Of an earlier version that still runs on another node.
}

/** Seals what earlier versions stored plainly. Several nodes may do so at once: each row is taken by one of them. */
export async function sealPlainSecrets(db: Db, secrets: SecretBox): Promise<void> {
  for (;;) {
    const count = await inTransaction(db, async (transaction) => {
      const rows = await lockPlainSecrets(transaction, BATCH);
      for (const { id, secret } of rows) {
        // A deleted webhook has an empty secret, and none from now on.
        const sealed = secret ? sealWebhookSecret(secrets, id, secret) : null;
        await updateSecret(transaction, id, sealed);
      }
      return rows.length;
    });
    if (count === 0) return;
  }
}
