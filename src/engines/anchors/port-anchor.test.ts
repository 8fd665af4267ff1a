/** Properties of following a quote into another text: what is reported as unchanged is unchanged, for any texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { compareTexts, differsInWhiteSpaceOnly, type Placement, portAnchor } from './port-anchor.ts';

describe('portAnchor, for any two texts and any range', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          'alpha beta.',
          '# Top',
          '- item',
          '\n',
          '\n\n',
          '😀',
          '字。',
          'é',
          '```',
          ' ',
          '\r\n',
        ),
        {
          maxLength: 40,
        },
      )
      .map((pieces) => pieces.join('')),
  );
  const related = fc
    .tuple(text, fc.array(fc.tuple(fc.nat(80), fc.nat(20), fc.string({ maxLength: 10 })), { maxLength: 4 }))
    .map(([before, edits]) => {
      let after = before;
      for (const [at, removed, added] of edits)
        after = after.slice(0, at) + added + after.slice(at + removed);
      return { before, after };
    });
  const pair = fc.oneof(fc.record({ before: text, after: text }), related);
  const place = fc.record({
    start: fc.integer({ min: -5, max: 100 }),
    end: fc.integer({ min: -5, max: 100 }),
  });

  it('returns ranges within the text that split no character, and only the literal quote is exact or moved', () => {
    fc.assert(
      fc.property(pair, place, ({ before, after }, range) => {
        const placement = portAnchor(range, compareTexts(before, after));
        if (placement.result === 'orphaned') return;
        expectWithin(after, placement);
        const quote = widened(before, range);
        if (placement.result === 'edited') {
          expect(placement.oldText).toBe(quote);
          expect(placement.newText).toBe(after.slice(placement.start, placement.end));
          expect(placement.newText).not.toBe(quote);
        } else expect(after.slice(placement.start, placement.end)).toBe(quote);
      }),
      { numRuns: 3000 },
    );
  });

  it('returns the same result every time, regardless of earlier uses of the comparison', () => {
    fc.assert(
      fc.property(pair, fc.array(place, { minLength: 1, maxLength: 5 }), ({ before, after }, ranges) => {
        const shared = compareTexts(before, after);
        const reused = ranges.map((range) => portAnchor(range, shared));
        const fresh = ranges.map((range) => portAnchor(range, compareTexts(before, after)));
        expect(reused).toEqual(fresh);
      }),
      { numRuns: 500 },
    );
  });

  it('is exact at the same place in an unchanged text', () => {
    fc.assert(
      fc.property(text, place, (before, range) => {
        const placement = portAnchor(range, compareTexts(before, before));
        expect(placement.result).toBe('exact');
        if (placement.result === 'exact')
          expect(before.slice(placement.start, placement.end)).toBe(widened(before, range));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('portAnchor, for a text of paragraphs', () => {
  /** Paragraphs that have no word in common but the small ones, in several scripts. */
  const paragraphs = fc
    .array(fc.record({ script: fc.nat(4), sentences: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 6,
      maxLength: 12,
    })
    .map((list) => list.map(({ script, sentences }, index) => paragraph(script, index, sentences)));
  const two = fc.tuple(fc.nat(1000), fc.nat(1000));

  it('is exact and shifted when text is inserted elsewhere', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const quoted = which % list.length;
        const at = where % (list.length + 1);
        const changed = [...list.slice(0, at), 'Something new that nobody wrote before.', ...list.slice(at)];
        const index = at <= quoted ? quoted + 1 : quoted;
        expect(follow(list, quoted, changed)).toEqual({ result: 'exact', ...placeOf(changed, index) });
      }),
    );
  });

  it('is exact and shifted when other text is removed', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const quoted = which % list.length;
        const gone = where % list.length;
        fc.pre(gone !== quoted);
        const changed = list.toSpliced(gone, 1);
        const index = gone < quoted ? quoted - 1 : quoted;
        expect(follow(list, quoted, changed)).toEqual({ result: 'exact', ...placeOf(changed, index) });
      }),
    );
  });

  it('is moved when its paragraph moves', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const from = which % list.length;
        const to = where % list.length;
        // When two neighbors swap places, either can be the one that moved.
        fc.pre(Math.abs(from - to) > 1);
        const changed = list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);
        expect(follow(list, from, changed)).toEqual({ result: 'moved', ...placeOf(changed, to) });
      }),
    );
  });

  it('is orphaned under its heading when its paragraph is removed', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, which) => {
        const quoted = which % list.length;
        const sections = list.map((text, index) => `## Section ${index}\n\n${text}`);
        const changed = sections.with(quoted, `## Section ${quoted}`);
        const before = sections.join('\n\n');
        const start = before.indexOf(list[quoted]!);
        const range = { start, end: start + list[quoted]!.length };
        expect(portAnchor(range, compareTexts(before, changed.join('\n\n')))).toEqual({
          result: 'orphaned',
          heading: `Section ${quoted}`,
        });
      }),
    );
  });

  it('is edited, with the old and the new words, when one of its words changes', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, word]) => {
        const quoted = which % list.length;
        const words = list[quoted]!.split(' ');
        words[word % words.length] = `replaced${/[.。]$/.exec(words[word % words.length]!)?.[0] ?? ''}`;
        fc.pre(words.length > 3);
        const changed = list.with(quoted, words.join(' '));
        expect(follow(list, quoted, changed)).toEqual({
          result: 'edited',
          ...placeOf(changed, quoted),
          oldText: list[quoted],
          newText: changed[quoted],
        });
      }),
    );
  });

  it('keeps each of several equal paragraphs at its own position', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, where) => {
        const copy = 'The same words stand here more than once.';
        const doubled = list.flatMap((text, index) => (index % 3 === 1 ? [text, copy] : [text]));
        const at = where % (list.length + 1);
        const changed = doubled.toSpliced(at, 0, 'A paragraph of its own, put in.');
        for (const [index, text] of doubled.entries()) {
          if (text !== copy) continue;
          const now = at <= index ? index + 1 : index;
          expect(follow(doubled, index, changed)).toEqual({ result: 'exact', ...placeOf(changed, now) });
        }
      }),
    );
  });

  it('does not mistake an existing copy for one that was removed', () => {
    fc.assert(
      fc.property(paragraphs, (list) => {
        const copy = 'The same words stand here more than once.';
        const doubled = [...list.slice(0, 2), copy, ...list.slice(2, 5), copy, ...list.slice(5)];
        const changed = doubled.toSpliced(2, 1);
        expect(follow(doubled, 2, changed).result).toBe('orphaned');
        expect(follow(doubled, 6, changed)).toEqual({ result: 'exact', ...placeOf(changed, 5) });
      }),
    );
  });

  it('follows words inside a line when all line endings change', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, which) => {
        const quoted = which % list.length;
        const before = list.join('\n\n');
        const after = list.join('\r\n\r\n');
        const start = before.indexOf(list[quoted]!);
        const placement = portAnchor(
          { start, end: start + list[quoted]!.length },
          compareTexts(before, after),
        );
        expect(placement.result).toBe('exact');
      }),
    );
  });
});

describe('compareTexts', () => {
  it('returns regions in order, with identical text between them', () => {
    const line = fc.constantFrom('', 'alpha', 'beta beta', '# Top', '- item', '```', '\r', 'é');
    const lines = fc.array(line, { maxLength: 30 }).map((list) => list.join('\n'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let [left, right] = [0, 0];
        const end = { beforeStart: before.length, beforeEnd: 0, afterStart: after.length, afterEnd: 0 };
        for (const region of [...compareTexts(before, after).regions, end]) {
          // The last line has no line break in one of the texts when it has become another line's.
          const equal = before.slice(left, region.beforeStart).trimEnd();
          expect(after.slice(right, region.afterStart).trimEnd()).toBe(equal);
          [left, right] = [region.beforeEnd, region.afterEnd];
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('differsInWhiteSpaceOnly', () => {
  it('distinguishes a rewrapped sentence from one with different words', () => {
    expect(differsInWhiteSpaceOnly('a b\nc', 'a\n  b c')).toBe(true);
    expect(differsInWhiteSpaceOnly('a b', 'a c')).toBe(false);
  });
});

function paragraph(script: number, index: number, sentences: number): string {
  const letter = String.fromCharCode(97 + index);
  const stems = [
    (number: number) => `${letter}${'bcdfghjk'[number % 8]}ord${letter}${number}`,
    (number: number) => `ñ${letter}e\u0301${number}ção`,
    (number: number) => `עברית${letter}${number}`,
    (number: number) => `😀${letter}👩‍👧${number}`,
    (number: number) => String.fromCodePoint(0x4e00 + index * 400 + number * 3).repeat(2),
  ];
  return Array.from({ length: sentences }, (_, sentence) =>
    Array.from({ length: 6 }, (_, word) => stems[script]!(sentence * 6 + word)).join(' '),
  )
    .map((text) => `${text}.`)
    .join(' ');
}

function placeOf(list: string[], index: number): { start: number; end: number } {
  const start = list.slice(0, index).join('\n\n').length + (index > 0 ? 2 : 0);
  return { start, end: start + list[index]!.length };
}

function follow(before: string[], index: number, after: string[]): Placement {
  return portAnchor(placeOf(before, index), compareTexts(before.join('\n\n'), after.join('\n\n')));
}

/** The quote of a range: within the text, and wider by half a character where an end parts one. */
function widened(text: string, { start, end }: { start: number; end: number }): string {
  let from = Math.min(Math.max(start, 0), text.length);
  let to = Math.min(Math.max(end, from), text.length);
  if (partsCharacter(text, from)) from -= 1;
  if (partsCharacter(text, to)) to += 1;
  return text.slice(from, to);
}

function expectWithin(text: string, { start, end }: { start: number; end: number }): void {
  expect(start).toBeGreaterThanOrEqual(0);
  expect(end).toBeGreaterThanOrEqual(start);
  expect(end).toBeLessThanOrEqual(text.length);
  expect(partsCharacter(text, start)).toBe(false);
  expect(partsCharacter(text, end)).toBe(false);
}

function partsCharacter(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1)) && at > 0;
}
