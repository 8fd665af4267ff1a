/** Invisible characters in text written by others: replaced by their codes, and nothing else changes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { visible } from './visible-text.ts';

describe('invisible characters', () => {
  it.each([
    ['an override of the direction', 'a\u202eb', 'a[U+202E]b'],
    ['an isolate', '\u2066x\u2069', '[U+2066]x[U+2069]'],
    ['a zero-width space', 'pass\u200bword', 'pass[U+200B]word'],
    ['a zero-width joiner between Latin letters', 'a\u200db', 'a[U+200D]b'],
    ['a byte order mark', '\ufeffx', '[U+FEFF]x'],
    ['tags, which spell ASCII that nobody sees', '\u{e0041}\u{e007f}', '[U+E0041][U+E007F]'],
    ['variation selectors beyond the first sixteen', 'x\u{e0100}', 'x[U+E0100]'],
    ['variation selectors in a row', '😀\ufe0f\ufe01\ufe02', '😀\ufe0f[U+FE01][U+FE02]'],
    ['a variation selector after a letter', 'a\ufe01b\ufe0f', 'a[U+FE01]b[U+FE0F]'],
    ['an escape sequence of a terminal', '\u001b[31m', '[U+001B][31m'],
  ])('shows %s', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    'a\tb\r\nc',
    'naïve — „Zitat“ ✅',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '1\ufe0f\u20e3 ✔\ufe0e 🏳\ufe0f\u200d🌈',
    '葛\ufe00 ∩\ufe00',
    'می\u200cخواهم',
    'क्\u200dष',
  ])('keeps %j unchanged', (text) => {
    expect(visible(text)).toBe(text);
  });

  it('are replaced in any text, and no other character changes', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const shown = visible(text);
        expect(visible(shown)).toBe(shown);
        expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u{e0000}-\u{e0fff}]/u);
        const back = shown.replaceAll(/\[U\+([0-9A-F]{4,6})\]/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );
        expect(back).toBe(text);
      }),
    );
  });
});
