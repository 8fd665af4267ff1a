/**
 * One attempt at a delivery, run by the queue: claim it, send it, write down what came of it. What is written and the job
 * for the next attempt are one transaction. Should the process die in between, the queue runs the job again, and the
 * receiver sees the same `webhook-id`.
 */
import type { Log } from '../../platform/core/log.ts';
import type { SecretBox } from '../../platform/core/secret-box.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import type { Queue } from '../../platform/queue/index.ts';
import type { DeliveryState } from './contract.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  giveUpDeliveries,
  recordAttempt,
  releaseDelivery,
  selectHeld,
} from './delivery-store.ts';
import { type Outcome, postDelivery } from './post-delivery.ts';
import { retryDelayMs } from './retry-delay.ts';
import { signatureHeaders } from './sign-delivery.ts';
import { openWebhookSecret } from './webhook-secret.ts';

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
  if (!delivery) return comeBackWhenFree(services, deliveryId);
  if (!delivery.wanted) {
    const { organization_id: organizationId, webhook_id: webhookId } = delivery;
    return giveUpDeliveries(db, organizationId, webhookId, 'The webhook is disabled or deleted.');
  }
  const at = now();
  const outcome = await postDelivery({
    url: delivery.url,
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
 * Someone else is at it, or died at it: whoever that is, it is free again by then. A delivery that is not due has a job
 * of its own for the time when it is.
 */
async function comeBackWhenFree({ db, queue }: DeliveryServices, deliveryId: string): Promise<void> {
  const held = await selectHeld(db, deliveryId);
  if (held) await queue.send(db, DELIVER_WEBHOOK, [jobFor(held, held.claimed_until!)]);
}

function jobFor(delivery: { id: string; webhook_id: string }, startAfter: Date) {
  return { data: { deliveryId: delivery.id }, group: delivery.webhook_id, startAfter };
}

function judge({ durationMs, note, status }: Outcome, attempts: number) {
  const delayMs = succeeded(status) ? undefined : retryDelayMs(attempts, Math.random());
  const state: DeliveryState = succeeded(status) ? 'succeeded' : delayMs === undefined ? 'failed' : 'pending';
  return { state, responseStatus: status, note, durationMs, retryDelayMs: delayMs };
}

function succeeded(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Ids alone: the URL and the reply may hold secrets. */
function logOutcome(log: Log, delivery: ClaimedDelivery, { durationMs, status }: Outcome): void {
  const { attempts, id, webhook_id: webhookId } = delivery;
  const level = succeeded(status) ? 'debug' : 'info';
  log[level]({ deliveryId: id, webhookId, attempts, status, durationMs }, 'a webhook delivery was attempted');
}
