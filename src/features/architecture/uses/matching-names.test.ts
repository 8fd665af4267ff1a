/** Spellings of one name match each other, and nothing else matches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsNamed, matchesOf } from './matching-names.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
/** A path as its segments; null is a parameter. */
const route = fc
  .array(fc.option(word, { freq: 2 }), { minLength: 1, maxLength: 5 })
  .filter((segments) => segments.some((segment) => segment !== null));
const parameter = fc
  .tuple(
    fc.constantFrom(':p', '{p}', '{p:int}', '<p>', '<int:p>', '[p]', '[...p]', '*', '$'.concat('{p}'), '{}'),
    word,
  )
  .map(([form, name]) => form.replace('p', name.replaceAll('-', '_')));

/** Any spelling of a path. */
const spelled = (segments: (string | null)[]) =>
  fc
    .tuple(
      fc.tuple(...segments.map((segment) => (segment === null ? parameter : fc.constant(segment)))),
      fc.constantFrom('', 'https://api.example.com', 'http://localhost:3000'),
      fc.constantFrom('', '/', '?q=1', '#top'),
    )
    .map(([parts, host, end]) => `${host}/${parts.join('/')}${end}`);
const plain = (segments: (string | null)[]) => `/${segments.map((segment) => segment ?? '{}').join('/')}`;
const names = (kind: Parameters<typeof factsNamed>[0], written: string) =>
  factsNamed(kind, written).map(({ name }) => name);

describe('a route', () => {
  it('is the same in every spelling', () => {
    fc.assert(
      fc.property(
        route.chain((segments) => fc.tuple(fc.constant(segments), spelled(segments))),
        fc.constantFrom(...METHODS),
        fc.constantFrom(' ', '  '),
        ([segments, path], method, space) => {
          const expected = [`${method} ${plain(segments)}`, `ANY ${plain(segments)}`];
          expect(names('route', `${method}${space}${path}`)).toEqual(expected);
          expect(names('route', `${method.toLowerCase()} ${path}`)).toEqual(expected);
          expect(names('route', path)).toEqual(
            [...METHODS, 'ANY'].map((each) => `${each} ${plain(segments)}`),
          );
          expect(matchesOf({ kind: 'route', name: expected[0]! })).toEqual(expected);
        },
      ),
    );
  });

  it('never matches one with another path, or with another method unless it serves every method', () => {
    const written = fc.tuple(fc.constantFrom(...METHODS, 'ANY'), route);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(written, written),
          fc
            .tuple(written, fc.constantFrom(...METHODS))
            .map(([left, method]) => [left, [method, left[1]]] as [typeof left, typeof left]),
          // One segment differs.
          fc.tuple(written, fc.constantFrom(...METHODS), word, fc.nat(4)).map(([left, method, other, at]) => {
            const changed = left[1].with(at % left[1].length, other);
            return [left, [method, changed]] as [typeof left, typeof left];
          }),
        ),
        ([[leftMethod, left], [rightMethod, right]]) => {
          const isSame =
            plain(left) === plain(right) &&
            (leftMethod === rightMethod || leftMethod === 'ANY' || rightMethod === 'ANY');
          const [one, two] = [`${leftMethod} ${plain(left)}`, `${rightMethod} ${plain(right)}`];
          expect(matchesOf({ kind: 'route', name: one }).includes(two)).toBe(isSame);
          expect(matchesOf({ kind: 'route', name: two }).includes(one)).toBe(isSame);
        },
      ),
    );
  });

  it.each(['/', 'GET /', 'GET /{id}', '/:a/:b', 'POST https://example.com/', 'GRAB /x', 'GET', ''])(
    'is not %o',
    (written) => {
      expect(names('route', written)).toEqual([]);
    },
  );
});

describe('a name', () => {
  it.each([
    ['package', 'npm:@acme/ui', ['npm:@acme/ui']],
    ['package', 'pypi:Acme_Client.Core', ['pypi:acme-client-core']],
    ['package', 'nuget:Acme.Core', ['nuget:acme.core']],
    ['package', 'maven:com.acme:core', ['maven:com.acme:core']],
    ['table', 'public."Users"', ['users']],
    ['table', '`shop`.`orders`', ['orders']],
    ['table', 'not a-table; --', ['not']],
    ['table', '1', []],
    ['event', 'Invoice.Paid', ['Invoice.Paid']],
    ['environment', ' DATABASE_URL ', ['DATABASE_URL']],
    ['contract', 'proto:acme.Billing', ['proto:acme.Billing', 'proto:Billing']],
    ['contract', 'openapi:Acme 2.0', ['openapi:Acme 2.0']],
    ['symbol', 'npm:@acme/ui#Button', ['npm:@acme/ui#Button']],
  ] as const)('of a %s: %s', (kind, written, expected) => {
    expect(names(kind, written)).toEqual(expected);
  });

  it('without an ecosystem is looked up in each', () => {
    expect(names('package', 'com.acme:core')).toContain('maven:com.acme:core');
    expect(names('package', 'Acme_Core')).toEqual(
      expect.arrayContaining(['npm:Acme_Core', 'pypi:acme-core', 'nuget:acme_core']),
    );
    expect(names('contract', 'acme.Billing')).toContain('proto:acme.Billing');
  });

  it('without a kind is looked up as each kind that it can be', () => {
    const kinds = (written: string) => [...new Set(factsNamed(undefined, written).map(({ kind }) => kind))];
    expect(kinds('users')).toEqual(expect.arrayContaining(['package', 'table', 'event', 'environment']));
    expect(kinds('GET /users/:id')).toContain('route');
    expect(factsNamed(undefined, 'x'.repeat(500)).length).toBeLessThan(50);
  });
});
