/** Makes a race deterministic: the test holds a lock and continues once the requests are waiting for it. */
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db } from '../../../src/platform/db/index.ts';

/** Resolves when this many statements of the database wait for a lock. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ waiting: number }>`SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(rows[0]!.waiting).toBe(count);
    },
    { timeout: 20_000, interval: 20 },
  );
}
