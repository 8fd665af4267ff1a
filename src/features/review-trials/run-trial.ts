/**
 * Runs a trial, one pull request after the other. What was found is written after each, so that a trial goes on where it was when the
 * process ended. Nothing is posted, and no run, finding or discussion is recorded.
 */

import type { JudgedCandidate, RuleReviewer } from '../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../engines/review/contract/code-reviewer.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../platform/core/ports/code-reader.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectPathsToSkip } from '../organization-settings/index.ts';
import { loadReviewers, loadReviewerVersion } from '../reviewers/index.ts';
import { compareFindings } from './compare-findings.ts';
import {
  finishTrial,
  noteProgress,
  selectHeads,
  selectNextPullRequest,
  selectSaid,
  selectTrial,
  updateTrialPullRequest,
} from './trial-store.ts';

const MAX_PROBLEM_CHARACTERS = 300;

export interface TrialServices {
  db: Db;
  code: Pick<CodeReader, 'read' | 'readTexts'> & Pick<CodeReviewer, 'review'>;
  log: Log;
  now(): Date;
}

type Trial = NonNullable<Awaited<ReturnType<typeof selectTrial>>>;
type Next = NonNullable<Awaited<ReturnType<typeof selectNextPullRequest>>>;

export async function runTrial(
  services: TrialServices,
  { organizationId, trialId }: { organizationId: string; trialId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, log, now } = services;
  const trial = await selectTrial(db, organizationId, trialId);
  if (trial?.state !== 'running') return;
  const call = { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal };
  for (;;) {
    signal.throwIfAborted();
    if (!(await noteProgress(db, trialId))) return;
    const next = await selectNextPullRequest(db, trialId);
    if (!next) break;
    try {
      const findings = await tryPullRequest(services, trial, next, call);
      await updateTrialPullRequest(db, { trialId, ...next }, { findings, problem: null, at: now() });
    } catch (error) {
      signal.throwIfAborted();
      log.info(
        { err: error, trialId, pullRequestId: next.pull_request_id },
        'a trial skipped a pull request',
      );
      const problem = error instanceof Problem ? error.message : 'The review stopped unexpectedly.';
      await updateTrialPullRequest(
        db,
        { trialId, ...next },
        { findings: [], problem: problem.slice(0, MAX_PROBLEM_CHARACTERS), at: now() },
      );
    }
  }
  await finishTrial(db, trialId, 'done', now());
}

async function tryPullRequest(services: TrialServices, trial: Trial, next: Next, call: Call) {
  const { code, db } = services;
  const { organization_id: organizationId, repository_id: repositoryId } = next;
  const reviewers = await reviewersOf(services, trial, next, call);
  const excludedPaths = await selectPathsToSkip(db, { organizationId, repositoryId });
  const found: JudgedCandidate[] = [];
  for (const { commit, merge_base: from } of await headsOf(db, next)) {
    // One review of one head is never so long that the trial seems lost.
    await noteProgress(db, trial.id);
    const { candidates } = await code.review(
      repositoryId,
      {
        ...{ from, to: commit, excludedPaths },
        ...{ reviewers: reviewers.builtIn, switchedOn: reviewers.switchedOn },
        ruleReviewers: reviewers.ruleReviewers,
        ...(next.default_commit !== null && { laterCommit: next.default_commit }),
      },
      call,
    );
    found.push(...candidates);
  }
  const said = (await selectSaid(db, next.pull_request_id)).filter(
    ({ reviewer_id }) => trial.reviewer_id === null || reviewer_id === trial.reviewer_id,
  );
  return compareFindings(found, said, (key) => reviewers.titles.get(key) ?? key);
}

async function headsOf(db: Db, { head_commit, merge_base, pull_request_id }: Next) {
  const heads = await selectHeads(db, pull_request_id);
  return heads.length > 0 ? heads : [{ commit: head_commit!, merge_base: merge_base! }];
}

interface TriedReviewers {
  builtIn: string[];
  switchedOn: string[];
  ruleReviewers: RuleReviewer[];
  titles: Map<string, string>;
}

async function reviewersOf(
  services: TrialServices,
  trial: Trial,
  { default_commit, merge_base, repository_id: repositoryId }: Next,
  call: Call,
): Promise<TriedReviewers> {
  const { organization_id: organizationId } = trial;
  if (trial.reviewer_id !== null) {
    const place = { organizationId, repositoryId, reviewerId: trial.reviewer_id, version: trial.version! };
    return loadReviewerVersion(services.db, place);
  }
  // As they are now: a trial says what they would have said.
  const place = { organizationId, repositoryId, baseCommit: default_commit ?? merge_base! };
  const loaded = await loadReviewers(services, place, call);
  const titles = [...loaded.stored].map(([key, { title }]) => [key, title] as const);
  const inFiles = loaded.files.map(({ key, title }) => [key, title] as const);
  return { ...loaded, titles: new Map<string, string>([...titles, ...inFiles]) };
}
