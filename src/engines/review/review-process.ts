/** The process that reviews changes, on request of the service. */

import { lowerPriority } from '../../platform/core/work/lower-priority.ts';
import { openStoredFacts, type StoredFacts } from '../facts/index.ts';
import { serveRequests } from '../processes/index.ts';
import { createReaderCaches, openReaders, type RepositoryReader, reasonOfFailure } from '../search/index.ts';
import type { Check } from './check.ts';
import { newDependencies } from './checks/dependencies/new-dependencies.ts';
import { chooseChecks } from './checks/index.ts';
import { mergeSkew, sharedMigrationNumbers } from './checks/merge-skew.ts';
import { planConformance } from './checks/plan-conformance.ts';
import { removedButUsed } from './checks/removed/removed-but-used.ts';
import { openGitReviewCode } from './code/git-review-code.ts';
import { matchPaths } from './code/match-paths.ts';
import { type OpenChange, openChange } from './code/open-change.ts';
import { BadPatch } from './code/patched-tree.ts';
import { readChange } from './code/read-change.ts';
import type { ReviewFolders } from './code/review-code.ts';
import { confirmUses } from './confirm-uses.ts';
import type { ChangeRequest, ReviewRequest, ReviewRequests } from './contract/code-review.ts';
import { judgeReport } from './judge-report.ts';
import { maskFiles } from './masking/mask-files.ts';
import { isProofGone } from './proof-gone.ts';
import { makeRuleChecks } from './rules/rule-checks.ts';
import { runReview } from './run-review.ts';

/** Lower priority than anything that a user waits for. */
const PRIORITY = 10;
/** Their tables are in memory. */
const MAX_OPEN = 50;
/** A review reads four commits: kubernetes has 3 MB of paths and ids in each, and commits with the same paths share them. */
const FILES_BYTES = 12 * 1024 * 1024;

/** Their files stay open. */
const MAX_OPEN_FACTS = 8;

lowerPriority(PRIORITY);

const readers = openReaders(MAX_OPEN, createReaderCaches(FILES_BYTES));
const storedFacts = openStoredFacts(MAX_OPEN_FACTS);

serveRequests<ReviewRequests, ReviewFolders>(
  {
    reviewChange: (folders, params, { signal }) =>
      withChange(folders, params, signal, async ({ code }, place) => {
        const { reader } = place;
        const rules = makeRuleChecks(params.ruleReviewers, { signal });
        const { laterCommit } = params;
        const later =
          laterCommit === undefined
            ? undefined
            : openGitReviewCode({
                ...place,
                gitDir: reader.gitDir,
                base: laterCommit,
                head: laterCommit,
                signal,
              });
        const builtIn = chooseChecks(params.reviewers, params.switchedOn);
        try {
          return await runReview(code, {
            checks: [...builtIn, ...checksWithOthers(place, params, signal), ...rules.checks],
            isExcluded: matchPaths(params.excludedPaths),
            // Earlier runs decide what is posted and what is held back, and only the service knows them.
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
      const code = openGitReviewCode({
        ...placeOf(folders),
        ...{ gitDir: folders.gitDir, base: commit, head: commit, signal },
      });
      try {
        return await confirmUses(code, uses);
      } finally {
        code.close();
      }
    },
  },
  reasonOfFailure,
);

interface Place {
  reader: RepositoryReader;
  stored: StoredFacts;
}

function placeOf(folders: ReviewFolders): Place {
  return { reader: readers.of(folders), stored: storedFacts.of(folders.factsFolder) };
}

/** Checks that depend on more than the change itself. */
function checksWithOthers(place: Place, params: ReviewRequest, signal: AbortSignal): Check[] {
  const { others = [], plans = [], reviewers, target } = params;
  const plan = plans.length === 0 ? [] : [planConformance(plans)];
  const planned = plan.filter(({ reviewer }) => reviewers.includes(reviewer));
  if (!reviewers.includes(removedButUsed.reviewer)) return planned;
  return [
    ...planned,
    ...(target === undefined ? [] : [mergeSkew({ ...place, target, signal })]),
    ...(others.length === 0 ? [] : [sharedMigrationNumbers(others, { gitDir: place.reader.gitDir, signal })]),
  ];
}

async function withChange<Result>(
  folders: ReviewFolders,
  params: ChangeRequest,
  signal: AbortSignal,
  work: (opened: OpenChange, place: Place) => Promise<Result>,
): Promise<Result> {
  const place = placeOf(folders);
  const opened = await openChange(place, params, signal);
  try {
    return await work(opened, place);
  } finally {
    await opened.close();
  }
}
