/** Work of the target branch that a merge in the pull request undid, on real repositories with real merges. */
import { expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { describeReview } from '../../../../test/helpers/git/review-change.ts';
import { openGitReviewCode } from '../code/git-review-code.ts';
import { runReview } from '../run-review.ts';
import { undoneWork } from './undone-work.ts';

const LINES = (...lines: string[]) => `${lines.join('\n')}\n`;
const OLD = LINES('export const limit = 1;', 'export const name = "a";');
const NEW = LINES('export const limit = 2;', 'export const name = "a";');

const OTHER = LINES('export const other = 2;');

/** A branch that changes other.ts, while main changes limit.ts and adds added.ts, and then merges main with these files. */
async function reviewMerge(
  merged: Record<string, string | null>,
  { message = 'Merge branch main', isMerge = true } = {},
): Promise<string[]> {
  const repository = await makeRepository();
  onTestFinished(() => repository.remove());
  const start = await repository.commit({ 'src/limit.ts': OLD, 'src/other.ts': OLD });
  const main = await repository.commit(
    { 'src/limit.ts': NEW, 'src/added.ts': NEW },
    { message: 'Raise the limit' },
  );
  await repository.commit({ 'src/other.ts': OTHER }, { branch: 'feature', from: start });
  const own = await repository.git('rev-parse', 'feature');
  const tree = await repository.commit({ 'src/other.ts': OTHER, ...merged }, { branch: 'tree', from: main });
  const parents = isMerge ? ['-p', own, '-p', main] : ['-p', main];
  const head = await repository.git('commit-tree', ...parents, '-m', message, `${tree}^{tree}`);
  const signal = AbortSignal.timeout(60_000);
  const code = openGitReviewCode({ gitDir: repository.folder, base: main, head, signal });
  try {
    const options = { checks: [undoneWork], isExcluded: () => false, maxFindings: 100 };
    return describeReview(await runReview(code, options)).map((each) =>
      each.replaceAll(main.slice(0, 10), 'MAIN'),
    );
  } finally {
    code.close();
  }
}

it('finds files that a merge put back to what they were before', async () => {
  expect(await reviewMerge({ 'src/limit.ts': OLD })).toEqual([
    'undone_work src/limit.ts:1 src/limit.ts is as it was before MAIN',
  ]);
});

it('leaves alone merges that keep, change or delete what they merge, deliberate reverts, and branches without a merge', async () => {
  expect(await reviewMerge({})).toEqual([]);
  expect(await reviewMerge({ 'src/added.ts': null })).toEqual([]);
  expect(await reviewMerge({ 'src/limit.ts': NEW.replace('2', '3') })).toEqual([]);
  const moved = 'export const limit = 2;\n';
  expect(await reviewMerge({ 'src/limit.ts': OLD, 'src/limits.ts': moved })).toEqual([]);
  expect(await reviewMerge({ 'src/limit.ts': OLD }, { message: 'Revert the new limit' })).toEqual([]);
  expect(await reviewMerge({ 'src/limit.ts': OLD }, { isMerge: false })).toEqual([]);
});
