/** Makes a race certain: the test holds a lock, and goes on when the requests that it wants to meet wait for it. */
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db } from '../src/platform/db/index.ts';

/** Resolves when so many statements of this database wait for a lock. */
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
