/** Summaries of any facts: every sentence has evidence in the code, the same code gives the same summaries, and hostile texts end quickly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../../test/helpers/text/any-character.ts';
import { FACT_KINDS, type PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import type { CodeToDescribe } from './described-code.ts';
import { MAX_SUMMARY_CHARACTERS, summarize } from './summarize.ts';

const path = fc.constantFrom(
  'README.md',
  'package.json',
  'apps/web/package.json',
  'apps/web/src/pages/login.tsx',
  'src/billing/InvoiceController.java',
  'src/auth/session.ts',
  'db/migrations/001_users.sql',
  'test/a.test.ts',
  'vendor/x/y.go',
  '__proto__/constructor.py',
);
const name = fc.oneof(
  fc.constantFrom(
    'npm:react',
    'GET /users/{}',
    'users',
    'order.placed',
    'proto:acme.Billing',
    'docker:web',
    '__proto__',
  ),
  fc.string({ maxLength: 30, unit: anyCharacter }),
  fc.constant('x'.repeat(3000)),
);
const fact: fc.Arbitrary<PlacedFact> = fc.record(
  {
    kind: fc.constantFrom(...FACT_KINDS),
    role: fc.constantFrom('provides' as const, 'uses' as const),
    name,
    line: fc.integer({ min: 1, max: 500 }),
    path,
    detail: fc.string({ maxLength: 60, unit: anyCharacter }),
  },
  { requiredKeys: ['kind', 'role', 'name', 'line', 'path'] },
);
const readme = fc.option(
  fc.record({
    path: fc.constant('README.md'),
    text: fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '# Title',
            'It renders invoices as PDF for the shop.',
            '- sends mail',
            '```',
            '<!--',
            '',
            '[a](b)',
          ),
          fc.string({ maxLength: 80, unit: anyCharacter }),
        ),
        { maxLength: 20 },
      )
      .map((lines) => lines.join('\n')),
  }),
);

function code(facts: PlacedFact[], text: CodeToDescribe['readme'], paths: string[] = []): CodeToDescribe {
  return {
    name: 'acme/shop',
    facts: {
      commit: 'a'.repeat(40),
      files: paths.length,
      languages: [],
      folders: [],
      facts,
      words: [],
      activity: { folders: [], people: [] },
      leftOut: [],
    },
    paths,
    readme: text,
  };
}

describe('summaries', () => {
  it('have evidence for every sentence, fit, and are the same for the same code', () => {
    fc.assert(
      fc.property(
        fc.array(fact, { maxLength: 40 }),
        fc.uniqueArray(path, { maxLength: 10 }),
        readme,
        (facts, paths, text) => {
          const given = code(facts, text, paths.toSorted());
          const known = new Set([...paths, ...facts.map((each) => each.path), 'README.md']);
          const summaries = summarize(given);
          for (const { sentences } of summaries) {
            expect(sentences.length).toBeGreaterThan(0);
            expect(sentences.reduce((sum, each) => sum + each.text.length + 1, 0)).toBeLessThanOrEqual(
              MAX_SUMMARY_CHARACTERS,
            );
            for (const { evidence } of sentences) {
              expect(evidence.length).toBeGreaterThan(0);
              for (const place of evidence) {
                expect(known).toContain(place.path);
                expect(place.line).toBeGreaterThan(0);
              }
            }
          }
          expect(summarize(structuredClone(given))).toEqual(summaries);
          expect(new Set(summaries.map(({ domain }) => domain)).size).toBe(summaries.length);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are grammatical for one and for many', () => {
    const fact = (kind: PlacedFact['kind'], name: string, at: string): PlacedFact => ({
      ...{ kind, role: 'provides', name, line: 1, path: at },
    });
    const start = ['CMD', 'ENTRYPOINT'].map((word) => ({
      ...fact('entry_point', `docker ${word}`, 'Dockerfile'),
      detail: `["${word}"]`,
    }));
    const routes = (...names: string[]) => names.map((each) => fact('route', each, 'src/products.ts'));
    const few = [...start, ...routes('GET /products', 'POST /products')];
    const many = [...start, ...routes('GET /products', 'POST /products', 'GET /orders')];
    const textOf = (facts: PlacedFact[], paths: string[]) =>
      summarize(code(facts, null, paths))
        .flatMap(({ sentences }) => sentences.map(({ text }) => text))
        .join('\n');
    const one = textOf(few, ['src/products.ts', 'test/products.test.ts']);
    expect(one).toContain('It has tests in `test`.');
    expect(one).toContain('It has TypeScript code in `src`.');
    expect(one).toContain('The image of `Dockerfile` starts with `["ENTRYPOINT"]`.');
    expect(one).toContain(
      'It registers HTTP routes (without prefixes from other files) such as GET /products, POST /products.',
    );
    const more = ['lib/orders.ts', 'src/products.ts', 'test/orders.test.ts', 'test/products.test.ts'];
    expect(textOf(many, more)).toContain('It has tests in `test`.');
    expect(textOf(many, more)).toContain('It has TypeScript code in `lib`, `src`.');
    expect(textOf(many, more)).toContain(
      'It registers HTTP routes (without prefixes from other files) such as GET /products, POST /products, GET /orders.',
    );
  });

  it.each([
    ['one line of 50 MB', 'word '.repeat(10_000_000)],
    ['200,000 open brackets', '['.repeat(200_000)],
    ['200,000 nested links', `${'[a]('.repeat(200_000)}`],
    ['unclosed tags and comments', '<!-- <a '.repeat(100_000)],
    ['200,000 backticks and stars', '*`_'.repeat(200_000)],
    ['a million headings', '# a\n'.repeat(1_000_000)],
  ])('of a README with %s are made within two seconds', (_, text) => {
    const started = process.cpuUsage();
    const summaries = summarize(code([], { path: 'README.md', text }, ['README.md']));
    const { system, user } = process.cpuUsage(started);
    expect((system + user) / 1e6).toBeLessThan(2);
    for (const { sentences } of summaries)
      for (const sentence of sentences)
        expect(sentence.text.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARACTERS);
  });
});
