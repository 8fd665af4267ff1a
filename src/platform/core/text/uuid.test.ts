/** Version 7 UUIDs: unique, and ordered by creation even if the clock is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uuidv7 } from './uuid.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

describe('uuidv7', () => {
  it('has the version, the variant and lower case', () => {
    for (let count = 0; count < 1000; count += 1) expect(uuidv7()).toMatch(V7);
  });

  it('is unique and strictly increasing, a hundred thousand times within a moment', () => {
    const ids = Array.from({ length: 100_000 }, () => uuidv7());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id, index) => index === 0 || ids[index - 1]! < id)).toBe(true);
  });

  it('contains the time of its creation', () => {
    const later = Date.now() + 1_000_000;
    expect(timeOf(uuidv7(later))).toBe(later);
  });

  it('never decreases, whatever the clock does', () => {
    let last = uuidv7();
    const start = Date.now() + 2_000_000;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100_000, max: 100_000 })), (steps) => {
        for (const step of steps) {
          const next = uuidv7(start + step);
          expect(next > last).toBe(true);
          expect(next).toMatch(V7);
          last = next;
        }
      }),
    );
  });
});
