/** The last use of a credential is written at most once a minute, and never lost to a failed write. */
import { describe, expect, it } from 'vitest';
import { LastUsed } from './last-used.ts';

function controlled() {
  let nowMs = Date.UTC(2026, 0, 1);
  let failing = false;
  const written: string[][] = [];
  const lastUsed = new LastUsed(
    async (ids) => {
      if (failing) throw new Error('the database is away');
      written.push(ids);
    },
    () => new Date(nowMs),
  );
  return {
    lastUsed,
    written,
    advance: (milliseconds: number) => {
      nowMs += milliseconds;
    },
    fail: (value: boolean) => {
      failing = value;
    },
  };
}

describe('flush', () => {
  it('writes each used credential once, together, with the time', async () => {
    const times: Date[] = [];
    const lastUsed = new LastUsed(
      async (_ids, at) => void times.push(at),
      () => new Date(Date.UTC(2026, 0, 1)),
    );
    lastUsed.note('a');
    await lastUsed.flush();
    expect(times).toEqual([new Date(Date.UTC(2026, 0, 1))]);
    const { lastUsed: other, written } = controlled();
    for (const id of ['a', 'b', 'a']) other.note(id);
    await other.flush();
    expect(written).toEqual([['a', 'b']]);
  });

  it('writes nothing when nothing was used', async () => {
    const { lastUsed, written } = controlled();
    await lastUsed.flush();
    expect(written).toEqual([]);
  });

  it('writes a credential in constant use once a minute', async () => {
    const { lastUsed, written, advance } = controlled();
    for (let seconds = 0; seconds <= 180; seconds += 5) {
      lastUsed.note('a');
      await lastUsed.flush();
      advance(5_000);
    }
    expect(written.length).toBeGreaterThanOrEqual(3);
    expect(written.length).toBeLessThanOrEqual(4);
  });

  it('retries what could not be written', async () => {
    const { lastUsed, written, fail } = controlled();
    lastUsed.note('a');
    fail(true);
    await expect(lastUsed.flush()).rejects.toThrow('away');
    lastUsed.note('b');
    fail(false);
    await lastUsed.flush();
    expect(written.map((ids) => ids.toSorted())).toEqual([['a', 'b']]);
  });
});
