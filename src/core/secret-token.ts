/** Secrets that travel in links and cookies: 32 random bytes outside, their SHA-256 inside. */
import { createHash, randomBytes } from 'node:crypto';

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
