/** Globs match paths: by example, compared with git and picomatch where they agree with us, and in linear time. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSteps } from './build-steps.ts';
import { compileGlob } from './index.ts';
import { parseGlob } from './parse-glob.ts';
import { PathMatcher } from './path-matcher.ts';

const EXAMPLES: Array<[pattern: string, matched: string[], others: string[]]> = [
  ['*.go', ['a.go', 'x/y/a.go', '.go', 'x/.go'], ['a.go/b', 'a.gox', 'ago']],
  ['README.md', ['README.md', 'docs/README.md'], ['readme.md', 'xREADME.md', 'README.md/x']],
  ['/README.md', ['README.md'], ['docs/README.md']],
  ['./README.md', ['README.md'], ['docs/README.md']],
  ['./**/*.go', ['a.go', 'x/a.go'], ['a.md']],
  ['docs/*.md', ['docs/a.md', 'docs/.md'], ['x/docs/a.md', 'docs/x/a.md']],
  ['*', ['a', '.a', 'x/a'], []],
  ['/*', ['a', '.a'], ['x/a']],
  ['**', ['a', 'x/y/a'], []],
  ['**/a', ['a', 'x/a', 'x/y/a'], ['xa', 'x/xa', 'a/x']],
  ['a/**', ['a/b', 'a/b/c', 'a/.b'], ['a', 'x/a/b', 'ab']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'x/a/b', 'a/b/x']],
  ['**/a/**', ['a/b', 'x/a/y/b'], ['a', 'x/a']],
  ['a**b', ['ab', 'axb', 'y/axb'], ['a/b', 'ax/b']],
  ['x/a**', ['x/a', 'x/ab'], ['x/a/b']],
  ['x/**b', ['x/b', 'x/ab'], ['x/a/b']],
  ['a/***/b', ['a/b', 'a/x/y/b'], []],
  ['?', ['a', 'é', '日', '😀', 'x/a'], ['ab', 'e\u0301']],
  ['a?b', ['axb'], ['a/b', 'ab']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'Ax']],
  ['[!a-c]x', ['dx', '.x', 'éx'], ['ax', 'x']],
  ['[^a]', ['b', '^'], ['a']],
  ['[]a]', [']', 'a'], ['b']],
  ['[!]a]', ['b'], [']', 'a']],
  ['[a-]', ['a', '-'], ['b']],
  ['[\\]\\\\]', [']', '\\'], ['a']],
  ['[à-ê]', ['é'], ['z', '\u0301']],
  ['a[!x]b', ['ayb'], ['a/b', 'axb']],
  ['a[/]b', [], ['a/b']],
  ['a[+-9]b', ['a0b', 'a.b'], ['a/b']],
  ['\\*', ['*', 'x/*'], ['a']],
  ['\\[a]', ['[a]'], ['a']],
  ['a\\/b', ['a/b'], ['x/a/b']],
  ['{a,b}', ['a', 'b', 'x/a'], ['ab', 'c']],
  ['*.{ts,tsx}', ['a.ts', 'x/a.tsx'], ['a.tsxx', 'a.t']],
  ['a{,b}c', ['ac', 'abc'], ['abbc']],
  ['{a,{b,c{d,e}}}f', ['af', 'bf', 'cdf', 'cef'], ['cf', 'f']],
  ['{a,b/c}', ['a', 'x/a', 'b/c'], ['x/b/c', 'c']],
  ['{/a,b}', ['a', 'b', 'x/b'], ['x/a']],
  ['x/{**,y}/z', ['x/z', 'x/a/b/z', 'x/y/z'], ['xz']],
  ['**/{,a}', ['a', 'x/a', 'b'], []],
  ['{**/,}a', ['a', 'x/a'], ['xa']],
  ['*{*,b}/c', ['c', 'x/y/c', 'xb/c'], []],
  ['{a,b}/**', ['a/x', 'b/x/y'], ['c/x', 'a']],
  ['{src,test}/**/*.{ts,js}', ['src/a.ts', 'test/x/y.js'], ['lib/a.ts', 'src/a.go']],
  ['docs/', ['docs/a', 'x/docs/y/a'], ['docs', 'xdocs/a', 'x/docs']],
  ['a/b/', ['a/b/c', 'a/b/c/d'], ['x/a/b/c', 'a/b']],
  ['{docs/,b}', ['docs/a', 'x/docs/a', 'b', 'x/b'], ['docs']],
  ['[abc', ['[abc'], ['a']],
  ['a[', ['a['], ['a']],
  ['[!]', ['[!]'], ['a', '!']],
  ['{a,b', ['{a,b'], ['a', 'b']],
  ['a,b}', ['a,b}'], ['a', 'b']],
  ['{{name}}/*.txt', ['{{name}}/a.txt'], ['name/a.txt', '{name}/a.txt']],
  ['{a}', ['{a}'], ['a']],
  ['{{a,b}}', ['{a}', '{b}'], ['a']],
  ['{[,],x}', [',', 'x'], ['[', '{[']],
  ['{a\\,b,c}', ['a,b', 'c'], ['a', 'b']],
  ['größe*', ['größe.txt', 'x/größe'], ['grösse']],
  ['name with  spaces "', ['name with  spaces "'], []],
];

const MISTAKES: Array<[pattern: string, message: RegExp]> = [
  ['', /empty/],
  ['a\\', /backslash/],
  ['[z-a]', /z-a .*out of order/],
  ['a[b\\]-\\[]', /out of order/],
];

describe('compileGlob', () => {
  it.each(EXAMPLES)('%s', (pattern, matched, others) => {
    const paths = [...matched, ...others];
    expect(paths.filter((path) => matches(pattern, path))).toEqual(matched);
  });

  it.each(MISTAKES)('explains what is wrong with %j', (pattern, message) => {
    expect(compileGlob(pattern)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  it('treats each byte that is not valid UTF-8 as one character', () => {
    const cases: Array<[bytes: number[], characters: number]> = [
      [[0xff], 1],
      [[0xc3], 1],
      [[0xa9, 0xa9], 2],
      [[0xc3, 0xa9], 1],
      [[0xc0, 0xaf], 2],
      [[0xe0, 0x80, 0xaf], 3],
      [[0xed, 0xa0, 0x80], 3],
      [[0xe6, 0x97, 0x61], 3],
      [[0xf0, 0x9f, 0x98, 0x80], 1],
      [[0xf4, 0x90, 0x80, 0x80], 4],
    ];
    for (const [bytes, characters] of cases) {
      const found = [1, 2, 3, 4].filter((count) => matches('?'.repeat(count), Buffer.from(bytes)));
      expect({ bytes, found }).toEqual({ bytes, found: [characters] });
      expect(matches('*[!a]', Buffer.from(bytes))).toBe(bytes.at(-1) !== 0x61);
    }
  });

  it('reads a path within a larger buffer', () => {
    const compiled = compileGlob('x/*.go');
    const bytes = Buffer.from('x/a.gox/b.gox/c.go');
    expect(compiled.ok && compiled.glob.matches(bytes, 6, 12)).toBe(true);
    expect(compiled.ok && compiled.glob.matches(bytes, 6, 13)).toBe(false);
    expect(compiled.ok && compiled.glob.matches(bytes, 7, 12)).toBe(false);
  });
});

/** ASCII only, because git matches one byte per question mark. */
const NAMES = ['a', 'b', 'ab', 'aab', '.a', 'a.b', '[a]', 'a*', 'x y', 'b-a'];
const ALL_PATHS = NAMES.flatMap((one) => [
  `${one}0`,
  ...NAMES.flatMap((two) => [`${one}/${two}`, `${one}1/${two}/a`, `${one}1/a1/b1/${two}`]),
]);
const PATH_BYTES = ALL_PATHS.map((path) => Buffer.from(path));
const part = fc.constantFrom(
  'a',
  'b',
  'ab',
  '.',
  '0',
  '1',
  '*',
  '?',
  '[ab]',
  '[!a]',
  '[^b-z]',
  '[.-a]',
  'é',
  '\\*',
  '-',
);
const component = fc.oneof(
  {
    arbitrary: fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''))
      // git and picomatch resolve dots, which stored paths never contain.
      .filter((text) => !/^\.+$/.test(text)),
    weight: 4,
  },
  { arbitrary: fc.constant('**'), weight: 2 },
);
const plainPattern = fc
  .array(component, { minLength: 1, maxLength: 4 })
  .map((components) => components.join('/'));
const bracedPattern = fc.letrec<{ text: string; piece: string }>((tie) => ({
  text: fc.array(tie('piece'), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 3 },
    { arbitrary: fc.constantFrom('a', 'b', '*', '*', '**', '/', '/', '1', '?', '**/', '[ab]'), weight: 4 },
    {
      arbitrary: fc
        .array(fc.oneof(tie('text'), fc.constant('')), { minLength: 2, maxLength: 3 })
        .map((alternatives) => `{${alternatives.join(',')}}`),
      weight: 2,
    },
  ),
})).text;

describe('globs and other tools', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'glob-'));
    for (const path of ALL_PATHS) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    execFileSync('git', ['add', '--all'], { cwd: folder });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('anchored at the root match what git ls-files matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(plainPattern, (pattern) => {
        const output = execFileSync('git', ['ls-files', '-z', '--', `:(glob)${pattern}`], { cwd: folder });
        const found = output.toString().split('\0').filter(Boolean);
        // git treats a pattern that is exactly a folder's name as everything in it.
        const expected = found.filter((path) => !path.startsWith(`${pattern}/`));
        matched += expected.length;
        expect(select(`/${pattern}`).sort()).toEqual(expected.sort());
      }),
      { numRuns: 250 },
    );
    expect(matched).toBeGreaterThan(1000);
  });

  it('anchored at the root match what picomatch matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(plainPattern, (pattern) => {
        // picomatch's classes can match a slash, and it doesn't treat three stars as two.
        fc.pre(!/\[[!^.]|\*\*\*/.test(pattern));
        const isMatch = picomatch(pattern, { dot: true, strictSlashes: true });
        const expected = ALL_PATHS.filter((path) => isMatch(path));
        matched += expected.length;
        expect(select(`/${pattern}`)).toEqual(expected);
      }),
      { numRuns: 1500 },
    );
    expect(matched).toBeGreaterThan(5000);
  });

  it('match the same with braces as with the braces expanded first', () => {
    let matched = 0;
    fc.assert(
      fc.property(bracedPattern, (pattern) => {
        fc.pre(pattern.length < 40);
        const expanded = expandBraces(pattern).filter((each) => each !== '');
        const found = new Set(expanded.flatMap(select));
        matched += found.size;
        expect(select(pattern)).toEqual(ALL_PATHS.filter((path) => found.has(path)));
      }),
      { numRuns: 400 },
    );
    expect(matched).toBeGreaterThan(5000);
  });
});

/** Each near the limit of 1,000 characters. */
const HOSTILE: Array<[name: string, pattern: string]> = [
  ['stars', '*'.repeat(1000)],
  ['stars between letters', `${'*a'.repeat(499)}b`],
  ['stars and question marks', '*?'.repeat(500)],
  ['a window of letters', `*a${'?'.repeat(900)}`],
  ['many folders', '**/'.repeat(333)],
  ['open braces', '{'.repeat(1000)],
  ['nested braces', `${'{a,'.repeat(250)}${'}'.repeat(250)}`],
  ['a product of braces', '{a,b,*}'.repeat(140)],
  ['empty alternatives', '{,a}'.repeat(250)],
  ['braces with slashes', '{a,**/,b/}'.repeat(100)],
  ['open brackets', '['.repeat(1000)],
  ['many classes', '*[a-z]'.repeat(160)],
  [
    'many characters',
    Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(''),
  ],
];

describe('hostile globs', () => {
  it.each(HOSTILE)('take a number of steps proportional to their length: %s', (_, pattern) => {
    const nodes = parseGlob(pattern);
    const steps = buildSteps(nodes);
    expect(steps.silent.length).toBeLessThan(40 * pattern.length);
    expect([...steps.silent, ...steps.reading].flat().length).toBeLessThan(80 * pattern.length);

    const path = Buffer.from(`${'a'.repeat(3000)}/${'ab'.repeat(1000)}`);
    for (const ends of [steps.nameEnds, steps.folderEnds, steps.rootEnds]) {
      const matcher = new PathMatcher(steps, steps.start, ends);
      matcher.matches(path, 0, path.length);
      expect(matcher.builtTransitions).toBeLessThanOrEqual(path.length);
    }
  });

  it('match the same when the state table fills up and is cleared', () => {
    // With this many character classes, a few hundred states fit, where this pattern needs two thousand.
    const rare = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + 2 * index)).join('');
    const steps = buildSteps(parseGlob(`{${rare},*a${'?'.repeat(10)}}`));
    const matcher = new PathMatcher(steps, steps.start, steps.nameEnds);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 100, maxLength: 200 }), (text) => {
        expect(matcher.matches(Buffer.from(text), 0, text.length)).toBe(text.at(-11) === 'a');
      }),
      { numRuns: 200 },
    );
    // More than two per state: some were computed again.
    expect(matcher.builtTransitions).toBeGreaterThan(2 * 2 ** 11);
  });
});

function matches(pattern: string, path: string | Buffer): boolean {
  const compiled = compileGlob(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  const bytes = Buffer.from(path);
  return compiled.glob.matches(bytes, 0, bytes.length);
}

function select(pattern: string): string[] {
  const compiled = compileGlob(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  return ALL_PATHS.filter((_, index) =>
    compiled.glob.matches(PATH_BYTES[index]!, 0, PATH_BYTES[index]!.length),
  );
}

/** Expands the innermost choice first, until none is left. */
function expandBraces(pattern: string): string[] {
  const choice = /\{([^{}]*)\}/.exec(pattern);
  if (!choice) return [pattern];
  const alternatives = choice[1]!.split(',');
  return alternatives.flatMap((alternative) => expandBraces(pattern.replace(choice[0], () => alternative)));
}
