/** Suggestions that were applied word for word, whatever they are and whatever else changed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeAddressed } from './index.ts';

const LINE = fc.constantFrom(
  ...['const total = sum(items);', 'if (total > 0) send(total);', 'log.info(total);', '}', ''],
  ...['return total;', 'items.sort();', '  items.pop();'],
);
const FRESH = fc.integer({ min: 0, max: 1e6 }).map((number) => `other(${number});`);

const suggestion = fc
  .record({
    above: fc.array(LINE, { maxLength: 15 }),
    region: fc.array(LINE, { minLength: 1, maxLength: 5 }),
    below: fc.array(LINE, { maxLength: 15 }),
    editsAbove: fc.uniqueArray(FRESH, { maxLength: 3 }),
    editsBelow: fc.uniqueArray(FRESH, { maxLength: 3 }),
    at: fc.nat(),
  })
  .chain((given) =>
    fc
      .oneof(
        fc.shuffledSubarray(given.region, { minLength: given.region.length }),
        fc.array(LINE, { maxLength: 5 }),
      )
      .map((lines) => ({ ...given, lines })),
  )
  .filter(({ lines, region }) => lines.join('\n') !== region.join('\n'));
type Given = typeof suggestion extends fc.Arbitrary<infer Value> ? Value : never;

/** Between other lines, as many as there are. */
const insert = (lines: string[], edits: string[], at: number) =>
  lines.toSpliced(at % (lines.length + 1), 0, ...edits);

function judge({ above, below, lines, region }: Given, after: string[]) {
  return judgeAddressed({
    comment: `Better:\n\`\`\`suggestion\n${lines.map((line) => `${line}\n`).join('')}\`\`\``,
    ...{ replies: [], file: 'src/a.ts', otherHunks: [] },
    ...{ startLine: above.length + 1, endLine: above.length + region.length },
    commentedCode: region.join('\n'),
    before: [...above, ...region, ...below].join('\n'),
    after: after.join('\n'),
  });
}

it('are addressed, also when they only reorder lines, with other edits above and below', () => {
  fc.assert(
    fc.property(suggestion, (given) => {
      const { above, at, below, editsAbove, editsBelow, lines } = given;
      const after = [...insert(above, editsAbove, at), ...lines, ...insert(below, editsBelow, at)];
      const { reason, verdict } = judge(given, after);
      expect([verdict, reason]).toEqual([
        'addressed',
        expect.stringMatching(/^The suggestion was applied in /),
      ]);
    }),
    { numRuns: 500 },
  );
});

it('are not addressed while the lines are as they were', () => {
  fc.assert(
    fc.property(suggestion, (given) => {
      const { above, at, below, editsAbove, editsBelow, region } = given;
      const after = [...insert(above, editsAbove, at), ...region, ...insert(below, editsBelow, at)];
      expect(judge(given, after).verdict).not.toBe('addressed');
    }),
    { numRuns: 500 },
  );
});

it('name the reordered lines, and are not addressed by another order', () => {
  const given = {
    ...{ above: ['a();'], region: ['b();', 'c();'], below: ['d();'], lines: ['c();', 'b();'] },
    ...{ editsAbove: [], editsBelow: [], at: 0 },
  };
  const after = ['a();', 'c();', 'b();', 'd();'];
  expect(judge(given, after)).toMatchObject({
    verdict: 'addressed',
    reason: 'The suggestion was applied in line 2.',
  });
  expect(judge({ ...given, lines: ['c();', 'x();', 'b();'] }, after).verdict).not.toBe('addressed');
});
