/** Comparing secrets and signatures of webhooks in constant time. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookHeaders } from './port.ts';

/** The one value of a header; empty if it is missing or sent twice. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** The time it takes depends on neither value. Empty values are never equal. */
export function equalSecrets(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected)) && expected !== '' && given !== '';
}

export function hmacSha256(secret: string | Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** A signature in hexadecimal digits, as GitHub and Gitea send it. */
export function isHexSignature(given: string, secret: string, body: Uint8Array): boolean {
  if (secret === '' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), hmacSha256(secret, body));
}
