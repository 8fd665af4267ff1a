/** Hunks turn the first sequence into the second for any input, minimally where that is affordable. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSequences, type Hunk, internTokens } from './index.ts';

const sequence = (alphabet: number, maxLength = 60) =>
  fc.array(fc.integer({ min: 0, max: alphabet - 1 }), { maxLength });

/** Two sequences that have much in common, as two versions of a text have. */
const related = fc
  .tuple(sequence(12), fc.array(fc.tuple(fc.nat(60), fc.nat(6), sequence(12, 6)), { maxLength: 6 }))
  .map(([before, edits]) => {
    const after = [...before];
    for (const [at, removed, added] of edits) after.splice(at, removed, ...added);
    return { before, after };
  });

const pairs = fc.oneof(
  related,
  fc.record({ before: sequence(2), after: sequence(2) }),
  fc.record({ before: sequence(1000), after: sequence(1000) }),
);

describe('diffSequences', () => {
  it('returns hunks that turn before into after', () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        expect(apply(before, after, diffSequences(before, after))).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns hunks that are ordered, not empty and not adjacent, with equal parts between them', () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        expectWellFormed(before, after, diffSequences(before, after));
      }),
      { numRuns: 1000 },
    );
  });

  it('changes no more than necessary', () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        expect(keptBy(before, diffSequences(before, after))).toBe(longestCommon(before, after));
      }),
      { numRuns: 1000 },
    );
  });

  it('returns no hunk for equal sequences and one for sequences that share nothing', () => {
    expect(diffSequences([1, 2, 3], [1, 2, 3])).toEqual([]);
    expect(diffSequences([], [])).toEqual([]);
    expect(diffSequences([1, 2], [3])).toEqual([
      { beforeStart: 0, beforeEnd: 2, afterStart: 0, afterEnd: 1 },
    ]);
  });

  it('accepts numbers that are negative, fractional or huge', () => {
    expect(diffSequences([-1, 0.5, 2 ** 52], [-1, 7, 2 ** 52])).toEqual([
      { beforeStart: 1, beforeEnd: 2, afterStart: 1, afterEnd: 2 },
    ]);
  });

  it('keeps unique tokens in place when more has changed than is searched', () => {
    const random = randomNumbers(7);
    // Noise of few distinct tokens, differing on both sides, around 100 landmarks that occur once.
    const noise = () => Array.from({ length: 1500 }, () => Math.floor(random() * 4));
    const make = () => Array.from({ length: 100 }, (_, mark) => [1000 + mark, ...noise()]).flat();
    const [before, after] = [make(), make()];
    const hunks = diffSequences(before, after);
    expectWellFormed(before, after, hunks);
    const changed = hunks.flatMap((hunk) => before.slice(hunk.beforeStart, hunk.beforeEnd));
    expect(changed.filter((token) => token >= 1000)).toEqual([]);
  });

  // These would run for hours if any step were quadratic, so finishing is the guarantee.
  describe('finishes for 200,000 tokens on each side that', () => {
    const LENGTH = 200_000;
    const random = randomNumbers(1);
    const few = (alphabet: number) =>
      Int32Array.from({ length: LENGTH }, () => Math.floor(random() * alphabet));
    const cases: Record<string, [Int32Array, Int32Array]> = {
      'share nothing': [
        Int32Array.from({ length: LENGTH }, (_, index) => index),
        Int32Array.from({ length: LENGTH }, (_, index) => index + LENGTH),
      ],
      'are drawn from two tokens': [few(2), few(2)],
      'are drawn from a thousand tokens': [few(1000), few(1000)],
      'are each other reversed': [
        Int32Array.from({ length: LENGTH }, (_, index) => index),
        Int32Array.from({ length: LENGTH }, (_, index) => LENGTH - index),
      ],
      'repeat with different periods': [
        Int32Array.from({ length: LENGTH }, (_, index) => index % 997),
        Int32Array.from({ length: LENGTH }, (_, index) => index % 1009),
      ],
      'become unique only one after another': [
        Int32Array.from({ length: LENGTH }, (_, index) => (index % 3 === 0 ? 0 : index >> 2)),
        Int32Array.from({ length: LENGTH }, (_, index) => (index % 5 === 0 ? 0 : (index + 9) >> 2)),
      ],
    };
    for (const [name, [before, after]] of Object.entries(cases)) {
      it(name, () => {
        const hunks = diffSequences(before, after);
        expectWellFormed(before, after, hunks);
      });
    }
  });
});

describe('internTokens', () => {
  it('assigns the same number to equal strings across lists, and different ones to different strings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2 })),
        fc.array(fc.string({ maxLength: 2 })),
        (left, right) => {
          const numbers = internTokens(left, right).flatMap((list) => [...list]);
          const strings = [...left, ...right];
          for (let index = 1; index < strings.length; index += 1) {
            const first = strings.indexOf(strings[index]!);
            expect(numbers.indexOf(numbers[index]!)).toBe(first);
          }
        },
      ),
    );
  });

  it('distinguishes names of built-in object properties', () => {
    const [numbers] = internTokens(['__proto__', 'constructor', '__proto__']);
    expect([...numbers!]).toEqual([0, 1, 0]);
  });
});

function apply(before: number[], after: number[], hunks: Hunk[]): number[] {
  const result: number[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...before.slice(at, hunk.beforeStart), ...after.slice(hunk.afterStart, hunk.afterEnd));
    at = hunk.beforeEnd;
  }
  return [...result, ...before.slice(at)];
}

function expectWellFormed(before: ArrayLike<number>, after: ArrayLike<number>, hunks: Hunk[]): void {
  expect(findFault(before, after, hunks)).toBeUndefined();
}

function findFault(before: ArrayLike<number>, after: ArrayLike<number>, hunks: Hunk[]): string | undefined {
  let [left, right] = [0, 0];
  const end = {
    beforeStart: before.length,
    beforeEnd: before.length,
    afterStart: after.length,
    afterEnd: after.length,
  };
  for (const [index, hunk] of [...hunks, end].entries()) {
    const gap = hunk.beforeStart - left;
    if (hunk.afterStart - right !== gap) return `hunk ${index}: the parts before it differ in length`;
    if (hunk !== end && index > 0 && gap <= 0) return `hunk ${index} touches the one before it`;
    for (let offset = 0; offset < gap; offset += 1) {
      if (before[left + offset] !== after[right + offset]) return `hunk ${index}: the parts before it differ`;
    }
    if (hunk !== end && hunk.beforeStart === hunk.beforeEnd && hunk.afterStart === hunk.afterEnd) {
      return `hunk ${index} is empty`;
    }
    [left, right] = [hunk.beforeEnd, hunk.afterEnd];
  }
  return undefined;
}

function keptBy(before: number[], hunks: Hunk[]): number {
  return before.length - hunks.reduce((sum, hunk) => sum + hunk.beforeEnd - hunk.beforeStart, 0);
}

/** The textbook table, as the measure of what is minimal. */
function longestCommon(before: number[], after: number[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const token of before) {
    const next = [0];
    for (let index = 0; index < after.length; index += 1) {
      next.push(token === after[index] ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** A small generator with a seed, so that the large cases are the same on every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
