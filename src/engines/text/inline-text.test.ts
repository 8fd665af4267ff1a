/** Markup of emphasis, code and links is removed; words, and symbols that only look like markup, are kept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCodeSpans, plainText } from './inline-text.ts';

const CASES: Array<[markdown: string, text: string]> = [
  ['**a** *b* __c__ _d_ ~~e~~', 'a b c d e'],
  ['***a** b*', 'a b'],
  ['snake_case_name and _private', 'snake_case_name and _private'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['a * b', 'a * b'],
  ['*a', '*a'],
  ['src/**/*.ts', 'src/**/*.ts'],
  ['`*a*` and ``b`c``', '*a* and b`c'],
  ['`` ` ``', '`'],
  ['`a', '`a'],
  ['[a *b*](https://x.y/z_(w) "t t") c', 'a b c'],
  ['![a](b.png) [![c](d)](e)', 'a c'],
  ['[a] (b) [c][d] arr[0](1 2)', '[a] (b) [c][d] arr[0](1 2)'],
  ['<https://a.b/c> <b>d</b><br>e <!-- f -->', 'https://a.b/c d e'],
  ['Map<string, number> 1 < 2 > 0', 'Map<string, number> 1 < 2 > 0'],
  ['\\*a\\* \\`b\\` \\\\', '*a* `b` \\'],
  ['a &amp; b &lt;c&gt; &copy; &', 'a & b <c> &copy; &'],
  ['  a \n\t b  ', 'a b'],
  ['**日本**語', '日本語'],
];

describe('plainText', () => {
  it.each(CASES)('reads %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it('leaves text without markup unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z.,:;()-]{1,8}$/)), (words) => {
        expect(plainText(words.join(' '))).toBe(words.join(' '));
      }),
    );
  });

  it.each([
    '*',
    '*a',
    '_a ',
    '~~',
    '**a',
    '[',
    '](',
    '[](',
    '[](a',
    '[]("',
    '![',
    '<',
    '<a',
    '&',
    '\\',
    '`',
    '\\`',
    'a`',
    '``a`',
  ])('finishes for a quarter of a mebibyte of %j', (unit) => {
    expect(plainText(unit.repeat(2 ** 18 / unit.length)).length).toBeLessThanOrEqual(2 ** 18);
  });
});

describe('findCodeSpans', () => {
  it('ends a run of backticks at the next run of the same length', () => {
    const text = '`a` ``b`c`` `d ``` \\`e` `f`';
    expect(findCodeSpans(text).map(({ textEnd, textStart }) => text.slice(textStart, textEnd))).toEqual([
      'a',
      'b`c',
      'd ``` \\',
      ' ',
    ]);
  });

  it('finishes for runs of every length', () => {
    const text = Array.from({ length: 1400 }, (_, length) => '`'.repeat(length)).join(' ');
    expect(findCodeSpans(text)).toEqual([]);
  });
});
