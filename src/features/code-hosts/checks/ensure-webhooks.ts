/** Creates the webhooks of repositories that were added. Without one, the host is asked regularly instead. */
import { isHostError } from '../../../engines/code-hosts/index.ts';
import { selectWebhookDue, writeWebhookState } from '../connections/host-check-store.ts';
import { openHostWebhookSecret } from '../connections/host-secrets.ts';
import { webhookUrlOf } from '../connections/webhook-address.ts';
import type { HostCheck } from './host-check.ts';

const BATCH = 100;

/** Whether there are more to create. */
export async function ensureWebhooks({
  baseUrl,
  db,
  host,
  row,
  secrets,
  signal,
}: HostCheck): Promise<boolean> {
  if (row.webhook_secret === null) return false;
  const secret = openHostWebhookSecret(secrets, row.id, row.webhook_secret);
  const due = await selectWebhookDue(db, row.id, BATCH);
  for (const { full_name: fullName, repository_id: id } of due) {
    signal.throwIfAborted();
    try {
      const done = await host.ensureWebhook(fullName, { url: webhookUrlOf(baseUrl(), row.id), secret });
      await writeWebhookState(db, id, done === 'not_needed' ? 'unneeded' : 'created', null);
    } catch (error) {
      if (!isHostError(error, 'forbidden', 'not_found', 'invalid', 'unsupported')) throw error;
      const problem = isHostError(error, 'invalid')
        ? error.message
        : 'The credential may not create webhooks.';
      await writeWebhookState(db, id, 'failed', problem);
    }
  }
  return due.length === BATCH;
}
