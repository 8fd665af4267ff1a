/** Reviews a change between two sets of files, in a real repository. */

import type { ReviewResult, RuleReviewer } from '../../../src/engines/review/contract/code-review.ts';
import { CHECKS, makeRuleChecks, openGitReviewCode, runReview } from '../../../src/engines/review/index.ts';
import { type FixtureFiles, makeRepository } from './git-fixtures.ts';

/** Files that `after` does not name stay as they are; null deletes one. */
export async function reviewChange(
  before: FixtureFiles,
  after: FixtureFiles,
  {
    only,
    maxFindings = 100,
    listsRemoved = false,
    listsPackages = false,
    rules,
    checks: own,
    message = 'Change',
  }: {
    only?: string;
    maxFindings?: number;
    listsRemoved?: boolean;
    listsPackages?: boolean;
    rules?: { reviewers: RuleReviewer[]; program?: string; maxSeconds?: number };
    checks?: typeof CHECKS;
    message?: string;
  } = {},
): Promise<ReviewResult> {
  const repository = await makeRepository();
  const base = await repository.commit(before);
  const head = await repository.commit(after, { message });
  const signal = AbortSignal.timeout(60_000);
  const code = openGitReviewCode({ gitDir: repository.folder, base, head, signal });
  const structural = rules && makeRuleChecks(rules.reviewers, { ...rules, signal });
  try {
    const checks =
      own ?? structural?.checks ?? (only === undefined ? CHECKS : CHECKS.filter(({ name }) => name === only));
    return await runReview(code, {
      checks,
      isExcluded: () => false,
      maxFindings,
      listsPlaces: true,
      listsRemoved,
      listsPackages,
    });
  } finally {
    code.close();
    await structural?.close();
    await repository.remove();
  }
}

/** `check file:line title` of each finding; failures of checks and refusals too, so that none goes unnoticed. */
export function describeReview({ candidates, checks }: ReviewResult): string[] {
  return [
    ...checks.flatMap(({ failure, name }) => (failure === null ? [] : [`${name} failed: ${failure}`])),
    ...candidates.flatMap(({ check, fate, file, line, title }) => {
      if (fate.kind === 'refused') return [`refused ${check} ${file}:${line}: ${fate.reason}`];
      return fate.kind === 'finding' ? [`${check} ${file}:${line} ${title}`] : [];
    }),
  ];
}

/** The findings of one check, or of all, on a change. */
export async function findingsOf(
  before: FixtureFiles,
  after: FixtureFiles,
  only?: string,
): Promise<string[]> {
  return describeReview(
    await reviewChange({ 'keep.txt': 'keep\n', ...before }, after, { ...(only && { only }) }),
  );
}
