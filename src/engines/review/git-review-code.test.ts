/** Lines that are found with the index are those that git finds without it. */
import { expect, it, onTestFinished } from 'vitest';
import { build, makeFolder, openForTest } from '../../../test/exactness/one-index.ts';
import { makeRepository } from '../../../test/git-fixtures.ts';
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
