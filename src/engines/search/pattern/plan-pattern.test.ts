/** Plans of patterns, construct by construct. `no-lost-match.test.ts` checks against ripgrep that no match is lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPattern, type TrigramQuery } from './index.ts';

const QUERIES: Array<[pattern: string, query: string]> = [
  ['', 'all'],
  ['ab', 'all'],
  ['abc', 'abc'],
  ['ABC', 'abc'],
  ['abcd', 'abc & bcd'],
  ['aaaaa', 'aaa'],
  ['(?i)Abc', 'abc'],
  ['(?i)kab', 'kab | (â\u0084ª & \u0084ªa & ªab)'],
  ['é1', 'Ã©1'],
  ['(?i)éabc', 'abc'],
  ['\\x41\\u{42}\\u0043\\U00000044', 'abc & bcd'],
  ['(?-u)\\xFFab', 'ÿab'],
  ['\\xFFa', 'Ã¿a'],
  ['(?-u)\\x{FF}a', 'Ã¿a'],
  ['(?-u)[~-\\x80]ab', '~ab | \u007fab | \u0080ab'],
  ['abc.def', 'abc & def'],
  ['abc\\wdef', 'abc & def'],
  ['abc\\p{Greek}\\pLdef', 'abc & def'],
  ['^\\babc\\b{end}\\>$', 'abc'],
  ['abc\\b{2}', 'abc'],
  ['abc|def', 'abc | def'],
  ['abc|', 'all'],
  ['abc|de', 'all'],
  ['abcd|abcd', 'abc & bcd'],
  ['abc(d|e)', 'abc & (bcd | bce)'],
  ['ab[cC]', 'abc'],
  ['ab[cd-e]', 'abc | abd | abe'],
  ['abc[^d]efg', 'abc & efg'],
  ['abc[a-z]efg', 'abc & efg'],
  ['ab[cd&&de]', 'abd'],
  ['ab[cd--d]', 'abc | abd'],
  ['ab[c~~d]', 'abc | abd'],
  ['ab[]]', 'ab]'],
  ['ab[-]', 'ab-'],
  ['ab[c[d]]', 'abc | abd'],
  ['abc[[:alpha:]]def', 'abc & def'],
  ['x[a&&b]y', 'none'],
  ['(?:x[a&&b]y)?abc', 'abc'],
  ['abc\\.', 'abc & bc.'],
  ['(abc)+', 'abc'],
  ['(abc)*', 'all'],
  ['abc?', 'all'],
  ['abcd?', 'abc'],
  ['abcd{0}', 'abc'],
  ['abcd??', 'abc'],
  ['abd+?', 'abd'],
  ['(?x) a b d + ? ', 'all'],
  ['(?:ab){2}', 'aba & bab'],
  ['(?:ab){2,}?', 'aba & bab'],
  ['a{4294967295}', 'aaa'],
  ['(?P<x>ab)(?<y>c)', 'abc'],
  ['(?s-m:abc)', 'abc'],
  ['(?x) a b # the rest \n c', 'abc'],
  ['(?x:a b) c', 'ab  & b c'],
  ['(?x)[ a ]bc', 'abc'],
  ['abc)|(def', 'abc | def'],
  ['abc[\\n]def', 'all'],
  ['abc[\\nx]', 'abc & bcx'],
];

const NOT_UNDERSTOOD = [
  ...[
    'abc(',
    'abc)',
    'abc[',
    'abc[z-a]',
    'abc[a-\\d]',
    'abc\\',
    'abc\\Q',
    'abc\\1',
    'abc\\é',
    'abc\\x{110000}',
  ],
  ...['abc\\xG0', 'abc\\u{D800}', 'abc{', 'abc{,2}', 'abc{2,1}', '*abc', '(?i)*abc', '(?=abc)', '(?<!abc)'],
  ...['(?z)abc', '(?)abc', 'abc\\n', 'abc\nd', 'abc[\\b]', 'abc\\b{middle}', '(?x)abc#', 'abc\ud800'],
];

const LITERALS: Array<[pattern: string, literal: string | null]> = [
  ['abc', 'abc'],
  ['Größe 😀', 'Größe 😀'],
  ['fmt\\.Println\\(', 'fmt.Println('],
  ['a\\\\b', 'a\\b'],
  ['a\\\\', 'a\\'],
  ['a}]', 'a}]'],
  ['', null],
  ['a.c', null],
  ['a\\\\.c', null],
  ['\\x41', null],
  ['\\n', null],
  ['\\<a', null],
  ['\\d', null],
  ['(?i)abc', null],
  ['a|b', null],
  ['abc\\', null],
  ['\\babc\\b', '<abc>'],
  ['\\babc', '<abc'],
  ['abc\\b', 'abc>'],
  ['\\b\\(abc\\b', null],
  ['abc\\)\\b', null],
  ['a\\d\\b', null],
  ['\\bé\\b', null],
  ['\\b', null],
  ['a\\bb', null],
];

const WORDS: Array<[pattern: string, words: string[]]> = [
  ['abcd', ['abc & bcd']],
  ['ab', []],
  ['abc.def', ['abc', 'def']],
  ['ab.cd', []],
  ['(?i)ab\\w+CDe\\(', ['cde & de(']],
  ['abc(d|e).fgh', ['abc & (bcd | bce)', 'fgh']],
  ['abc|def', ['abc | def']],
  ['(abc.|def.)ghi', ['ghi']],
  ['(abc)?def', ['def']],
  ['(abc)*def', ['def']],
  ['(abc)+def', ['abc & bcd & cde & def']],
  ['(a.cde){2}', ['cde', 'cde']],
  ['x[a&&b]y', []],
];

/** Long, deep or repetitive, each near the limit of 2,000 characters. */
const HOSTILE: Array<[name: string, pattern: string]> = [
  ['a long literal', 'abcdefghijklmnopqrs'.repeat(105)],
  ['many classes', '[0-9]'.repeat(400)],
  ['classes and letters', '[abcd]e'.repeat(280)],
  ['many alternatives', Array.from({ length: 400 }, (_, index) => `w${index}`).join('|')],
  ['a product of alternatives', '(ab|cd)'.repeat(285)],
  ['open alternatives', '(ab+c|cd+e)'.repeat(180)],
  ['letters with partners', `(?i)${'ks'.repeat(998)}`],
  ['deep groups', `${'('.repeat(1000)}${')'.repeat(1000)}`],
  ['deep repetition', `${'('.repeat(390)}abc${'){4}'.repeat(390)}`],
  ['deep alternation', `${'(ab+c|'.repeat(280)}xyz${')'.repeat(280)}`],
  ['deep classes', `${'[a'.repeat(660)}${']'.repeat(660)}`],
  ['unclosed brackets', '['.repeat(2000)],
  ['unclosed groups', '('.repeat(2000)],
];

describe('planPattern', () => {
  it.each(QUERIES)('parses %j as %s', (pattern, query) => {
    expect(show(planPattern(pattern).query)).toBe(query);
  });

  it.each(NOT_UNDERSTOOD)('derives nothing from %j', (pattern) => {
    expect(planPattern(pattern)).toEqual({ query: { kind: 'all' }, words: [], literal: null });
  });

  it.each(LITERALS)('finds the literal text of %j: %j', (pattern, literal) => {
    const found = planPattern(pattern).literal;
    const shown = found && `${found.startsWord ? '<' : ''}${found.bytes}${found.endsWord ? '>' : ''}`;
    expect(shown).toBe(literal);
  });

  it.each(WORDS)('finds the words that every match of %j contains: %j', (pattern, words) => {
    expect(planPattern(pattern).words.map((word) => show(word))).toEqual(words);
  });

  it.each(HOSTILE)('keeps the query small for %s', (_, pattern) => {
    expect(countTrigrams(planPattern(pattern).query)).toBeLessThanOrEqual(256);
  });

  it('returns simplified queries for any text', () => {
    const piece = fc.constantFrom(
      ...'abck[](){}|^-?*+\\&&~.,:<>=12xiPpu# é😀',
      'abc',
      '(?i)',
      '(?:',
      '[^',
      '[:',
    );
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 60 }), (pattern) => {
        expectSimplified(planPattern(pattern).query);
      }),
      { numRuns: 3000 },
    );
  });
});

function show(query: TrigramQuery, inside = false): string {
  if (query.kind === 'trigram') {
    return String.fromCharCode(query.value >> 16, (query.value >> 8) & 0xff, query.value & 0xff);
  }
  if (!('parts' in query)) return query.kind;
  const text = query.parts.map((part) => show(part, true)).join(query.kind === 'and' ? ' & ' : ' | ');
  return inside ? `(${text})` : text;
}

function countTrigrams(query: TrigramQuery): number {
  if (query.kind === 'trigram') return 1;
  return 'parts' in query ? query.parts.reduce((sum, part) => sum + countTrigrams(part), 0) : 0;
}

function expectSimplified(query: TrigramQuery): void {
  if (!('parts' in query)) return;
  expect(query.parts.length).toBeGreaterThan(1);
  expect(new Set(query.parts.map((part) => show(part))).size).toBe(query.parts.length);
  for (const part of query.parts) {
    expect([query.kind, 'all', 'none']).not.toContain(part.kind);
    expectSimplified(part);
  }
}
