/**
 * Reviews the newest head of a pull request. The code is read and checked without a lock; what was found is written under it,
 * unless there is a newer head by then, which has its own review. Written in one transaction, so that a crash loses or doubles nothing.
 */

import type { ReviewResult } from '../../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../../engines/review/contract/code-reviewer.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import {
  mayApproveClean,
  mayWriteDescription,
  selectPathsToSkip,
  selectSettingStates,
  shouldReview,
} from '../../organization-settings/index.ts';
import {
  BY_SERVICE,
  type PullRequestChange,
  type PullRequestRow,
  selectLinkedPlans,
  selectPullRequestById,
  withPullRequestAs,
} from '../../pull-requests/index.ts';
import { type LoadedReviewers, loadReviewers, storeReviewers } from '../../reviewers/index.ts';
import type { Decision } from '../decisions/read-decisions.ts';
import { readRepositoryDecisions } from '../decisions/repository-decisions.ts';
import { describeChange } from '../publishing/describe-change.ts';
import { refreshReport } from '../publishing/refresh-report.ts';
import { writeDescription } from '../publishing/write-description.ts';
import { addAdvisories } from './add-advisories.ts';
import { approveClean, areLinkedPlansApproved, withdrawApproval } from './approve-clean.ts';
import { recordFindings } from './record-findings.ts';
import {
  insertRun,
  type NewRun,
  selectAuthorNames,
  selectOtherOpenChanges,
  selectReviewedHeads,
} from './review-run-store.ts';
import { type ModelReviewServices, reviewWithModel } from './review-with-model.ts';
import { addUsesElsewhere } from './uses-elsewhere.ts';

/** Nobody waits for a review that runs in the background. */
const USES_WITHIN_MS = 60_000;
/** Files that the conditions of settings are checked against. */
const MAX_LISTED_FILES = 3000;
/** Plans that a change is compared with, and files of each. */
const LINKED = { plans: 5, files: 1000 };

export interface ReviewServices extends ModelReviewServices {
  code: ModelReviewServices['code'] &
    Pick<CodeReader, 'compare' | 'read' | 'searchEach'> &
    Pick<CodeReviewer, 'confirmUses' | 'review'>;
  announce(topic: string): void;
}

type Reviewable = PullRequestRow & {
  head_commit: string;
  merge_base: string;
  review_trigger: NewRun['trigger'];
};

export async function runPullRequestReview(
  services: ReviewServices,
  { organizationId, pullRequestId }: { organizationId: string; pullRequestId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = services;
  const pullRequest = await selectPullRequestById(db, organizationId, pullRequestId);
  if (!pullRequest?.head_commit || !pullRequest.merge_base || !pullRequest.review_trigger) return;
  const reviewable = pullRequest as Reviewable;
  const startedAt = services.now();
  const runId = uuidv7();
  const outcome = await reviewHead(services, reviewable, runId, signal);
  const written = await withPullRequestAs(
    services,
    { ...BY_SERVICE, organizationId },
    pullRequestId,
    services.now(),
    async (change) => {
      // A push or a request meanwhile has its own review.
      const now = change.pullRequest;
      if (now.head_commit !== reviewable.head_commit || now.review_trigger !== reviewable.review_trigger)
        return;
      change.set({ review_trigger: null, review_requested_by: null, review_started_at: startedAt });
      await writeRun(change, reviewable, outcome, { runId, startedAt });
      if (outcome.description !== null) await writeDescription(change, outcome.description);
    },
  );
  log.debug(
    { pullRequestId, state: outcome.state, written: written !== undefined },
    'reviewed a pull request',
  );
}

type Outcome = {
  /** For a pull request without one, if the settings say so. */
  description: string | null;
} & (
  | {
      state: 'done';
      result: ReviewResult;
      reviewers: LoadedReviewers;
      /** Read from the repository's files. */
      decisions: readonly Decision[];
      /** If it is clean. */
      mayApprove: boolean;
    }
  | { state: 'failed' | 'skipped'; problem: string }
);

async function reviewHead(
  services: ReviewServices,
  pullRequest: Reviewable,
  runId: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { code, db, log } = services;
  const { organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  // Background work of an organization takes its turn as one caller.
  const call = { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal };
  const range = { from: pullRequest.merge_base, to: pullRequest.head_commit };
  let description: string | null = null;
  try {
    const { files, total } = await code.compare(
      'listChanges',
      repositoryId,
      { ...range, limit: MAX_LISTED_FILES },
      call,
    );
    const reviewed = await selectReviewedHeads(db, pullRequest.id);
    const settings = await selectSettingStates(db, organizationId);
    const facts = {
      repositoryId,
      authorNames: await selectAuthorNames(db, pullRequest.id),
      files: files.map(({ added, deleted, path }) => ({ path, lines: (added ?? 0) + (deleted ?? 0) })),
    };
    if (mayWriteDescription(settings, facts)) description = describeChange({ files, total });
    const decision = shouldReview(pullRequest.review_trigger, settings, {
      ...facts,
      state: pullRequest.state,
      reviewedHeads: reviewed.size,
      isHeadReviewed: reviewed.has(pullRequest.head_commit),
    });
    if (!decision.review) return { state: 'skipped', problem: decision.because, description };
    const reviewers = await reviewersAtBase(services, pullRequest, call);
    const excludedPaths = await selectPathsToSkip(db, { organizationId, repositoryId });
    const plans = await selectLinkedPlans(
      db,
      { organizationId, repositoryId, number: pullRequest.number },
      LINKED,
    );
    const result = await code.review(
      repositoryId,
      {
        ...range,
        reviewers: reviewers.builtIn,
        switchedOn: reviewers.switchedOn,
        ...(pullRequest.base_commit !== null && { target: pullRequest.base_commit }),
        others: await selectOtherOpenChanges(db, pullRequest),
        plans: plans.map(({ files, reviewState }) => ({ files, isApproved: reviewState === 'approved' })),
        ruleReviewers: reviewers.ruleReviewers,
        excludedPaths,
      },
      call,
    );
    await addUsesElsewhere(services, { organizationId, repositoryId }, result, call, USES_WITHIN_MS);
    await addAdvisories(db, result, services.now());
    const place = { runId, organizationId, repositoryId, pullRequestId: pullRequest.id };
    const inFiles = await readRepositoryDecisions(code, repositoryId, reviewers.baseCommit, call);
    const checks = [...result.checks, ...reviewers.problems, ...inFiles.problems];
    const { decisions } = inFiles;
    return {
      state: 'done',
      result: await reviewWithModel(
        services,
        { ...place, ...range, excludedPaths, reviewers, decisions, result: { ...result, checks } },
        call,
      ),
      reviewers,
      decisions,
      description,
      mayApprove: mayApproveClean(settings, facts),
    };
  } catch (error) {
    signal.throwIfAborted();
    // A mirror that is still being fetched is tried again by the queue.
    if (error instanceof Problem && error.code === 'repository_not_ready') throw error;
    log.warn({ err: error, pullRequestId: pullRequest.id }, 'a review failed');
    const problem = error instanceof Problem ? error.message : 'The review stopped unexpectedly.';
    return { state: 'failed', problem, description };
  }
}

/** As the base branch is now; as it was when the change began if that commit is gone. */
export async function reviewersAtBase(
  services: Pick<ReviewServices, 'code' | 'db'>,
  pullRequest: Pick<PullRequestRow, 'organization_id' | 'repository_id' | 'base_commit'> & {
    merge_base: string;
  },
  call: Call,
): Promise<LoadedReviewers> {
  const { base_commit: base, merge_base: mergeBase, organization_id, repository_id } = pullRequest;
  const place = { organizationId: organization_id, repositoryId: repository_id };
  try {
    return await loadReviewers(services, { ...place, baseCommit: base ?? mergeBase }, call);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'ref_not_found')) throw error;
    return loadReviewers(services, { ...place, baseCommit: mergeBase }, call);
  }
}

async function writeRun(
  change: PullRequestChange,
  pullRequest: Reviewable,
  outcome: Outcome,
  { runId, startedAt }: { runId: string; startedAt: Date },
): Promise<void> {
  const result = outcome.state === 'done' ? outcome.result : undefined;
  const run: NewRun = {
    id: runId,
    organizationId: pullRequest.organization_id,
    repositoryId: pullRequest.repository_id,
    pullRequestId: pullRequest.id,
    trigger: pullRequest.review_trigger,
    requestedBy: pullRequest.review_requested_by,
    headCommit: pullRequest.head_commit,
    mergeBase: pullRequest.merge_base,
    state: outcome.state,
    problem: outcome.state === 'done' ? null : outcome.problem,
    files: result?.change.files ?? 0,
    addedLines: result?.change.addedLines ?? 0,
    moreFiles: result?.change.moreFiles ?? 0,
    notReviewed: result?.notReviewed ?? [],
    checks: result?.checks ?? [],
    startedAt,
    finishedAt: change.at,
  };
  await insertRun(change.db, run);
  let findings = 0;
  let isApproved = false;
  const isPlanApproved = await areLinkedPlansApproved(change);
  if (outcome.state === 'done') {
    const used = new Set(outcome.result.candidates.map(({ reviewer }) => reviewer));
    const reviewers = await storeReviewers(change.db, { ...run, at: change.at }, outcome.reviewers, used);
    const recorded = await recordFindings(change, run, outcome.result, reviewers, outcome.decisions);
    findings = recorded.filter(({ fate }) => fate.kind === 'finding').length;
    if (findings === 0 && outcome.mayApprove && isPlanApproved) isApproved = await approveClean(change, run);
  }
  if (!isApproved) await withdrawApproval(change, run, { findings, isPlanApproved });
  await refreshReport(change);
}
