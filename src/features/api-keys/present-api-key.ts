/** A key as shown to callers, without its hash. */
import type { z } from 'zod';
import type { ApiKeyRow } from './api-key-store.ts';
import type { ApiKey } from './contract.ts';

export function presentApiKey(row: ApiKeyRow): z.input<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
