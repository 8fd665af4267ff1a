/** The cache keeps the most recently used entries within its limit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

it('keeps the most recently used entries within its size, like a naive list', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    bytes: fc.nat(60),
    isRead: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = createBoundedCache<number>(100);
      // The most recently used comes last.
      let held: { key: string; bytes: number; value: number }[] = [];
      for (const [value, { bytes, isRead, key }] of steps.entries()) {
        const known = held.find((each) => each.key === key);
        if (isRead) {
          expect(cache.get(key)).toBe(known?.value);
          if (known) held = [...held.filter((each) => each !== known), known];
          continue;
        }
        cache.set(key, value, bytes);
        held = [...held.filter((each) => each !== known), { key, bytes, value }];
        while (held.length > 1 && held.reduce((sum, each) => sum + each.bytes, 0) > 100) held.shift();
      }
      for (const key of 'abcde') expect(cache.get(key)).toBe(held.find((each) => each.key === key)?.value);
    }),
    { numRuns: 500 },
  );
});
