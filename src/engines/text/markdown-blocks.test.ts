/** Blocks follow CommonMark and GFM, cover the text, and take linear time even for hostile text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, fenceInfo, MAX_BLOCKS, splitBlocks } from './markdown-blocks.ts';

/** Each block as `kind: its lines`, with level, depth and checkbox where they say something. */
function shown(content: string): string[] {
  return splitBlocks(content).map((block) => {
    const details = [
      block.level > 0 ? `h${block.level}` : '',
      block.depth > 0 ? `in ${block.depth}` : '',
      block.task === null ? '' : block.task ? 'done' : 'to do',
    ];
    const kind = [block.kind, ...details].filter(Boolean).join(' ');
    return `${kind}: ${content.slice(block.start, block.end).replaceAll('\n', '⏎')}`;
  });
}

const CASES: Array<[name: string, content: string, blocks: string[]]> = [
  [
    'headings with hashes',
    '# A\n###### B ##\n####### C',
    ['heading h1: # A', 'heading h6: ###### B ##', 'paragraph: ####### C'],
  ],
  ['hashes need a space', '#A\n\n#\tB\n#', ['paragraph: #A', 'heading h1: #\tB', 'heading h1: #']],
  ['a heading ends a paragraph', 'a\n# B\nc', ['paragraph: a', 'heading h1: # B', 'paragraph: c']],
  ['headings that are underlined', 'A\n===\nB\nb\n--', ['heading h1: A⏎===', 'heading h2: B⏎b⏎--']],
  ['a line below nothing is a rule', '---\n\n***\n_ _ _', ['rule: ---', 'rule: ***', 'rule: _ _ _']],
  ['paragraphs', 'a\nb\n\n\nc', ['paragraph: a⏎b', 'paragraph: c']],
  ['white space only is blank', 'a\n \t\nb', ['paragraph: a', 'paragraph: b']],
  ['fences', '```ts\n# no\n\n```\nb', ['code: ```ts⏎# no⏎⏎```', 'paragraph: b']],
  [
    'a fence is closed by its like',
    '~~~~\n```\n~~~\n~~~~~ \nb',
    ['code: ~~~~⏎```⏎~~~⏎~~~~~ ', 'paragraph: b'],
  ],
  ['a fence without end', 'a\n```\n# b\n\nc\n\n', ['paragraph: a', 'code: ```⏎# b⏎⏎c']],
  ['no fence: backticks behind it', '``` a`b\n# c', ['paragraph: ``` a`b', 'heading h1: # c']],
  ['indented code', 'a\n\n    b\n\n    c\nd', ['paragraph: a', 'code:     b⏎⏎    c', 'paragraph: d']],
  ['no indented code inside a paragraph', 'a\n    b', ['paragraph: a⏎    b']],
  [
    'items',
    '- a\n* b\n+ c\n1. d\n2) e',
    ['list-item: - a', 'list-item: * b', 'list-item: + c', 'list-item: 1. d', 'list-item: 2) e'],
  ],
  [
    'nested items',
    '- a\n  - b\n    1. c\n- d',
    ['list-item: - a', 'list-item in 1:   - b', 'list-item in 2:     1. c', 'list-item: - d'],
  ],
  ['too little indentation does not nest', '1. a\n  - b', ['list-item: 1. a', 'list-item:   - b']],
  ['tabs indent to the next fourth column', '- a\n\t- b', ['list-item: - a', 'list-item in 1: \t- b']],
  ['items go on without indentation', '- a\nb\n- c', ['list-item: - a⏎b', 'list-item: - c']],
  ['paragraphs of items', '- a\n\n  b\n\nc', ['list-item: - a', 'paragraph in 1:   b', 'paragraph: c']],
  [
    'code in items',
    '- a\n  ```\n  # x\n  ```\n- b',
    ['list-item: - a', 'code in 1:   ```⏎  # x⏎  ```', 'list-item: - b'],
  ],
  [
    'code in an item ends with the item',
    '- a\n  ```\n  x\nb',
    ['list-item: - a', 'code in 1:   ```⏎  x', 'paragraph: b'],
  ],
  ['an item that is code', '- ```\n  - x\n  ```\n- b', ['list-item: - ```⏎  - x⏎  ```', 'list-item: - b']],
  ['empty items', '-\n  a\n-\n\nb', ['list-item: -⏎  a', 'list-item: -', 'paragraph: b']],
  ['several markers on one line', '- 1. a\n     b', ['list-item: - 1. a⏎     b']],
  [
    'a wrapped number starts no list',
    'It was\n1984. Or\n1. so',
    ['paragraph: It was⏎1984. Or', 'list-item: 1. so'],
  ],
  ['numbers have nine digits at most', '1234567890. a', ['paragraph: 1234567890. a']],
  ['a rule ends a list', '- a\n- - -\n- b', ['list-item: - a', 'rule: - - -', 'list-item: - b']],
  [
    'checkboxes',
    '- [ ] a\n- [x] b\n1. [X] c\n- [ ]\n- [y] d\n- [ ]e',
    [
      'list-item to do: - [ ] a',
      'list-item done: - [x] b',
      'list-item done: 1. [X] c',
      'list-item to do: - [ ]',
      'list-item: - [y] d',
      'list-item: - [ ]e',
    ],
  ],
  ['tables', 'a | b\n--- | :-:\nc | d\n\ne', ['table: a | b⏎--- | :-:⏎c | d', 'paragraph: e']],
  ['tables with pipes around', '| a |\n|---|\n| b |\n# c', ['table: | a |⏎|---|⏎| b |', 'heading h1: # c']],
  ['no table: the columns differ', '| a | b |\n|---|', ['paragraph: | a | b |⏎|---|']],
  ['a table ends the paragraph before it', 'x\n| a |\n|---|', ['paragraph: x', 'table: | a |⏎|---|']],
  ['quotes', '> a\n> # b\nc\n\n> d', ['quote: > a⏎> # b', 'paragraph: c', 'quote: > d']],
  ['a quote goes on without its mark', '> a\nb\n# c', ['quote: > a⏎b', 'heading h1: # c']],
  ['code in a quote does not', '> ```\nb', ['quote: > ```', 'paragraph: b']],
  ['HTML', '<div>\n# a\n\n# b', ['html: <div>⏎# a', 'heading h1: # b']],
  ['HTML that lasts over blank lines', '<!-- a\n\n# b --> c\nd', ['html: <!-- a⏎⏎# b --> c', 'paragraph: d']],
  ['scripts', '<script>\n\n# a\n</SCRIPT>\nb', ['html: <script>⏎⏎# a⏎</SCRIPT>', 'paragraph: b']],
  ["a tag of one's own around a plan", '<plan>\n# a', ['html: <plan>', 'heading h1: # a']],
  [
    'no HTML: addresses and comparisons',
    '<https://a.b>\n\n<3 a',
    ['paragraph: <https://a.b>', 'paragraph: <3 a'],
  ],
  ['front matter', '---\na: b\n# c\n---\n# d', ['front-matter: ---⏎a: b⏎# c⏎---', 'heading h1: # d']],
  [
    'a rule at the start is no front matter',
    '---\n# a\n---\nb',
    ['rule: ---', 'heading h1: # a', 'rule: ---', 'paragraph: b'],
  ],
  [
    'front matter that does not end is none',
    '---\na: b\n# c',
    ['rule: ---', 'paragraph: a: b', 'heading h1: # c'],
  ],
  ['a byte order mark', '\ufeff# a', ['heading h1: # a']],
];

describe('splitBlocks', () => {
  it.each(CASES)('knows %s', (_, content, blocks) => {
    expect(shown(content)).toEqual(blocks);
  });

  it.each(CASES)('finds the same with other line ends: %s', (_, content) => {
    const kinds = (text: string) =>
      splitBlocks(text).map(({ depth, kind, level, task }) => ({ depth, kind, level, task }));
    expect(kinds(content.replaceAll('\n', '\r\n'))).toEqual(kinds(content));
    expect(kinds(content.replaceAll('\n', '\r'))).toEqual(kinds(content));
  });

  it('returns the range of the text without the markers', () => {
    const textOf = (content: string) =>
      splitBlocks(content).map((block) => content.slice(block.textStart, block.textEnd));
    expect(textOf('##  A b ## \n- [x]  c\n> d\n```ts\ne\nf\n```\nG\n==')).toEqual([
      'A b',
      'c',
      '> d',
      'e\nf\n',
      'G',
    ]);
    expect(textOf('```\n```\n~~~\na')).toEqual(['', 'a']);
    expect(textOf('# #\n# C#\n# a #b')).toEqual(['', 'C#', 'a #b']);
  });

  it('returns the info string of a fence, and null without one', () => {
    const content = '~~~~ ts title="a" \nx\n~~~~\n\n```\n```\n\n    y\n';
    expect(splitBlocks(content).map((block) => fenceInfo(content, block))).toEqual([
      'ts title="a"',
      '',
      null,
    ]);
  });

  it('covers everything but blank lines, in order, in whole lines, for any text', () => {
    fc.assert(
      fc.property(markdown, (content) => {
        const blocks = splitBlocks(content);
        let at = 0;
        for (const block of blocks) {
          expect(block.start).toBeGreaterThanOrEqual(at);
          expect(block.end).toBeGreaterThan(block.start);
          expect(content.slice(at, block.start).trim()).toBe('');
          expect(block.textStart).toBeGreaterThanOrEqual(block.start);
          expect(block.textEnd).toBeGreaterThanOrEqual(block.textStart);
          expect(block.textEnd).toBeLessThanOrEqual(block.end);
          if (block.start > 0) expect(content[block.start - 1]).toMatch(/[\r\n\ufeff]/);
          if (block.end < content.length) expect(content[block.end]).toMatch(/[\r\n]/);
          at = block.end;
        }
        expect(content.slice(at).trim()).toBe('');
      }),
      { numRuns: 3000 },
    );
  });

  // These would take minutes if any step were quadratic, so finishing is the guarantee.
  it.each([
    '>',
    '> ',
    '- ',
    '-\t',
    '- a\n',
    '1. ',
    '#\n',
    '# ',
    '`',
    '```\n',
    '``` `\n',
    '~',
    '[',
    '](',
    '|',
    '|-',
    '|a\n|-\n',
    '<',
    '<a \n',
    '<!--\n',
    '<div\n',
    '*',
    '* \n',
    '_ ',
    ' ',
    '\t\n',
    '\r',
    'a\r\n',
    '    a\n',
    'a\n-\n',
    'a',
    '\\',
    '> ```\n',
    '- > - ',
  ])('finishes for a mebibyte of %j', (unit) => {
    const content = unit.repeat(Math.ceil(2 ** 20 / unit.length));
    const blocks = splitBlocks(content);
    expect(blocks.length).toBeLessThanOrEqual(MAX_BLOCKS + 1);
    expect(content.slice(blocks.at(-1)?.end ?? 0).trim()).toBe('');
  });

  it('finishes for endlessly nested lists', () => {
    const content = Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n');
    expect(deepest(splitBlocks(content))).toBe(50);
  });
});

function deepest(blocks: Block[]): number {
  return Math.max(...blocks.map(({ depth }) => depth));
}

const piece = fc.constantFrom(
  '#',
  '##',
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '-',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '[ ] ',
  '[x]',
  '>',
  '> ',
  '```',
  '~~~',
  '|',
  '|-|',
  '---',
  '===',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '<x>',
  'a',
  'b c',
  'a: b',
  '\ufeff',
  '\u2028',
  '\0',
  '😀',
  '...',
);
const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
