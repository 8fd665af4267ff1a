/** Every plan gets a title of one line that says what it shows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { MAX_TITLE_CHARACTERS, planTitle } from './plan-title.ts';

const CASES: Array<[content: string, title: string]> = [
  ['# Rate limits', 'Rate limits'],
  ['intro\n\n### Third level ###\n# First', 'Third level'],
  ['Rate limits\n===========', 'Rate limits'],
  ['```\n# not this\n```\n## This', 'This'],
  ['> # not this\n\n# This', 'This'],
  ['#\n#   \n## Second', 'Second'],
  ['# **Add** `GET /plans` to [the API](https://x.y) ![logo](l.png)', 'Add GET /plans to the API logo'],
  ['# [ ] Do it', 'Do it'],
  ['#   a \t  b  ', 'a b'],
  ['\ufeff# A', 'A'],
  ['# A\r\nb', 'A'],
  ['just text\nmore', 'just text'],
  ['\n\n  - [x] **first** item\n- second', 'first item'],
  ['> quoted\n> more', 'quoted'],
  ['```ts\nconst a = 1;\n```', 'const a = 1;'],
  ['---\nname: x\n---\n\nbody', 'body'],
  ['---\nname: x\n---\n# Heading', 'Heading'],
  ['<!-- note\n\nmore -->\ntext', 'text'],
  ['<plan>\n# Title', 'Title'],
  ['<div>\n<h1>Title</h1>', 'Title'],
  ['| a | b |\n|---|---|', 'a | b |'],
  ['', 'Untitled plan'],
  ['\n \t\n', 'Untitled plan'],
  ['# \u200b\u2060\n\u3164', 'Untitled plan'],
  ['***', 'Untitled plan'],
  ['# user\u202egnp.exe\u202c \u2066a\u2069\u200f', 'usergnp.exe a'],
  ['# a\0b\u0007c\u2028d', 'a b c d'],
  ['# \ud800', '\ufffd'],
  ['# 👩‍👩‍👧 و\u200cب', '👩‍👩‍👧 و\u200cب'],
];

describe('planTitle', () => {
  it.each(CASES)('of %j is %j', (content, title) => {
    expect(planTitle(content)).toBe(title);
  });

  it('is at most 200 code points, cut after a word', () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const title = planTitle(`# ${words}`);
    expect(Array.from(title).length).toBeLessThanOrEqual(MAX_TITLE_CHARACTERS);
    expect(title).toMatch(/ word\d\d…$/);
    expect(words.startsWith(`${title.slice(0, -1)} `)).toBe(true);
    expect(planTitle(`# ${'😀'.repeat(200)}`)).toBe('😀'.repeat(200));
    expect(planTitle(`# ${'a'.repeat(201)}`)).toBe(`${'a'.repeat(199)}…`);
    expect(planTitle(`# ${'e\u0301'.repeat(101)}`)).toBe(`${'e\u0301'.repeat(99)}…`);
    expect(planTitle(`# ${'👩‍👩‍👧'.repeat(60)}`)).toBe(`${'👩‍👩‍👧'.repeat(39)}…`);
  });

  it('is never empty, too long, more than one line or misleading, whatever the plan contains', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            '# ',
            '*',
            '`',
            '[',
            '](',
            ')',
            '\u202e',
            '\0',
            '\n',
            'a',
            '😀',
            '\u200d',
            '\u0301',
            ' ',
            '<',
            '>',
          ),
        )
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (content) => {
        const title = planTitle(content);
        expect(title.trim()).toBe(title);
        expect(title).not.toBe('');
        expect(Array.from(title).length).toBeLessThanOrEqual(MAX_TITLE_CHARACTERS);
        expect(title).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]| {2}/u,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['# *\n', '# \u200b\n', '> ', '- ', '>\n', '#', '# ', '`', '*a', '[](', '|', '<a\n'])(
    'finishes with a mebibyte of %j',
    (unit) => {
      expect(planTitle(unit.repeat(2 ** 20 / unit.length))).not.toBe('');
    },
  );
});
