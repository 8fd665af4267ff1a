/** Queries of code search: what is text and what is a filter. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSearchQuery, searchQueryFor, withoutSearchFilters, writeSearchFilter } from './search-query.ts';

const known = ['repo', 'path', 'lang'];
const parse = (query: string, isRegex = false) => parseSearchQuery(query, { isRegex, known });
const briefly = (query: string, isRegex = false) => {
  const { filters, terms, unknown } = parse(query, isRegex);
  const write = ({ isNegated, name, value }: (typeof filters)[number]) =>
    `${isNegated ? 'not ' : ''}${name} ${value}`;
  return { terms, filters: filters.map(write), unknown: unknown.map(write) };
};

describe('a query', () => {
  it.each([
    ['const  x = 1', ['const  x = 1']],
    ['  a ', ['a']],
    ['foo or bar baz OR "or"', ['foo', 'bar baz', 'or']],
    ['or foo or', ['or foo or']],
    ['import "fmt"', ['import "fmt"']],
    ['"fmt" or "a \\"b\\" \\\\ "', ['fmt', 'a "b" \\ ']],
    ['print("a or repo:b")', ['print("a or repo:b")']],
    ['"open', ['"open']],
    ['say \\"repo', ['say \\"repo']],
    ['std::move path::Path https://a.example a:b 12:30 key: value Content-Type:x', undefined],
    ['-Wall --verbose -1', undefined],
    ['', []],
  ])('%s has text alone', (query, terms = [query]) => {
    expect(briefly(query)).toEqual({ terms, filters: [], unknown: [] });
  });

  it.each([
    [
      'repo:acme/api foo path:src/ or -lang:go bar',
      ['foo', 'bar'],
      ['repo acme/api', 'path src/', 'not lang go'],
    ],
    ['path:"my docs/*.md" x', ['x'], ['path my docs/*.md']],
    ['path:/src "lang:go"', ['lang:go'], ['path /src']],
    ['a path:b c', ['a c'], ['path b']],
    ['lang:go', [], ['lang go']],
  ])('%s has filters', (query, terms, filters) => {
    expect(briefly(query)).toEqual({ terms, filters, unknown: [] });
  });

  it('tells what only looks like a filter of its own', () => {
    expect(briefly('rep:acme -foo:bar x')).toEqual({
      terms: ['x'],
      filters: [],
      unknown: ['rep acme', 'not foo bar'],
    });
    expect(briefly('"foo:bar"').terms).toEqual(['foo:bar']);
  });

  it('leaves a regular expression as it is, apart from filters', () => {
    expect(briefly('a or "b"  path:x foo\\:bar (?i:c)', true)).toEqual({
      terms: ['a or "b" foo\\:bar (?i:c)'],
      filters: ['path x'],
      unknown: [],
    });
  });
});

const piece = fc.constantFrom(
  ...[
    'foo',
    ' ',
    '"',
    '\\',
    'or',
    ' or ',
    '-',
    ':',
    'repo:',
    'path:',
    'lang:',
    'rep:',
    '/',
    '*',
    'é',
    '\t',
    '=',
    '(',
  ],
);
const anything = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

describe('for every text', () => {
  it('there is a query that finds exactly it', () => {
    fc.assert(
      fc.property(anything, (text) => {
        fc.pre(text !== '');
        expect(briefly(searchQueryFor(text, known))).toEqual({ terms: [text], filters: [], unknown: [] });
      }),
    );
  });

  it('a filter can have it as its value, wherever it stands', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...known), fc.boolean(), (value, name, isNegated) => {
        fc.pre(value !== '');
        const query = `left ${writeSearchFilter({ name, value, isNegated })} right`;
        const { filters, terms } = parse(query);
        expect(filters).toMatchObject([{ name, value, isNegated }]);
        expect(terms).toEqual(['left right']);
      }),
    );
  });

  it('the parts are where they are said to be, and what is left without filters means the same', () => {
    fc.assert(
      fc.property(anything, fc.boolean(), (query, isRegex) => {
        const { filters, terms, unknown } = parse(query, isRegex);
        for (const { end, isNegated, name, start } of [...filters, ...unknown])
          expect(query.slice(start, end).startsWith(`${isNegated ? '-' : ''}${name}:`)).toBe(true);
        const rest = parse(withoutSearchFilters(query, filters), isRegex);
        expect(rest.filters).toEqual([]);
        expect(rest.terms).toEqual(terms);
        expect(rest.unknown.map(({ value }) => value)).toEqual(unknown.map(({ value }) => value));
      }),
    );
  });
});
