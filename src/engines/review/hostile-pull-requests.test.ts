/** Pull requests that are made to exhaust a review: what is not looked at is told, and the rest is reviewed. */
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { type FixtureFiles, makeRepository, runFixtureGit } from '../../../test/helpers/git/git-fixtures.ts';
import { describeReview } from '../../../test/helpers/git/review-change.ts';
import { chooseChecks } from './checks/index.ts';
import { openGitReviewCode, runReview } from './index.ts';

const MEGABYTE = 1024 * 1024;
/** Made up, and put together, so that scanners of this repository leave it alone. */
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
const REVIEWERS = ['secrets', 'breaking_changes', 'tests_missing', 'documentation_drift', 'dependency_risk'];

async function openRepository() {
  const repository = await makeRepository();
  onTestFinished(() => repository.remove());
  const base = await repository.commit({ 'src/keep.ts': 'export const keep = 1;\n' });
  const review = async (head: string) => {
    const signal = AbortSignal.timeout(60_000);
    const code = openGitReviewCode({ gitDir: repository.folder, base, head, signal });
    try {
      const checks = chooseChecks(REVIEWERS, []);
      return await runReview(code, { checks, isExcluded: () => false, maxFindings: 100 });
    } finally {
      code.close();
    }
  };
  return { repository, base, review };
}

async function reviewFiles(files: FixtureFiles) {
  const { repository, review } = await openRepository();
  return review(await repository.commit(files));
}

/** All but the first file have the same text, so that they are written once. */
async function reviewCopies(copies: { count: number; text: string }) {
  const { base, repository, review } = await openRepository();
  const git = async (args: string[], input = '') =>
    (await runFixtureGit(repository.folder, args, Buffer.from(input))).toString('latin1').trim();
  const first = await git(['hash-object', '-w', '--stdin'], `const token = '${TOKEN}';\n`);
  const other = await git(['hash-object', '-w', '--stdin'], copies.text);
  const files = Array.from({ length: copies.count }, (_, n) => `100644 blob ${other}\tfile-${n}.ts\n`);
  const tree = await git(['mktree'], `100644 blob ${first}\ta.ts\n${files.join('')}`);
  return review(await git(['commit-tree', tree, '-p', base, '-m', 'Large']));
}

it('with 10,000 files: 3,000 are looked at, and it says how many are not', async () => {
  const result = await reviewCopies({ count: 10_000, text: 'x();\n' });
  // The file at the base is deleted.
  expect(result.change).toMatchObject({ files: 3000, moreFiles: 7002 });
  expect(describeReview(result)).toEqual(['leaked_secret a.ts:1 GitHub token in the code']);
});

it('with files of 10 MB, 40 MB together: those beyond the limit of text are named', async () => {
  const result = await reviewCopies({ count: 4, text: 'const line = "of a large file";\n'.repeat(340_000) });
  const large = result.notReviewed.filter(({ path }) => path.startsWith('file-'));
  expect(large.length).toBeGreaterThanOrEqual(3);
  expect(new Set(large.map(({ reason }) => reason))).toEqual(
    new Set(['too many changed lines; some were not looked at']),
  );
  expect(describeReview(result)).toEqual(['leaked_secret a.ts:1 GitHub token in the code']);
});

it('with a line of 20 MB and archives: they are named, and the other file is reviewed', async () => {
  const archive = gzipSync(Buffer.alloc(20 * MEGABYTE));
  const result = await reviewFiles({
    'line.ts': Buffer.alloc(20 * MEGABYTE, 'word '),
    'bomb.tar.gz': archive,
    'src/a.ts': `const token = '${TOKEN}';\n`,
  });
  expect(result.notReviewed).toEqual([
    { path: 'bomb.tar.gz', reason: 'binary' },
    { path: 'line.ts', reason: 'larger than 16 MiB' },
  ]);
  expect(describeReview(result)).toEqual(['leaked_secret src/a.ts:1 GitHub token in the code']);
});

it('with paths that look like options, patterns or other lines: they are files like others', async () => {
  const leak = `const token = '${TOKEN}';\n`;
  const paths = ['--output=x', '-rf.ts', ':(exclude)a.ts', 'a\nb.ts', 'c"d\'.ts', '*.ts', '..a/b.ts', ' .ts'];
  const result = await reviewFiles(paths.map((path, n) => [path, leak.replace('aB3d', `aB${n}d`)]));
  expect(result.notReviewed).toEqual([]);
  expect(result.candidates.map(({ file }) => file).sort()).toEqual([...paths].sort());
  expect(result.checks.filter(({ failure }) => failure !== null)).toEqual([]);
});
