/** The waits between attempts: ever longer, never exactly alike, and bounded in number. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-delay.ts';

it('grows from ten seconds to half a day, and ends after the last attempt', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, 0.5));
  expect(waits).toEqual([10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, undefined]);
  expect(retryDelayMs(MAX_ATTEMPTS + 5, 0.5)).toBeUndefined();
});

it('differs by up to a fifth, and every wait is longer than the one before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_ATTEMPTS - 2 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, one, other) => {
        const middle = retryDelayMs(attempts, 0.5)!;
        expect(retryDelayMs(attempts, one)! / middle).toBeGreaterThanOrEqual(0.799);
        expect(retryDelayMs(attempts, one)! / middle).toBeLessThanOrEqual(1.201);
        expect(retryDelayMs(attempts + 1, other)).toBeGreaterThan(retryDelayMs(attempts, one)!);
      },
    ),
  );
});
