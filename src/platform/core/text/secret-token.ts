/** Secrets in links and cookies: 32 random bytes, of which only the SHA-256 is stored. */
import { hash, randomBytes } from 'node:crypto';

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same hash in hex, as used by lookups. */
export function hexHashOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}
