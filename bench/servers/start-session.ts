/** A browser session of the owner, for what a key can't call; returns its cookie's value. */
import { insertSession } from '../../src/features/accounts/store/session-store.ts';
import { hashOf, newToken } from '../../src/platform/core/text/secret-token.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import type { BenchService } from './start-service.ts';

const DAY_MS = 86_400_000;

export async function startSession({ db, owner }: BenchService): Promise<string> {
  const token = newToken();
  const at = new Date();
  await insertSession(db, {
    id: uuidv7(),
    tokenHash: hashOf(token),
    ...owner,
    userAgent: null,
    address: '127.0.0.1',
    at,
    expiresAt: new Date(at.getTime() + DAY_MS),
  });
  return token;
}
