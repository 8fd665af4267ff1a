/** Signs deliveries as the Standard Webhooks convention has it, so that receivers can use any library of it. */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The headers that prove who sent this body, and when; the id is the same at each attempt, the time is not. */
export function signatureHeaders(secret: string, deliveryId: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
