/** Pages within a budget: never larger than allowed, nothing lost or repeated, and always in the same order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPage, type Measure, type Part, type Piece, type Position } from './budget.ts';

const HEADER_BYTES = 30;
const PER_PART_BYTES = 10;

/** A page like a tool's: a heading, a line for each part, and a cursor. */
const measure: Measure<Piece> = (parts, next) =>
  HEADER_BYTES +
  (next ? next.key.length + String(next.offset).length : 0) +
  parts.reduce((sum, { piece, text }) => sum + PER_PART_BYTES + piece.key.length + jsonBytes(text), 0);

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('word ', 'line\n', 'end.\n\n', '👩‍👩‍👧', '"', '\n\n'), { maxLength: 120 })
    .map((parts) => parts.join('')),
);
const pieces = fc
  .array(fc.record({ text, atomic: fc.boolean() }), { maxLength: 30 })
  .map((list): Piece[] => list.map((piece, index) => ({ ...piece, key: `k${index}` })));
/** Enough for a heading, a cursor and some characters, like the smallest budget that a tool accepts. */
const budget = fc.integer({ min: 90, max: 2000 });

function readAll(list: Piece[], budgetBytes: number) {
  const pages: Part<Piece>[][] = [];
  const tooLarge: Piece[] = [];
  let from: Position | null = null;
  do {
    const page: ReturnType<typeof fillPage<Piece>> = fillPage(list, from, budgetBytes, measure);
    expect(measure(page.parts, page.next, 0)).toBeLessThanOrEqual(budgetBytes);
    expect(page.next).not.toEqual(from ?? {});
    pages.push(page.parts);
    tooLarge.push(...page.tooLarge);
    from = page.next;
    expect(pages.length).toBeLessThan(10_000);
  } while (from);
  return { pages, tooLarge };
}

describe('pages', () => {
  it('stay within the budget and together contain every character once, in order', () => {
    fc.assert(
      fc.property(pieces, budget, (list, budgetBytes) => {
        const { pages, tooLarge } = readAll(list, budgetBytes);
        const skipped = new Set(tooLarge.map(({ key }) => key));
        const read = new Map<string, string>();
        for (const { end, piece, start, text: part } of pages.flat()) {
          expect(part).toBe(piece.text.slice(start, end));
          expect(start).toBe(read.get(piece.key)?.length ?? 0);
          read.set(piece.key, (read.get(piece.key) ?? '') + part);
        }
        expect([...read]).toEqual(
          list.filter(({ key }) => !skipped.has(key)).map((piece) => [piece.key, piece.text]),
        );
        for (const piece of tooLarge) expect(piece.atomic).toBe(true);
      }),
    );
  });

  it('split neither atomic pieces nor characters', () => {
    fc.assert(
      fc.property(pieces, budget, (list, budgetBytes) => {
        for (const { piece, text: part } of readAll(list, budgetBytes).pages.flat()) {
          if (piece.atomic) expect(part).toBe(piece.text);
          if (piece.text.isWellFormed()) expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('skip only pieces that fit on no page', () => {
    fc.assert(
      fc.property(pieces, budget, (list, budgetBytes) => {
        for (const piece of readAll(list, budgetBytes).tooLarge) {
          const alone = { piece, text: piece.text, start: 0, end: piece.text.length };
          const next = { key: `k${list.length}`, offset: 0 };
          expect(measure([alone], next, 0)).toBeGreaterThan(budgetBytes - 1);
        }
      }),
    );
  });

  it('are a single page if everything fits', () => {
    const list = [
      { key: 'a', text: 'one' },
      { key: 'b', text: '' },
    ];
    const { next, parts } = fillPage(list, null, 10_000, measure);
    expect(next).toBeNull();
    expect(parts.map(({ text: part }) => part)).toEqual(['one', '']);
  });
});

describe('a split', () => {
  const cutOf = (long: string, budgetBytes: number) =>
    fillPage([{ key: 'a', text: long }], null, budgetBytes, measure).parts[0]!.text;

  it('comes after a paragraph, otherwise after a line, otherwise after a word', () => {
    expect(cutOf(`${'a b\n'.repeat(20)}\n${'c d\n'.repeat(100)}`, 180)).toMatch(/b\n\n$/);
    expect(cutOf('some words\n'.repeat(100), 180)).toMatch(/words\n$/);
    expect(cutOf('word '.repeat(100), 180)).toMatch(/word $/);
    expect(cutOf('x'.repeat(1000), 180).length).toBeGreaterThan(100);
  });

  it('never falls inside a surrogate pair', () => {
    const piece = { key: 'a', text: `x${'👍'.repeat(300)}` };
    const bytes: Measure<Piece> = (parts) =>
      parts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0);
    for (let budgetBytes = 100; budgetBytes < 110; budgetBytes += 1) {
      expect(fillPage([piece], null, budgetBytes, bytes).parts[0]!.text).toMatch(/^x👍+$/u);
    }
  });

  it('is avoided if the piece fits on the next page, unless this page is less than half full', () => {
    const [small, large] = [
      { key: 'a', text: 'x'.repeat(150) },
      { key: 'b', text: 'y'.repeat(100) },
    ];
    expect(fillPage([small, large], null, 300, measure).parts).toHaveLength(1);
    const huge = { key: 'b', text: 'y'.repeat(1000) };
    expect(fillPage([small, huge], null, 300, measure).parts).toHaveLength(2);
  });
});

describe('a position', () => {
  it('stays with its piece when other pieces are added or removed', () => {
    const list = ['a', 'b', 'c'].map((key) => ({ key, text: key.repeat(100) }));
    const { next } = fillPage(list, null, 170, measure);
    expect(next).toEqual({ key: 'b', offset: 0 });
    const later = [{ key: 'new', text: 'n' }, ...list.slice(1)];
    expect(fillPage(later, next, 170, measure).parts[0]!.piece.key).toBe('b');
  });

  it('in a piece that no longer exists is refused with a hint', () => {
    expect(() => fillPage([], { key: 'gone', offset: 0 }, 100, measure)).toThrow(/without `cursor`/);
  });

  it('in a text that became shorter points to its end', () => {
    const { parts } = fillPage([{ key: 'a', text: 'abc' }], { key: 'a', offset: 99 }, 1000, measure);
    expect(parts.map(({ text: part }) => part)).toEqual(['']);
  });
});
