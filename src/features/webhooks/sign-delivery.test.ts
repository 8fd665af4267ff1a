/** Signatures as the Standard Webhooks convention has them, checked against other ways to compute them. */
import { createHmac, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newWebhookSecret, signatureHeaders } from './sign-delivery.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
const AT = new Date('2026-11-15T12:00:00.999Z');

it('signs id, time in whole seconds and body with the bytes that the secret stands for', () => {
  const body = '{"type":"plan.created","title":"Grüße 🌙"}';
  const key = Buffer.from('31f290f6bf06298aab4f08d43c3f082cf648a362da2da4b0', 'hex');
  const expected = createHmac('sha256', key).update(`${ID}.1794744000.${body}`, 'utf8').digest('base64');
  expect(signatureHeaders(SECRET, ID, AT, body)).toEqual({
    'webhook-id': ID,
    'webhook-timestamp': '1794744000',
    'webhook-signature': `v1,${expected}`,
  });
});

it('is verified by an implementation of HMAC that is not the one it was made with, whatever the body', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      async (body, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const headers = signatureHeaders(secret, ID, AT, body);
        const key = await webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
          'verify',
        ]);
        const signature = Buffer.from(headers['webhook-signature'].slice('v1,'.length), 'base64');
        const signed = new TextEncoder().encode(`${ID}.${headers['webhook-timestamp']}.${body}`);
        expect(await webcrypto.subtle.verify('HMAC', key, signature, signed)).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

it('makes secrets of 32 random bytes, each another', () => {
  const secrets = new Set(Array.from({ length: 100 }, newWebhookSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
});
