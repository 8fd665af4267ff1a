/**
 * One delivery attempt, run by the queue: claims the delivery, sends it and records the outcome. The outcome and the job
 * for the next attempt are written in one transaction. If the process crashes before that, the queue runs the job again,
 * and the receiver gets the same `webhook-id`.
 */

import { retryDelayMs } from '../../platform/core/network/retry-delay.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { Queue } from '../../platform/queue/index.ts';
import type { DeliveryState } from './contract.ts';
import {
  type ClaimedDelivery,
  cancelDeliveries,
  claimDelivery,
  recordAttempt,
  releaseDelivery,
  selectHeld,
} from './delivery-store.ts';
import { type Outcome, postDelivery } from './post-delivery.ts';
import { signatureHeaders } from './sign-delivery.ts';
import { openWebhookSecret, openWebhookUrl } from './webhook-secret.ts';

export const DELIVER_WEBHOOK = 'deliver-webhook';

export interface DeliveryServices {
  db: Db;
  queue: Queue;
  log: Log;
  secrets: SecretBox;
  now(): Date;
  allowPrivateAddresses: boolean;
}

export async function deliverWebhook(
  services: DeliveryServices,
  deliveryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { allowPrivateAddresses, db, now, queue, secrets } = services;
  const delivery = await claimDelivery(db, deliveryId);
  if (!delivery) return retryWhenReleased(services, deliveryId);
  if (!delivery.wanted) {
    const { organization_id: organizationId, webhook_id: webhookId } = delivery;
    return cancelDeliveries(db, organizationId, webhookId, 'The webhook is disabled or deleted.');
  }
  const at = now();
  const outcome = await postDelivery({
    url: openWebhookUrl(secrets, delivery),
    headers: signatureHeaders(openWebhookSecret(secrets, delivery), delivery.id, at, delivery.payload),
    body: delivery.payload,
    allowPrivateAddresses,
    signal,
  }).catch(async (error: unknown) => {
    await releaseDelivery(db, delivery);
    throw error;
  });
  await inTransaction(db, async (transaction) => {
    const next = await recordAttempt(transaction, delivery, { at, ...judge(outcome, delivery.attempts) });
    if (next) await queue.send(transaction, DELIVER_WEBHOOK, [jobFor(delivery, next)]);
  });
  logOutcome(services.log, delivery, outcome);
}

/**
 * Tries again when the claim of another worker, which may have crashed, has ended. A delivery that is not due already has
 * a job for its due time.
 */
async function retryWhenReleased({ db, queue }: DeliveryServices, deliveryId: string): Promise<void> {
  const held = await selectHeld(db, deliveryId);
  if (held) await queue.send(db, DELIVER_WEBHOOK, [jobFor(held, held.claimed_until!)]);
}

function jobFor(delivery: { id: string; webhook_id: string }, startAfter: Date) {
  return { data: { deliveryId: delivery.id }, group: delivery.webhook_id, startAfter };
}

function judge({ durationMs, note, retryAfterMs, status }: Outcome, attempts: number) {
  const usual = succeeded(status) ? undefined : retryDelayMs(attempts, Math.random());
  const delayMs = usual === undefined ? undefined : Math.max(usual, retryAfterMs);
  const state: DeliveryState = succeeded(status) ? 'succeeded' : delayMs === undefined ? 'failed' : 'pending';
  return { state, responseStatus: status, note, durationMs, retryDelayMs: delayMs };
}

function succeeded(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Logs IDs only, because the URL and the response may contain secrets. */
function logOutcome(log: Log, delivery: ClaimedDelivery, { durationMs, status }: Outcome): void {
  const { attempts, id, webhook_id: webhookId } = delivery;
  const level = succeeded(status) ? 'debug' : 'info';
  log[level]({ deliveryId: id, webhookId, attempts, status, durationMs }, 'attempted a webhook delivery');
}
