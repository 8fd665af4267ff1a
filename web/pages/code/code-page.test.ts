/** The rules of the code pages: splitting lines, addresses of lines and paths, and globs for typed text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/engines/search/glob/index.ts';
import { bestFirst, globFor } from '../../frame/file-glob.ts';
import { isFilePath } from '../../markdown/address.ts';
import { languageOf } from '../../parts/code/language-of.ts';
import { cutLine, wordsOfLines } from '../../parts/code/line-parts.ts';
import { describeDefinition } from '../../parts/code/names/describe-definition.ts';
import { fromTo, hashOf, linesOf } from '../../parts/code/selected-lines.ts';
import { formatBytes, formatCount } from '../../parts/fields/format-amounts.ts';
import { nameFromUrl } from '../repositories/name-from-url.ts';
import { crumbsOf, linkIn, parentOf, targetOf } from './paths.ts';

/** Ranges in order, without overlaps, within a text. */
const rangesIn = (length: number) =>
  fc.uniqueArray(fc.nat(length), { maxLength: 12 }).map((places) => {
    const sorted = places.sort((a, b) => a - b);
    return sorted.flatMap((start, at) =>
      at % 2 === 0 && sorted[at + 1] !== undefined ? [{ start, end: sorted[at + 1]! }] : [],
    );
  });
const colored = fc
  .string({ maxLength: 60 })
  .chain((text) => fc.tuple(fc.constant(text), rangesIn(text.length), rangesIn(text.length)));

describe('a line of code', () => {
  it('is split without losing text, and every character keeps its color and match', () => {
    fc.assert(
      fc.property(colored, ([text, words, matches]) => {
        const parts = cutLine(
          text,
          words.map(({ start, end }) => [start, end, 'string']),
          matches,
        );
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const { start, text: own, kind, match } of parts)
          for (let place = start; place < start + own.length; place++) {
            const covers = (range: { start: number; end: number }) =>
              range.start <= place && place < range.end;
            expect(kind === 'string').toBe(words.some(covers));
            expect(match).toBe(matches.find(covers)?.start);
          }
      }),
    );
  });

  it('contains its own words, including those that span several lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', ' '))),
        fc.nat(99),
        fc.nat(99),
        (lines, one, other) => {
          const code = lines.join('\n');
          const [start, end] = [
            Math.min(one, other, code.length),
            Math.min(Math.max(one, other), code.length),
          ];
          if (start === end) return;
          const found = wordsOfLines(lines, [[start, end, 'comment']]);
          const texts = lines.map((line, at) =>
            (found[at] ?? []).map(([from, to]) => line.slice(from, to)).join(''),
          );
          expect(texts.join('')).toBe(code.slice(start, end).replaceAll('\n', ''));
        },
      ),
    );
  });
});

describe('lines in an address', () => {
  it('survive a round trip, whichever line was selected first', () => {
    const number = fc.integer({ min: 1, max: 999_999_999 });
    fc.assert(
      fc.property(number, number, (one, other) => {
        expect(linesOf(hashOf(fromTo(one, other)))).toEqual(fromTo(other, one));
        expect(linesOf(`L${other}-${one}`)).toEqual(fromTo(one, other));
      }),
    );
  });

  it.each(['', 'L', 'L0', 'l5', 'L1-', 'section-L1', 'L1-L2-L3', 'L99999999999'])('are not in %j', (hash) => {
    expect(linesOf(hash)).toBeUndefined();
  });
});

describe('paths', () => {
  it('list every folder up to the root', () => {
    expect(crumbsOf('a/b/c.ts').map(({ path }) => path)).toEqual(['a/', 'a/b/', 'a/b/c.ts']);
    expect(crumbsOf('a/b/').map(({ path }) => path)).toEqual(['a/', 'a/b/']);
    expect(crumbsOf('')).toEqual([]);
    expect([parentOf('a/b/c.ts'), parentOf('a/b/'), parentOf('a')]).toEqual(['a/b/', 'a/', '']);
    expect(crumbsOf('"a/caf\\351.txt"')).toEqual([{ name: '"a/caf\\351.txt"', path: '"a/caf\\351.txt"' }]);
  });

  it('of symbolic links resolve relative to the link, never outside the repository', () => {
    expect(targetOf('a/b/link', '../c.ts')).toBe('a/c.ts');
    expect(targetOf('a/link', './b//c')).toBe('a/b/c');
    expect(targetOf('link', '..')).toBeUndefined();
    expect(targetOf('a/link', '../../etc/passwd')).toBeUndefined();
    expect(targetOf('a/link', '/etc/passwd')).toBeUndefined();
  });
});

describe('an address in a Markdown file', () => {
  it.each([
    ['docs/a.md', 'b.md', 'docs/b.md', undefined],
    ['docs/a.md', '../src/x.ts#L3-L5', 'src/x.ts', 'L3-L5'],
    ['docs/a.md', '/README.md?plain=1#How%20to', 'README.md', 'section-How to'],
    ['docs/a.md', 'deep/', 'docs/deep/', undefined],
    ['docs/a.md', '..', '', undefined],
    ['docs/deep/a.md', '..', 'docs/', undefined],
    ['a.md', 'caf%C3%A9.md', 'café.md', undefined],
    ['a.md', '100%.md', '100%.md', undefined],
  ])('of %s, %s, leads to %s', (file, address, path, hash) => {
    expect(linkIn(file, address)).toEqual({ path, hash });
  });

  it('never leads out of the repository', () => {
    expect(linkIn('docs/a.md', '../../x')).toBeUndefined();
    expect(linkIn('docs/a.md', '/../x')).toBeUndefined();
  });

  it.each([
    ['docs/a.md', true],
    ['/docs/a.md', true],
    ['//evil.example/a.md', false],
    ['/\\evil.example/a.md', false],
    ['\\\\evil.example', false],
    ['#heading', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%j is a path: %s', (address, isPath) => {
    expect(isFilePath(address)).toBe(isPath);
  });
});

describe('a definition', () => {
  const described = (code: string, line: number) => describeDefinition(code.split('\n'), line - 1);

  it.each([
    [
      'a block comment',
      '/**\n * Adds.\n * Fast.\n */\nexport function add(a, b) {\n',
      5,
      'export function add(a, b)',
      'Adds.\nFast.',
    ],
    [
      'line comments',
      'x = 1\n\n// Adds.\n// Fast.\nfunc Add(a, b int) int {',
      5,
      'func Add(a, b int) int',
      'Adds.\nFast.',
    ],
    ['a comment above a decorator', '# Adds.\n@cached\ndef add(a):\n    pass', 3, 'def add(a):', 'Adds.'],
    [
      'a docstring',
      'def add(\n    a,\n):\n    """Adds.\n\n    Fast.\n    """\n',
      1,
      'def add(\n    a,\n):',
      'Adds.\n\nFast.',
    ],
    ['attributes of Rust', '/// Adds.\n#[inline]\nfn add() {}', 3, 'fn add() {}', 'Adds.'],
    ['indentation', '  // Sums.\n  sum(\n    a,\n  ) {', 2, 'sum(\n  a,\n)', 'Sums.'],
    ['no comment', 'let a = 1; /* of a */\nlet b;', 2, 'let b;', ''],
    ['nothing', '', 9, '', ''],
  ])('with %s is described', (_, code, line, signature, comment) => {
    expect(described(code, line)).toEqual({ signature, comment });
  });

  it('is described within bounds, whatever the file holds', () => {
    const part = fc.constantFrom('/*', '*/', '//', '#', '@a', '(', ')', '"""', 'x', ' ', 'y'.repeat(400));
    const lines = fc.array(
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(lines, fc.nat(60), (code, at) => {
        const { comment, signature } = describeDefinition(code, at);
        expect(signature.split('\n').length).toBeLessThanOrEqual(6);
        expect(signature.length + comment.length).toBeLessThan(14 * 302);
      }),
    );
  });
});

describe('text typed to find a file', () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9_.äß,!-]{1,5}$/);
  const between = fc.stringMatching(/^[a-z/]{0,6}$/).filter((text) => !text.includes('//'));

  it('matches every path that contains its words in order, ignoring case', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.array(between, { minLength: 4, maxLength: 4 }),
        (words, gaps) => {
          const path = words.map((text, at) => `${gaps[at]}${text}`).join('') + gaps[3];
          fc.pre(!path.startsWith('/') && !path.endsWith('/') && !path.includes('//'));
          const compiled = compileGlob(globFor(words.join(' ').toLowerCase()));
          if (!compiled.ok) throw new Error(compiled.message);
          const bytes = Buffer.from(path);
          expect(compiled.glob.matches(bytes, 0, bytes.length), path).toBe(true);
        },
      ),
    );
  });

  it('is used as is when it is a glob, and searches nothing when empty', () => {
    expect(globFor(' src/**/*.ts ')).toBe('src/**/*.ts');
    expect(globFor('   ')).toBe('');
  });

  it('ranks exact names first, then prefixes, then shorter paths', () => {
    const paths = ['order/x.ts', 'b/my-order.ts', 'a/orders.ts', 'c/d/order', 'longer/orders.ts'];
    expect(bestFirst(paths, 'src order')).toEqual([
      'c/d/order',
      'a/orders.ts',
      'longer/orders.ts',
      'b/my-order.ts',
      'order/x.ts',
    ]);
  });
});

it.each([
  ['src/a.ts', 'ts'],
  ['Dockerfile', 'docker'],
  ['x/Makefile', 'make'],
  ['a/b.tar.GZ', 'gz'],
  ['constructor', ''],
  ['a.b/__proto__', ''],
  ['x.constructor', 'constructor'],
])('the language of %s is %j', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

it.each([
  ['https://git.example/acme/shop.git', 'acme/shop'],
  ['git@git.example:acme/shop.git', 'acme/shop'],
  ['ssh://git@git.example:2222/team/acme/shop', 'acme/shop'],
  ['/srv/git/shop.git/', 'git/shop'],
  ['https://git.example', ''],
  ['', ''],
])('the name of %j is %j', (url, name) => {
  expect(nameFromUrl(url)).toBe(name);
});

it('formats amounts with units', () => {
  expect([1, 999, 1000, 1_234_567, 345_678_901].map(formatBytes)).toEqual([
    '1 byte',
    '999 bytes',
    '1 kB',
    '1.2 MB',
    '346 MB',
  ]);
  expect([formatCount(1, 'branch', 'branches'), formatCount(1200, 'branch', 'branches')]).toEqual([
    '1 branch',
    '1,200 branches',
  ]);
});
