/** The page's pure rules, without a browser: card layout, differences and anchors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/engines/plan-text/compare-versions.ts';
import { compareWords } from '../../src/engines/text/index.ts';
import {
  formatChange,
  linesOf,
  partsOf,
  withoutIndent,
} from '../../web/pages/plan/comparison/difference-model.ts';
import {
  CARD_GAP,
  isCrowded,
  layOutCards,
  QUOTE_HEIGHT,
  scrollNeeded,
} from '../../web/pages/plan/margin/lay-out-cards.ts';
import { anchorOf } from '../../web/pages/plan/reader/anchor.ts';

const TEXT = fc
  .array(fc.constantFrom('one', 'two', 'three', ' ', '\n', '🌙', 'é', '.', '**'), { maxLength: 60 })
  .map((parts) => parts.join(''));

const CARDS = fc
  .array(fc.record({ anchor: fc.nat(3000), height: fc.integer({ min: 1, max: 400 }) }), { maxLength: 60 })
  .map((cards) =>
    cards
      .toSorted((one, other) => one.anchor - other.anchor)
      .map((card, index) => ({ ...card, id: String(index) })),
  );

describe('cards in the margin', () => {
  it('never overlap and keep the order of their sentences, whichever is active', () => {
    fc.assert(
      fc.property(CARDS, fc.nat(70), (cards, active) => {
        const placed = layOutCards(cards, String(active));
        let free = 0;
        for (const { id } of cards) {
          const card = placed.get(id);
          if (!card) continue;
          expect(card.top).toBeGreaterThanOrEqual(free);
          free = card.top + card.height + CARD_GAP;
        }
      }),
    );
  });

  it('place the active one exactly beside its sentence, and hide only cards above it', () => {
    fc.assert(
      fc.property(CARDS, fc.nat(59), (cards, active) => {
        const placed = layOutCards(cards, String(active));
        if (cards[active])
          expect(placed.get(String(active))).toMatchObject({ top: cards[active].anchor, isBeside: true });
        const shown = cards.map(({ id }) => placed.has(id));
        const first = shown.indexOf(true);
        expect(first).toBeLessThanOrEqual(active);
        expect(shown.slice(Math.max(first, 0)).every(Boolean), 'no holes').toBe(true);
        if (!cards[active]) expect(shown.every(Boolean), 'without an active one all are shown').toBe(true);
      }),
    );
  });

  it('quote their sentence exactly when it is not beside them, with space for the quote', () => {
    fc.assert(
      fc.property(CARDS, fc.nat(70), (cards, active) => {
        const placed = layOutCards(cards, String(active));
        for (const { anchor, height, id } of cards) {
          const card = placed.get(id);
          if (!card) continue;
          expect(card.height).toBe(card.isBeside ? height : height + QUOTE_HEIGHT);
          if (card.isBeside) expect(Math.abs(card.top - anchor)).toBeLessThan(40);
          if (card.top === anchor) expect(card.isBeside).toBe(true);
        }
      }),
    );
  });

  it('are folded only when they would drift away', () => {
    const card = (anchor: number, height = 200) => ({ id: String(anchor), anchor, height });
    expect(isCrowded([card(0), card(150), card(900)])).toBe(false);
    expect(isCrowded(Array.from({ length: 8 }, (_, index) => card(index * 60)))).toBe(true);
    expect(isCrowded(Array.from({ length: 60 }, (_, index) => card(index * 240)))).toBe(false);
  });
});

describe('scrolling to a sentence and its card', () => {
  it('does nothing when both are in view, and otherwise brings both into view', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5000, max: 5000 }),
        fc.nat(1200),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 400, max: 1200 }),
        (top, height, first, last) => {
          const by = scrollNeeded({ top, bottom: top + height }, { top: first, bottom: last });
          expect(top - by).toBeGreaterThanOrEqual(first);
          if (height <= last - first - 32) expect(top - by + height).toBeLessThanOrEqual(last);
          if (top >= first + 16 && top + height <= last - 16) expect(by).toBe(0);
        },
      ),
    );
  });
});

describe('a changed block as formatted text', () => {
  const format = (before: string, after: string) =>
    formatChange(before, after, compareWords(before, after).pieces);
  const marked = ({
    content,
    highlights,
  }: {
    content: string;
    highlights: { start: number; end: number }[];
  }) => highlights.map(({ end, start }) => content.slice(start, end));

  it.each([
    ['plain text', 'Keep it for ten minutes.', 'Keep it for one minute.', ['ten minutes', 'one minute']],
    ['bold', 'Keep **both** keys.', 'Keep **all** keys.', ['both', 'all']],
    [
      'a link',
      'See [the old incident](https://a.example).',
      'See [the new incident](https://a.example).',
      ['old', 'new'],
    ],
    ['code', 'Run `npm test` first.', 'Run `npm check` first.', ['test', 'check']],
  ])('marks the words inside %s', (_where, before, after, words) => {
    const change = format(before, after);
    expect(change.kind === 'merged' && marked(change.text)).toEqual(words);
  });

  it('marks the word whose format changed, on both sides', () => {
    const change = format('Keep it short.', 'Keep it **short**.');
    expect(change.kind === 'sides' && marked(change.after)).toEqual([' **short', 'short**']);
    const code = format('Call `open` now.', 'Call *close* now.');
    expect(code.kind === 'sides' && marked(code.before).join()).toContain('open');
    expect(code.kind === 'sides' && marked(code.after).join()).toContain('close');
  });

  it('shows the source where formatted text would hide the change', () => {
    expect(format('See [it](https://a.example/1).', 'See [it](https://a.example/2).').kind).toBe('source');
    expect(format('[it]: https://a.example/1', '[it]: https://a.example/2').kind).toBe('source');
  });

  it('loses no text', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (before, after) => {
        const change = format(before, after);
        if (change.kind !== 'sides') return;
        expect(change.before.content).toBe(before.replace(/^[ \t]*/, ''));
        expect(change.after.content).toBe(after.replace(/^[ \t]*/, ''));
      }),
    );
  });
});

describe('a difference', () => {
  it('of versions shows each line once, in order, blank lines too, whatever is folded', () => {
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
        const all = parts.flatMap((part) => [...part.blankLines, ...linesOf(part)]);
        const shown = all.filter(({ change }) => change !== 'removed');
        const lines = after.split('\n');
        for (const line of shown) {
          expect(line.words.map(({ text }) => text).join(''), `line ${line.after}`).toBe(
            lines[line.after! - 1],
          );
        }
        const allOf = (content: string) => (content === '' ? [] : content.split('\n').map((_, at) => at + 1));
        expect(shown.map((line) => line.after)).toEqual(allOf(after));
        const old = all.flatMap((line) => (line.change === 'added' ? [] : (line.before ?? [])));
        const isInOrder = old.every((number, at) => at === 0 || old[at - 1]! < number);
        const isMoved = parts.some((part) => part.type === 'change' && part.change === 'moved');
        // Blocks that changed their place keep their old numbers.
        if (isInOrder && !isMoved) expect(old).toEqual(allOf(before));
      }),
    );
  });

  it('shows a nested item alone without turning it into code', () => {
    expect(withoutIndent('    - deep\n      more\n  less')).toBe('- deep\n  more\nless');
  });
});

describe('an anchor', () => {
  it('quotes the source with its surroundings, and splits no character', () => {
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

  it('is refused when it exceeds the limit of the service', () => {
    const content = '"'.repeat(40_000);
    expect(anchorOf({ ...TEXT_AROUND, content }, { start: 0, end: content.length })).toBeUndefined();
  });
});

const TEXT_AROUND = {
  version: 1,
  versionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
  structure: { sections: [], steps: [], files: [], repositories: [] },
};
