/** Secrets that travel in links and cookies: 32 random bytes outside, their SHA-256 inside. */
import { hash, randomBytes } from 'node:crypto';

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same as text, for looking it up. */
export function hexHashOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}
