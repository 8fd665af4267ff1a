import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern } from './repository-pattern.ts';

describe('patterns', () => {
  it.each([
    ['acme/*', 'acme/api', true],
    ['acme/*', 'Acme/API', true],
    ['acme/*', 'acme-labs/api', false],
    ['*', 'group/sub/api', true],
    ['*/api', 'acme/api', true],
    ['*/api', 'acme/api-docs', false],
    ['acme/a*a', 'acme/a', false],
    ['acme/a*a', 'acme/aa', true],
    ['acme/*-*-x', 'acme/a-b-x', true],
    ['acme/*-*-x', 'acme/a-x', false],
    ['acme/api', 'acme/api', true],
    ['acme/api', 'acme/apis', false],
    ['acme/a.i', 'acme/api', false],
  ])('%s and %s: %s', (pattern, name, matches) => {
    expect(matchesPattern(pattern, name)).toBe(matches);
  });

  it('match exactly what a regular expression with .* matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 });
    fc.assert(
      fc.property(text, name, (pattern, fullName) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(fullName);
        expect(matchesPattern(pattern, fullName)).toBe(expected);
      }),
    );
  });
});
