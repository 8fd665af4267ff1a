/** Refusals of large bodies: the first few at once, a flood slowly, each address for itself. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RefusalPace } from './refusal-pace.ts';

function controlled() {
  let nowMs = 1_000_000;
  return {
    pace: new RefusalPace(() => nowMs),
    advance: (milliseconds: number) => {
      nowMs += milliseconds;
    },
  };
}

it('answers ten at once, then one each 50 ms, and none later than after two seconds', () => {
  const { advance, pace } = controlled();
  const delays = Array.from({ length: 60 }, () => pace.delayMs('203.0.113.1'));
  expect(delays.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50, 100]);
  expect(delays.at(-1)).toBe(2000);
  expect(pace.delayMs('203.0.113.2')).toBe(0);
  expect(pace.delayMs('2001:db8::1')).toBe(0);
  advance(2500);
  expect(pace.delayMs('203.0.113.1')).toBe(0);
});

it('leaves a caller with less than 20 refusals a second alone', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 50, max: 5000 })), (gaps) => {
      const { advance, pace } = controlled();
      for (const gap of gaps) {
        advance(gap);
        expect(pace.delayMs('203.0.113.1')).toBe(0);
      }
    }),
  );
});
