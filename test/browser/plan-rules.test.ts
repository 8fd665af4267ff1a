/** The page's own rules, without a browser: where cards go, what differs, what an anchor holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/engines/plan-text/compare-versions.ts';
import { linesOf, partsOf, withoutIndent } from '../../web/pages/plan/comparison/difference-model.ts';
import {
  compareLines,
  compareWords,
  type WordChange,
} from '../../web/pages/plan/comparison/word-difference.ts';
import { CARD_GAP, stackCards } from '../../web/pages/plan/margin/stack-cards.ts';
import { anchorOf } from '../../web/pages/plan/reader/anchor.ts';

const CARDS = fc
  .array(fc.record({ wanted: fc.nat(3000), height: fc.integer({ min: 1, max: 400 }) }), { maxLength: 30 })
  .map((cards) =>
    cards
      .toSorted((one, other) => one.wanted - other.wanted)
      .map((card, index) => ({ ...card, id: String(index) })),
  );

describe('cards in the margin', () => {
  it('never lie over one another, stay in the order of their words and inside the column', () => {
    fc.assert(
      fc.property(CARDS, fc.nat(40), (cards, pinned) => {
        const tops = stackCards(cards, String(pinned));
        let free = 0;
        for (const { height, id } of cards) {
          expect(tops.get(id)).toBeGreaterThanOrEqual(free);
          free = tops.get(id)! + height + CARD_GAP;
        }
      }),
    );
  });

  it('are exactly beside their words where there is room, and the pinned one even where there is little', () => {
    fc.assert(
      fc.property(CARDS, fc.nat(29), (cards, pinned) => {
        const card = cards[pinned];
        if (!card) return;
        const needed = cards.slice(0, pinned).reduce((sum, { height }) => sum + height + CARD_GAP, 0);
        if (card.wanted >= needed) expect(stackCards(cards, card.id).get(card.id)).toBe(card.wanted);
      }),
    );
    const [far] = [
      stackCards([
        { id: 'a', wanted: 10, height: 50 },
        { id: 'b', wanted: 500, height: 50 },
      ]),
    ];
    expect(Object.fromEntries(far)).toEqual({ a: 10, b: 500 });
  });
});

const TEXT = fc
  .array(fc.constantFrom('one', 'two', 'three', ' ', '\n', '🌙', 'é', '.', '**'), { maxLength: 60 })
  .map((parts) => parts.join(''));
const sideOf = (changes: WordChange[], left: WordChange['change'], glue = '') =>
  changes
    .filter(({ change }) => change !== left)
    .map(({ text }) => text)
    .join(glue);

describe('a difference', () => {
  it('by word or line holds both texts whole', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (before, after) => {
        const words = compareWords(before, after);
        expect(sideOf(words, 'added')).toBe(before);
        expect(sideOf(words, 'removed')).toBe(after);
        const lines = compareLines(before, after);
        expect(sideOf(lines, 'added', '\n')).toBe(before);
        expect(sideOf(lines, 'removed', '\n')).toBe(after);
      }),
    );
    expect(compareWords('which is 24 hours later', 'which is 72 hours later')).toEqual([
      { change: 'same', text: 'which is ' },
      { change: 'removed', text: '24' },
      { change: 'added', text: '72' },
      { change: 'same', text: ' hours later' },
    ]);
    expect(compareWords('with a limit', 'on the client'), 'a phrase stays whole').toEqual([
      { change: 'removed', text: 'with a limit' },
      { change: 'added', text: 'on the client' },
    ]);
  });

  it('of versions shows each line of the new one once, in order, whatever is folded', () => {
    const paragraph = fc
      .array(fc.constantFrom('alpha', 'beta', 'gamma', '- item', '# head'), { minLength: 1, maxLength: 3 })
      .map((lines) => lines.join('\n'));
    const document = fc.array(paragraph, { maxLength: 12 }).map((parts) => parts.join('\n\n'));
    fc.assert(
      fc.property(document, document, (before, after) => {
        const difference = {
          from: { version: 1, content: before },
          to: { version: 2, content: after },
          ...compareVersions(before, after),
        };
        const parts = partsOf(difference);
        expect(parts.filter(({ type }) => type === 'change')).toHaveLength(difference.stats.changes);
        const shown = parts.flatMap(linesOf).filter(({ change }) => change !== 'removed');
        const lines = after.split('\n');
        for (const line of shown) {
          expect(line.words.map(({ text }) => text).join(''), `line ${line.after}`).toBe(
            lines[line.after! - 1],
          );
        }
        const numbers = shown.map((line) => line.after!);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        const written = lines.filter((line) => line.trim() !== '').length;
        expect(shown.filter(({ words }) => words.some(({ text }) => text.trim() !== '')).length).toBe(
          written,
        );
      }),
    );
  });

  it('lets a nested item stand alone without turning it into code', () => {
    expect(withoutIndent('    - deep\n      more\n  less')).toBe('- deep\n  more\nless');
  });
});

describe('an anchor', () => {
  it('quotes the source and what surrounds it, and cuts no character in half', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('🌙', 'a', 'é', '\n', 'word '), { minLength: 1, maxLength: 200 }),
        fc.nat(),
        (parts, pick) => {
          const content = parts.join('');
          const index = pick % parts.length;
          const start = parts.slice(0, index).join('').length;
          const place = { start, end: start + parts[index]!.length };
          const anchor = JSON.parse(anchorOf({ ...TEXT_AROUND, content }, place)!);
          expect(content).toContain(anchor.prefix + anchor.quote + anchor.suffix);
          expect(anchor.quote).toBe(parts[index]);
          expect(anchor.prefix.isWellFormed() && anchor.suffix.isWellFormed()).toBe(true);
          expect(anchor.prefix.length).toBeLessThanOrEqual(64);
        },
      ),
    );
  });

  it('is refused when it would be longer than the service takes', () => {
    const content = '"'.repeat(40_000);
    expect(anchorOf({ ...TEXT_AROUND, content }, { start: 0, end: content.length })).toBeUndefined();
  });
});

const TEXT_AROUND = {
  version: 1,
  versionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
  structure: { sections: [], steps: [], files: [], repositories: [] },
};
