/** The process that reviews changes, on request of the service. */
import type { ChangeRequest, ReviewRequest, ReviewRequests } from '../../platform/core/code-review.ts';
import { lowerPriority } from '../../platform/core/lower-priority.ts';
import {
  createReaderCaches,
  openReaders,
  type RepositoryFolders,
  type RepositoryReader,
  serveRequests,
} from '../search/index.ts';
import type { Check } from './check.ts';
import { chooseChecks } from './checks/index.ts';
import { mergeSkew, sharedMigrationNumbers } from './checks/merge-skew.ts';
import { newDependencies } from './checks/new-dependencies.ts';
import { planConformance } from './checks/plan-conformance.ts';
import { removedButUsed } from './checks/removed-but-used.ts';
import { confirmUses } from './confirm-uses.ts';
import { openGitReviewCode } from './git-review-code.ts';
import { judgeReport } from './judge-report.ts';
import { maskFiles } from './mask-files.ts';
import { matchPaths } from './match-paths.ts';
import { type OpenChange, openChange } from './open-change.ts';
import { BadPatch } from './patched-tree.ts';
import { isProofGone } from './proof-gone.ts';
import { readChange } from './read-change.ts';
import { makeRuleChecks } from './rules/rule-checks.ts';
import { runReview } from './run-review.ts';

/** Lower priority than anything that a user waits for. */
const PRIORITY = 10;
/** Their tables are in memory. */
const MAX_OPEN = 50;
/** A review reads four commits: kubernetes has 3 MB of paths and ids in each, and commits with the same paths share them. */
const FILES_BYTES = 12 * 1024 * 1024;

lowerPriority(PRIORITY);

const readers = openReaders(MAX_OPEN, createReaderCaches(FILES_BYTES));

serveRequests<ReviewRequests, RepositoryFolders>({
  reviewChange: (folders, params, { signal }) =>
    withChange(folders, params, signal, async ({ code }, reader) => {
      const rules = makeRuleChecks(params.ruleReviewers, { signal });
      const { laterCommit } = params;
      const later =
        laterCommit === undefined
          ? undefined
          : openGitReviewCode({
              gitDir: reader.gitDir,
              base: laterCommit,
              head: laterCommit,
              signal,
              reader,
            });
      const builtIn = chooseChecks(params.reviewers, params.switchedOn);
      try {
        return await runReview(code, {
          checks: [...builtIn, ...checksWithOthers(reader, params, signal), ...rules.checks],
          isExcluded: matchPaths(params.excludedPaths),
          // What is posted and what is held back depends on earlier runs, which the service knows.
          maxFindings: Number.POSITIVE_INFINITY,
          listsPlaces: params.listsPlaces ?? false,
          listsRemoved: params.reviewers.includes(removedButUsed.reviewer),
          listsPackages: params.reviewers.includes(newDependencies.reviewer),
          ...(later && { isGoneLater: (candidate) => isProofGone(later, candidate) }),
        });
      } finally {
        later?.close();
        await rules.close();
      }
    }),
  async readChange(folders, params, { signal }) {
    try {
      return await withChange(folders, params, signal, async ({ binaryFiles, code }) => {
        const { files, notReviewed, ...change } = await readChange(code, matchPaths(params.excludedPaths));
        return {
          ...change,
          kind: 'change',
          notReviewed: [...notReviewed, ...binaryFiles.map((path) => ({ path, reason: 'binary' }))],
          files: await maskFiles(files, code),
        };
      });
    } catch (error) {
      if (error instanceof BadPatch) return { kind: 'bad_patch', reason: error.message };
      throw error;
    }
  },
  judgeFinding: (folders, params, { signal }) =>
    withChange(folders, params, signal, async ({ code }) =>
      judgeReport(
        await readChange(code, matchPaths(params.excludedPaths)),
        code,
        params.finding,
        params.producer,
      ),
    ),
  async confirmUses(folders, { commit, uses }, { signal }) {
    const reader = readers.of(folders);
    const code = openGitReviewCode({ gitDir: folders.gitDir, base: commit, head: commit, signal, reader });
    try {
      return await confirmUses(code, uses);
    } finally {
      code.close();
    }
  },
});

/** What depends on more than the change itself. */
function checksWithOthers(reader: RepositoryReader, params: ReviewRequest, signal: AbortSignal): Check[] {
  const { others = [], plans = [], reviewers, target } = params;
  const plan = plans.length === 0 ? [] : [planConformance(plans)];
  const planned = plan.filter(({ reviewer }) => reviewers.includes(reviewer));
  if (!reviewers.includes(removedButUsed.reviewer)) return planned;
  return [
    ...planned,
    ...(target === undefined ? [] : [mergeSkew({ reader, target, signal })]),
    ...(others.length === 0 ? [] : [sharedMigrationNumbers(others, { gitDir: reader.gitDir, signal })]),
  ];
}

async function withChange<Result>(
  folders: RepositoryFolders,
  params: ChangeRequest,
  signal: AbortSignal,
  work: (opened: OpenChange, reader: RepositoryReader) => Promise<Result>,
): Promise<Result> {
  const reader = readers.of(folders);
  const opened = await openChange(reader, params, signal);
  try {
    return await work(opened, reader);
  } finally {
    await opened.close();
  }
}
