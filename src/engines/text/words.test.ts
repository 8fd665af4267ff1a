/** Joined words are the original text, and no character is split. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { countWords, isWord, splitWords } from './words.ts';

const CASES: Array<[text: string, pieces: string[]]> = [
  ['', []],
  ['Add a table.', ['Add', ' ', 'a', ' ', 'table', '.']],
  ['a  \tb\nc\r\nd', ['a', '  \t', 'b', '\n', 'c', '\r\n', 'd']],
  ['snake_case x2', ['snake_case', ' ', 'x2']],
  ["don't ‘we’", ["don't", ' ', '‘', 'we', '’']],
  ['`src/a.ts`', ['`', 'src', '/', 'a', '.', 'ts', '`']],
  ['cafe\u0301 naïve', ['cafe\u0301', ' ', 'naïve']],
  ['日本語で', ['日', '本', '語', 'で']],
  ['한국어 문장', ['한국어', ' ', '문장']],
  ['हिन्दी में', ['हिन्दी', ' ', 'में']],
  ['👩‍👩‍👧👍🏽🇩🇪🇫🇷', ['👩‍👩‍👧', '👍🏽', '🇩🇪', '🇫🇷']],
  ['1️⃣❤️‍🔥!', ['1️⃣', '❤️‍🔥', '!']],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿.', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '.']],
  ['\ud800a', ['\ud800', 'a']],
];

describe('splitWords', () => {
  it.each(CASES)('cuts %j', (text, pieces) => {
    expect(splitWords(text)).toEqual(pieces);
  });

  it('returns pieces that are not empty and join to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const pieces = splitWords(text);
        expect(pieces.join('')).toBe(text);
        expect(pieces).not.toContain('');
      }),
    );
  });

  it('splits only between characters', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '.',
        "'",
        '日',
        'が',
        'カ',
        'ﾞ',
        '한',
        '\u1112',
        '\u1161',
        'ก',
        'ำ',
        'क',
        '\u094d',
        '\u093f',
      ),
      fc.constantFrom(
        '\u0301',
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\u20e3',
        '👩',
        '🏽',
        '❤',
        '🇩',
        '🇪',
        '𝒜',
        '𠮷',
        '\u{e0067}',
        '\u{e007f}',
      ),
    );
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const starts = new Set(Array.from(graphemes.segment(text), ({ index }) => index));
        let at = 0;
        for (const piece of splitWords(text)) {
          expect(starts).toContain(at);
          at += piece.length;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('distinguishes words from white space and symbols, and counts them', () => {
    expect(['a', '1', '日', 'é', ' ', '.', '👍', '\n', ''].map(isWord)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        (text) => countWords(text) === splitWords(text).filter(isWord).length,
      ),
    );
  });

  it.each(['a', ' ', '.', 'a ', '日', '\u0301', '👩\u200d', '🇩', "a'", '\r'])(
    'finishes with a mebibyte of %j',
    (unit) => {
      const text = unit.repeat(2 ** 20 / unit.length);
      expect(splitWords(text).join('') === text).toBe(true);
    },
  );
});
