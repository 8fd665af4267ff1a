/** When a repository is fetched next. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refreshDelayMs } from './refresh-delay.ts';

const MINUTE_MS = 60_000;
const random = fc.double({ min: 0, max: 1, noNaN: true });

it('varies by a tenth around the interval after a success', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 604_800 }), random, (refreshSeconds, chance) => {
      const delayMs = refreshDelayMs({ failures: 0, refreshSeconds }, chance);
      expect(delayMs).toBeGreaterThanOrEqual(refreshSeconds * 900 - 1);
      expect(delayMs).toBeLessThanOrEqual(refreshSeconds * 1100 + 1);
    }),
  );
});

it('doubles from a minute up to six hours while it fails', () => {
  const minutes = (failures: number) => refreshDelayMs({ failures, refreshSeconds: 300 }, 0.5) / MINUTE_MS;
  expect([1, 2, 3, 4, 9, 10, 1000, 1e9].map(minutes)).toEqual([1, 2, 4, 8, 256, 360, 360, 360]);
});
