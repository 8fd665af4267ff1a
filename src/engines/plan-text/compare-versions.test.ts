/** A difference shows what a reader would say changed, and both versions can be read out of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from '../text/index.ts';
import { compareVersions, MAX_PIECES, type VersionDifference } from './compare-versions.ts';

/** One line a block: a sign for the change, then the words, with `[-removed-]` and `{+added+}`. */
function shown(before: string, after: string): string[] {
  const signs = { same: '=', added: '+', removed: '-', changed: '~', moved: '>' };
  return compareVersions(before, after).blocks.map((block) => {
    const text = block.after
      ? after.slice(block.after.start, block.after.end)
      : before.slice(block.before!.start, block.before!.end);
    const marks = { same: ['', ''], added: ['{+', '+}'], removed: ['[-', '-]'] };
    const words = block.words?.map(({ change, text }) => marks[change].join(text)).join('');
    return `${signs[block.change]} ${words ?? text}`;
  });
}

const CASES: Array<[name: string, before: string, after: string, blocks: string[]]> = [
  ['nothing changed', '# A\n\nb', '# A\n\nb', ['= # A', '= b']],
  [
    'blank lines and line ends are not looked at',
    'a\nb\n\nc',
    'a\r\nb\r\n\r\n\r\nc\r\n',
    ['= a\r\nb', '= c'],
  ],
  ['a block is added', '# A\n\nb', '# A\n\nnew text\n\nb', ['= # A', '+ new text', '= b']],
  ['a block is removed', 'a\n\nb\n\nc', 'a\n\nc', ['= a', '- b', '= c']],
  [
    'a paragraph is reworded',
    'The cache is slow today.',
    'The cache is very slow.',
    ['~ The cache is{+ very+} slow[- today-].'],
  ],
  ['a step is checked', '- [ ] Add tests', '- [x] Add tests', ['~ - [[- -]{+x+}] Add tests']],
  ['a paragraph becomes an item', 'Add the new table', '- Add the new table', ['~ {+- +}Add the new table']],
  ['an item is nested', '- a b c\n- d e f', '- a b c\n  - d e f', ['= - a b c', '~ {+  +}- d e f']],
  [
    'nothing in common is not a change',
    'Alpha beta gamma',
    'Delta epsilon zeta',
    ['- Alpha beta gamma', '+ Delta epsilon zeta'],
  ],
  [
    'a small word in common is not a change',
    'Alpha and beta carotene',
    'Delta and epsilon zeta',
    ['- Alpha and beta carotene', '+ Delta and epsilon zeta'],
  ],
  [
    'a paragraph is no table',
    'name and size',
    '| name | size |\n|---|---|',
    ['- name and size', '+ | name | size |\n|---|---|'],
  ],
  [
    'a block goes elsewhere',
    'first one\n\nsecond one\n\nthird one',
    'second one\n\nthird one\n\nfirst one',
    ['= second one', '= third one', '> first one'],
  ],
  ['rules do not move', 'a\n\n---\n\nb\n\nc', 'a\n\nb\n\nc\n\n---', ['= a', '- ---', '= b', '= c', '+ ---']],
  [
    'the most similar are paired',
    'We use Redis for the queue.\n\nWe use Postgres for the data.',
    'We use MySQL for the data.\n\nSomething else entirely.\n\nWe use Kafka for the queue.',
    [
      '~ We use [-Postgres-]{+MySQL+} for the data.',
      '+ Something else entirely.',
      '~ We use [-Redis-]{+Kafka+} for the queue.',
    ],
  ],
  [
    'removed stands before added',
    'same\n\nold text here\n\nend',
    'same\n\nother words now\n\nend',
    ['= same', '- old text here', '+ other words now', '= end'],
  ],
  [
    'a phrase is replaced as a whole',
    'use the old slow way now',
    'use a new quick path now',
    ['~ use [-the old slow way-]{+a new quick path+} now'],
  ],
  ['words in Chinese', '我们使用缓存服务器', '我们使用新缓存服务器', ['~ 我们使用{+新+}缓存服务器']],
  [
    'emoji are not cut',
    'team 👩‍👩‍👧 wins again',
    'team 👩‍👩‍👦 wins again',
    ['~ team [-👩‍👩‍👧-]{+👩‍👩‍👦+} wins again'],
  ],
  ['everything is new', '', '# A\n\nb', ['+ # A', '+ b']],
  ['everything is gone', '# A', ' \n', ['- # A']],
];

describe('compareVersions', () => {
  it.each(CASES)('shows that %s', (_, before, after, blocks) => {
    expect(shown(before, after)).toEqual(blocks);
  });

  it('counts changes and words', () => {
    const before = 'gone for good\n\nThe cache is slow today.\n\nmoved text\n\nsame';
    const after = 'The cache is very slow.\n\nsame\n\nbrand new\n\nmoved text';
    expect(compareVersions(before, after).stats).toEqual({
      changes: 4,
      added: 1,
      removed: 1,
      changed: 1,
      moved: 1,
      wordsAdded: 3,
      wordsRemoved: 4,
    });
  });

  it.each([
    ['blocks added next to each other as one', 'a', 'a\n\nb c d\n\ne f g\n\nh i j', [1, 1, 1]],
    ['blocks added in two places as two', 'a', 'b c d\n\na\n\ne f g', [1, 2]],
    ['removed and added blocks as two', 'a\n\nx y z\n\nu v w', 'a\n\nb c d\n\ne f g', [1, 1, 2, 2]],
    [
      'each edited block as one',
      'The cache is slow.\n\nThe disk is full.',
      'The cache is quick.\n\nThe disk is empty.',
      [1, 2],
    ],
    [
      'blocks removed on both sides of one that moved as two',
      'keep one\n\ngone x y\n\nmoved m n\n\ngone u v\n\nkeep two',
      'moved m n\n\nkeep one\n\nkeep two',
      [1, 2, 3],
    ],
  ])('counts %s', (_, before, after, numbers) => {
    const { blocks, stats } = compareVersions(before, after);
    expect(blocks.flatMap(({ changeNumber }) => changeNumber ?? [])).toEqual(numbers);
    expect(stats.changes).toBe(numbers.at(-1));
  });

  it('numbers changes without gaps, and the kinds add up, for any two texts', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        const { blocks, stats } = compareVersions(before, after);
        const changed = blocks.filter(({ change }) => change !== 'same');
        const numbers = [...new Set(changed.map(({ changeNumber }) => changeNumber))];
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        expect(stats.changes).toBe(numbers.length);
        expect(stats.added + stats.removed + stats.changed + stats.moved).toBe(stats.changes);
        expect(blocks.filter(({ change }) => change === 'same').some((block) => block.changeNumber)).toBe(
          false,
        );
      }),
    );
  });

  it('contains both versions completely, for any two texts', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        expectWhole(before, after, compareVersions(before, after));
      }),
      { numRuns: 600 },
    );
  });

  it('reports same for all blocks of a text compared with itself, and never for blocks that differ', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        expect(compareVersions(after, after).blocks.every(({ change }) => change === 'same')).toBe(true);
        for (const block of compareVersions(before, after).blocks) {
          if (block.change !== 'same' && block.change !== 'moved') continue;
          const [old, fresh] = [
            before.slice(block.before!.start, block.before!.end),
            after.slice(block.after!.start, block.after!.end),
          ];
          expect(old.replace(/\r\n?/g, '\n')).toBe(fresh.replace(/\r\n?/g, '\n'));
        }
      }),
    );
  });

  it('omits words, and says so, if there are too many pieces', () => {
    const paragraphs = (word: string) =>
      Array.from({ length: 300 }, (_, index) => `p${index} ${`stay${index} ${word} keep `.repeat(40)}`).join(
        '\n\n',
      );
    const [before, after] = [paragraphs('old'), paragraphs('new')];
    const difference = compareVersions(before, after);
    expect(difference.truncated).toBe(true);
    expect(difference.stats).toMatchObject({ changed: 300, wordsAdded: 12_000, wordsRemoved: 12_000 });
    const pieces = difference.blocks.flatMap(({ words }) => words ?? []);
    expect(pieces.length).toBeGreaterThan(MAX_PIECES / 2);
    expect(pieces.length).toBeLessThanOrEqual(MAX_PIECES);
    expectWhole(before, after, difference);
  });

  // These would take minutes if any step were quadratic, so finishing is the guarantee.
  describe('finishes for a mebibyte on each side that', () => {
    const fill = (unit: string) => unit.repeat(2 ** 20 / unit.length);
    const numbered = (prefix: string, separator: string) =>
      Array.from({ length: 100_000 }, (_, index) => `${prefix}${index.toString(36)}`).join(separator);
    const cases: Record<string, [string, string]> = {
      'is one line of different words': [numbered('a', ' '), numbered('b', ' ')],
      'is one line of the same words in another order': [
        numbered('a', ' '),
        numbered('a', ' ').split(' ').reverse().join(' '),
      ],
      'is one line of two words': [fill('aa bb bb '), fill('bb aa aa bb ')],
      'is many items': [numbered('- a', '\n'), numbered('- b', '\n')],
      'is many equal items': [fill('- a b\n'), fill('- a c\n')],
      'is Chinese': [fill('日本語文章'), fill('語日文本')],
      'is headings against items': [fill('#\n'), fill('-\n')],
      'is one paragraph against many': [numbered('a', ' '), numbered('a', '\n\n')],
    };
    it.each(Object.entries(cases))('%s', (_, [before, after]) => {
      expectWhole(before, after, compareVersions(before, after));
    });
  });
});

/** Blocks in the order of either side are the blocks of that side, and pieces joined are their texts. */
function expectWhole(before: string, after: string, difference: VersionDifference): void {
  const spans = (content: string) => splitBlocks(content).map(({ end, start }) => ({ start, end }));
  const news = difference.blocks.flatMap((block) => (block.after ? [block.after] : []));
  const olds = difference.blocks.flatMap((block) => (block.before ? [block.before] : []));
  expect(news).toEqual(spans(after));
  expect(olds.sort((left, right) => left.start - right.start)).toEqual(spans(before));
  for (const block of difference.blocks) {
    if (block.change === 'changed' && !difference.truncated) expect(block.words).toBeDefined();
    if (!block.words) continue;
    const joined = (other: string) =>
      block
        .words!.filter(({ change }) => change !== other)
        .map(({ text }) => text)
        .join('');
    expect(joined('added')).toBe(before.slice(block.before!.start, block.before!.end));
    expect(joined('removed')).toBe(after.slice(block.after!.start, block.after!.end));
  }
}

const word = fc.constantFrom(
  'plan',
  'the',
  'cache',
  'slow',
  'Slow',
  'add',
  '日本',
  '👩‍👩‍👧',
  'e\u0301',
  '`a.ts`',
  '**b**',
  '-',
  '[x]',
  '|',
);
const block = fc
  .tuple(
    fc.constantFrom('', '', '# ', '- ', '  - ', '> ', '    ', '1. [ ] ', '| '),
    fc.array(word, { maxLength: 8 }),
    fc.constantFrom('', '', '\n---', '\r\nmore', '\n|-|'),
  )
  .map(([marker, words, end]) => marker + words.join(' ') + end);
/** Two versions that have some blocks in common. */
const versions = fc
  .tuple(
    fc.array(block, { maxLength: 8 }),
    fc.array(fc.tuple(fc.nat(8), fc.nat(2), fc.array(block, { maxLength: 2 })), { maxLength: 4 }),
    fc.constantFrom('\n', '\n\n', '\r\n\r\n'),
  )
  .map(([blocks, edits, separator]) => {
    const edited = [...blocks];
    for (const [at, removed, added] of edits) edited.splice(at, removed, ...added);
    return [blocks.join('\n\n'), edited.join(separator)] as const;
  });
