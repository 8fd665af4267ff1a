/** Encrypts short texts with AES-256-GCM under a key derived from the operator's secret, bound to their purpose. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '../core/ports/secret-box.ts';

export const SECRET_BYTES = 32;

/** The first byte, so that other formats can be added. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export function createSecretBox(secret: Buffer): SecretBox {
  const key = deriveKey(secret, 'seal');
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose, 'utf8'));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, purpose) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) {
        throw new Error(
          'The sealed value cannot be opened: it is damaged, or was sealed by a newer version.',
        );
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(purpose, 'utf8'));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
    },
    derive: (purpose) => deriveKey(secret, `derive ${purpose}`),
  };
}

/** Identifies a secret without revealing anything about it; derived under a separate label. */
export function fingerprintOf(secret: Buffer): Buffer {
  return deriveKey(secret, 'fingerprint');
}

function deriveKey(secret: Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `countersign ${label} 1`, 32));
}
