/** Lines that are found with the index are those that git finds without it; facts that are stored are those that parsing gives. */
import { expect, it, onTestFinished } from 'vitest';
import { build, makeFolder, openForTest } from '../../../../test/exactness/one-index.ts';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { extractRange } from '../../facts/extract-range.ts';
import { extractFacts, openStoredFacts } from '../../facts/index.ts';
import { openGitReviewCode } from './git-review-code.ts';

const LONG = `${'x '.repeat(30_000)}needle ${'y '.repeat(30_000)}`;
const FILES = {
  'a/first.ts': 'export function format(n) {}\nformat(1); reformat(2);\n\nformat_all();\n',
  'a/same.ts': 'export function format(n) {}\nformat(1); reformat(2);\n\nformat_all();\n',
  'a-b.ts': 'format\r\nno newline at the end: format',
  'binary.bin': Buffer.from('format\0format\n'),
  'docs/é.md': 'éformat formaté (format) `src/a+b(c).ts` $HOME [x] a|b \\d {2} #12 ~ &\n',
  'Specs/a.ts': 'format\n',
  'a/First_test.go': 'format(); often()\n',
  'contest.txt': 'format\n',
  'empty.txt': '',
  'latin1.txt': Buffer.from([0xe9, ...Buffer.from('format '), 0xff, 10]),
  'link.ts': { symlink: 'format' },
  'long.txt': `${LONG}\nneedle\n`,
  'many.txt': 'often\n'.repeat(6000),
  'z.rs': 'format\n',
  'z.ts': 'Format FORMAT\nfoo.bar fooxbar\n',
};
const SOURCES = {
  'src/a.ts':
    "import { b } from './b.ts';\nexport function a(n: number) {\n  return b(n) + b(1);\n}\napp.get('/a', a);\n",
  'src/b.py': 'from .a import a\n\nclass B:\n    def b(self, n):\n        return a(n)\n',
  'src/c.go': 'package c\n\nimport "fmt"\n\nfunc C(n int) { fmt.Println(n) }\n',
  'src/binary.ts': Buffer.from('export const no = 1;\0'),
  'src/slow.ts': 'export const slow = 1;\n',
  'package.json': '{"name": "sample", "dependencies": {"left": "1.0.0"}}\n',
  'README.md': '# Sample\n\n## Use\n',
};
const SEARCHES: { texts: string[]; wholeWords: boolean }[] = [
  { texts: ['format'], wholeWords: true },
  { texts: ['format'], wholeWords: false },
  { texts: ['format', 'reformat', 'bar', 'needle', 'nowhere'], wholeWords: true },
  { texts: ['src/a+b(c).ts', '$HOME', '[x]', 'a|b', '\\d', '{2}', '#12', '~', '&'], wholeWords: false },
  { texts: ['.bar', 'foo.bar', '-b'], wholeWords: true },
  { texts: ['n', 'é'], wholeWords: true },
  { texts: ['needle'], wholeWords: true },
  { texts: ['often', 'Format'], wholeWords: false },
  { texts: ['nowhere'], wholeWords: true },
  { texts: [], wholeWords: true },
];

it('finds the same lines with the index as without, in the same order', async () => {
  const repository = await makeRepository(FILES);
  onTestFinished(() => repository.remove());
  const base = await repository.git('rev-parse', 'main');
  const index = makeFolder();
  await build(repository.folder, index, [base]);
  // Not indexed, which the next search notices.
  const head = await repository.commit({ 'b/new.ts': 'format(3);\n', 'a/first.ts': null });
  const place = { gitDir: repository.folder, base, head, signal: AbortSignal.timeout(60_000) };
  const [indexed, plain] = [
    openGitReviewCode({ ...place, reader: openForTest(repository.folder, index) }),
    openGitReviewCode(place),
  ];
  onTestFinished(() => plain.close());
  for (const side of ['base', 'head'] as const) {
    for (const { texts, wholeWords } of SEARCHES) {
      for (const options of [
        { wholeWords },
        { wholeWords, isLooked: (path: string) => path !== 'many.txt' },
      ]) {
        const found = await indexed.find(side, texts, options);
        expect(found, texts.join()).toEqual(await plain.find(side, texts, options));
      }
    }
  }
  const inTests = await indexed.find('head', ['format', 'often'], { wholeWords: true, inTests: true });
  expect([inTests.truncated, ...new Set(inTests.lines.map(({ path }) => path))]).toEqual([
    ...[false, 'Specs/a.ts', 'a/First_test.go', 'z.rs'],
  ]);
  expect(
    (await indexed.find('head', ['format'], { wholeWords: true })).lines.map(({ path }) => path),
  ).toEqual([
    ...[
      'Specs/a.ts',
      'a-b.ts',
      'a-b.ts',
      'a/First_test.go',
      'a/same.ts',
      'a/same.ts',
      'b/new.ts',
      'contest.txt',
    ],
    ...['docs/é.md', 'latin1.txt', 'z.rs'],
  ]);
});

it('leaves out texts that hundreds of files have, so that the lines of others are all found', async () => {
  const common = Array.from({ length: 501 }, (_, number) => [`common/${number}.ts`, `often(${number});\n`]);
  const repository = await makeRepository({ ...Object.fromEntries(common), 'rare.ts': 'rare(); often();\n' });
  onTestFinished(() => repository.remove());
  const commit = await repository.git('rev-parse', 'main');
  const index = makeFolder();
  await build(repository.folder, index, [commit]);
  const code = openGitReviewCode({
    ...{ gitDir: repository.folder, base: commit, head: commit, signal: AbortSignal.timeout(60_000) },
    reader: openForTest(repository.folder, index),
  });
  const options = { wholeWords: true, maxLines: 10 };
  const rare = [{ path: 'rare.ts', line: 1, text: 'rare(); often();' }];
  expect(await code.find('head', ['often', 'rare'], { ...options, leavesOutCommon: true })).toEqual({
    ...{ lines: rare, truncated: false, tooCommon: ['often'] },
  });
  expect(await code.find('head', ['often'], { ...options, leavesOutCommon: true })).toEqual({
    ...{ lines: [], truncated: false, tooCommon: ['often'] },
  });
  const all = await code.find('head', ['often', 'rare'], options);
  expect([all.lines.length, all.truncated, all.tooCommon]).toEqual([10, true, []]);
});

it('takes stored facts instead of parsing, and parses what has none', async () => {
  const repository = await makeRepository(SOURCES);
  onTestFinished(() => repository.remove());
  const base = await repository.git('rev-parse', 'main');
  const head = await repository.commit({ 'src/new.ts': 'export const added = 1;\n' });
  const signal = AbortSignal.timeout(60_000);
  const factsFolder = makeFolder();
  const paths = (await repository.git('ls-tree', '-r', '--name-only', base)).split('\n');
  // As if parsing it had been given up, which tells stored facts from new ones.
  const skipped = [{ file: paths.indexOf('src/slow.ts'), incomplete: 'too_slow' as const }];
  const all = { commit: base, from: 0, to: paths.length, skipped, maxBytes: 1e9 };
  await extractRange({ gitDir: repository.folder, factsFolder }, all, () => undefined, signal);
  const stored = openStoredFacts(1).of(factsFolder);
  const code = openGitReviewCode({ gitDir: repository.folder, base, head, signal, stored });
  onTestFinished(() => code.close());
  expect(await code.symbols('head', 'src/slow.ts')).toMatchObject({ incomplete: 'too_slow', symbols: [] });
  for (const path of [...paths, 'src/new.ts', 'src/gone.ts']) {
    if (path === 'src/slow.ts') continue;
    const text = await code.read('head', path);
    // Words of files are kept for the whole commit only.
    const withoutWords = (facts: object | null) => facts && { ...facts, words: [] };
    const parsed = text === null ? null : await extractFacts({ path, text });
    expect(withoutWords(await code.facts('head', path)), path).toEqual(withoutWords(parsed));
  }
  expect((await code.symbols('head', 'src/new.ts'))?.symbols.map(({ name }) => name)).toEqual(['added']);
});
