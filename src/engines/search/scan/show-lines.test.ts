/** Shown lines have the right text, numbers and context, and never split a character. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineMatch } from './scan-request.ts';
import { placeRanges, showLines } from './show-lines.ts';

const CONTEXT_LINES = 2;

/** A short text, and which of its lines match. */
const texts = fc.record({
  lines: fc.array(fc.constantFrom('', 'a', 'é', '\r', 'b\r', '日本', 'x'.repeat(500)), {
    minLength: 1,
    maxLength: 30,
  }),
  isEnded: fc.boolean(),
  matching: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
});

describe('the lines that are shown', () => {
  it('are the matching ones with two lines of context, as in a naive implementation', () => {
    fc.assert(
      fc.property(texts, ({ isEnded, lines, matching }) => {
        const text = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''));
        // Text after the last line feed is a line only if it isn't empty.
        const all = lines.at(-1) === '' && !isEnded ? lines.slice(0, -1) : lines;
        const isMatch = (index: number) => index >= 0 && index < all.length && matching[index]!;
        const isShown = (index: number) =>
          Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, offset) => index - CONTEXT_LINES + offset).some(
            isMatch,
          );
        const shown = showLines(text, placesOf(all, isMatch));
        expect(
          shown.map(({ bytes, isMatch, number }) => ({ number, isMatch, text: bytes.toString() })),
        ).toEqual(
          all.flatMap((line, index) =>
            isShown(index)
              ? [{ number: index + 1, isMatch: isMatch(index), text: line.replace(/\r$/, '') }]
              : [],
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('are truncated around the match at character boundaries, with marks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀'), minLength: 1, maxLength: 900 }),
        fc.nat(),
        (line, choice) => {
          const characters = Array.from(line);
          const before = characters.slice(0, choice % characters.length).join('');
          const column = Buffer.byteLength(before);
          const [shown] = showLines(Buffer.from(line), [{ lineStart: 0, column }]);
          const { bytes, from, text, to } = shown!;
          expect(text).not.toContain('\ufffd');
          expect(text).toBe(
            (from > 0 ? '…' : '') + bytes.subarray(from, to).toString() + (to < bytes.length ? '…' : ''),
          );
          expect(to - from).toBeLessThanOrEqual(bytes.length <= 400 ? 400 : 403);
          expect(from).toBeLessThanOrEqual(column);
          expect(to).toBeGreaterThan(column);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('stay short in a text that is not UTF-8', () => {
    const [shown] = showLines(Buffer.alloc(10_000, 0x80), [{ lineStart: 0, column: 5000 }]);
    expect(shown!.to - shown!.from).toBe(400);
  });
});

describe('what matched in a line', () => {
  it('is the same text in the line as shown', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '日', '😀'), { minLength: 3, maxLength: 700 }),
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        (characters, choice, length) => {
          const first = choice % characters.length;
          const match = characters.slice(first, first + length).join('');
          const start = Buffer.byteLength(characters.slice(0, first).join(''));
          const [line] = showLines(Buffer.from(characters.join('')), [{ lineStart: 0, column: start }]);
          const ranges = placeRanges(line!, [{ start, end: start + Buffer.byteLength(match) }]);
          expect(ranges.map((range) => line!.text.slice(range.start, range.end))).toEqual([match]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is omitted where it is not shown or empty', () => {
    const [line] = showLines(Buffer.from('a'.repeat(2000)), [{ lineStart: 0, column: 0 }]);
    expect(
      placeRanges(line!, [
        { start: 1500, end: 1600 },
        { start: 3, end: 3 },
      ]),
    ).toEqual([]);
  });
});

function placesOf(lines: string[], isMatch: (index: number) => boolean): LineMatch[] {
  let lineStart = 0;
  return lines.flatMap((line, index) => {
    const place = { lineStart, column: 0 };
    lineStart += Buffer.byteLength(line) + 1;
    return isMatch(index) ? [place] : [];
  });
}
