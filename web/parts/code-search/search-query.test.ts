/** The parts of the search form that need no service: languages to complete, and former addresses. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/engines/facts/index.ts';
import { readCodeSearch } from '../../page-search.ts';
import { LANGUAGE_NAMES } from './language-names.ts';

it('completes the languages that the service knows', () => {
  expect(LANGUAGE_NAMES).toEqual(LANGUAGES);
});

describe('an address of the form with several fields', () => {
  it.each([
    [{ pattern: 'order(' }, { query: 'order(' }],
    [{ pattern: 'a or b', path: 'src' }, { query: '"a or b" path:src' }],
    [
      { pattern: 'a:b|lang:x', regex: true },
      { query: 'a:b|lang:x', regex: true },
    ],
    [
      { pattern: 42, repositories: 'acme/*', paths: 'a b/*', language: 'go' },
      { query: '42 repo:acme/* path:"a b/*" lang:go' },
    ],
    [
      { pattern: 'a or b', mode: 'files' },
      { query: 'a or b', mode: 'files' },
    ],
    [{ query: 'x', pattern: 'y', mode: 'other' }, { query: 'x' }],
    [{ path: 'src' }, {}],
  ])('still works: %j', (search, expected) => {
    expect(readCodeSearch(search)).toEqual(expected);
  });
});
