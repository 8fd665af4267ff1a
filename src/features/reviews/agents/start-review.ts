/** POST /api/v2/agent-reviews: an agent starts a review, or reads one that it started again. */

import { type Context, callOf, defineOperation } from '../../../context.ts';
import type { ChangeToReview, Producer } from '../../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../../engines/review/contract/code-reviewer.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { selectPathsToSkip } from '../../organization-settings/index.ts';
import { loadReviewers } from '../../reviewers/index.ts';
import { type CoverableFinding, covers } from '../decisions/covering-decision.ts';
import { readPausedChecks } from '../decisions/paused-checks.ts';
import { isPaused, PAUSED } from '../decisions/paused-name.ts';
import { describeDecision, readDecisions } from '../decisions/read-decisions.ts';
import { readRepositoryDecisions } from '../decisions/repository-decisions.ts';
import { addAdvisories } from '../runs/add-advisories.ts';
import { addUsesElsewhere } from '../runs/uses-elsewhere.ts';
import { AGENT_REVIEW_LIMITS, AgentReview, StartReviewInput } from './agent-review-contract.ts';
import {
  type AgentReviewRow,
  countOpenReviews,
  forgetPatches,
  insertAgentFindings,
  insertAgentReview,
  lockCredential,
  type NewAgentFinding,
  selectDoNotRaise,
  selectReports,
} from './agent-review-store.ts';
import { presentReviewers, reviewersOf, unknownTitles } from './agent-reviewers.ts';
import { chooseChange } from './choose-change.ts';
import { changeOf, leaseFrom, openAgentReview } from './open-agent-review.ts';
import { presentAgentFinding } from './present-agent-review.ts';

/** Checks that take longer are left to the review of the pull request. */
const CHECKS_WITHIN_MS = 20_000;
const MAX_DO_NOT_RAISE = 50;

export const startReview = defineOperation({
  name: 'start-review',
  group: 'Reviews',
  summary: 'Start a review as an agent',
  description:
    'Of a pull request, a pushed branch, or a diff that is not pushed. Findings of the last two are for the caller alone. With `runId`, a review that the caller started.',
  http: { method: 'POST', path: '/api/v2/agent-reviews', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: StartReviewInput,
  output: AgentReview,
  problems: ['ambiguous_repository', 'not_found', 'ref_not_found', 'conflict', 'repository_not_ready'],
  async run(context, input) {
    let warning: string | null = null;
    let review: AgentReviewRow;
    let change: ReadChange;
    if (input.runId === undefined) {
      ({ change, review, warning } = await begin(context, input));
    } else {
      review = await openAgentReview(context, input.runId);
      const { organization_id: organizationId, repository_id: repositoryId } = review;
      const excludedPaths = await selectPathsToSkip(context.db, { organizationId, repositoryId });
      change = await read(context, repositoryId, { ...changeOf(review), excludedPaths });
    }
    const reviewers = await reviewersOf(context, review);
    const reports = await selectReports(context.db, review.id);
    return {
      runId: review.id,
      leaseUntil: review.lease_until.toISOString(),
      repository: review.repository_name,
      prNumber: review.pr_number,
      headCommit: change.head,
      mergeBase: change.base,
      reviewers: presentReviewers(reviewers, input.reviewers),
      doNotRaise: await listDoNotRaise(context, review),
      found: reports
        .filter(({ outcome }) => outcome === 'accepted')
        .map(({ candidate, id }) => presentAgentFinding(id, candidate)),
      files: change.files,
      notReviewed: change.notReviewed,
      moreFiles: change.moreFiles,
      addedLines: change.addedLines,
      warning: [warning, unknownTitles(reviewers, input.reviewers ?? [])].filter(Boolean).join(' ') || null,
    };
  },
});

type ReadChange = ChangeToReview & { kind: 'change' };

async function begin(context: Context, input: Parameters<typeof chooseChange>[1]) {
  const { actor, clock, db } = context;
  if (input.tool !== undefined && input.reviewers !== undefined) {
    throw invalidRequest([{ path: 'reviewers', message: 'has no meaning for a tool' }]);
  }
  if (input.tool !== undefined && actor.kind === 'oauth') {
    throw invalidRequest([{ path: 'tool', message: 'results of an analyzer must be sent with an API key' }]);
  }
  refuseTooMany(await countOpenReviews(db, actor.credentialId, clock.now()));
  const chosen = await chooseChange(context, input);
  const { from, pullRequest, repository, to } = chosen;
  const excludedPaths = await selectPathsToSkip(db, {
    organizationId: actor.organizationId,
    repositoryId: repository.id,
  });
  const change = await read(context, repository.id, { from, to, excludedPaths });
  const checked =
    pullRequest === null
      ? await runChecks(context, repository.id, { from, to, excludedPaths })
      : { found: [], warning: null };
  const at = clock.now();
  const id = uuidv7();
  await forgetPatches(db, actor.userId, at);
  await inTransaction(db, async (transaction) => {
    // Counted again under the lock: two that start at the same time can't both take the last place.
    await lockCredential(transaction, actor.credentialId);
    refuseTooMany(await countOpenReviews(transaction, actor.credentialId, at));
    await insertAgentReview(transaction, {
      ...{ id, organizationId: actor.organizationId, repositoryId: repository.id },
      ...{ pullRequestId: pullRequest?.id ?? null, userId: actor.userId, credentialId: actor.credentialId },
      producer: producerOf(context, input),
      ...{ headCommit: change.head, mergeBase: change.base },
      patch: typeof to === 'string' ? null : to.patch,
      paths: change.files.map(({ path }) => path),
      ...{ addedLines: change.addedLines, moreFiles: change.moreFiles, notReviewed: change.notReviewed },
      ...{ leaseUntil: leaseFrom(at), at },
    });
    await insertAgentFindings(
      transaction,
      checked.found.map((each) => ({
        ...{ id: uuidv7(), reviewId: id, organizationId: actor.organizationId, at },
        ...each,
      })),
    );
  });
  const review = await openAgentReview(context, id);
  return { change, review, warning: checked.warning };
}

function refuseTooMany(open: number): void {
  if (open < AGENT_REVIEW_LIMITS.openReviews) return;
  throw new Problem(
    'conflict',
    `At most ${AGENT_REVIEW_LIMITS.openReviews} reviews can be open at a time. Finish one, or wait until it expires.`,
  );
}

type ChangeParams = Parameters<CodeReviewer['readChange']>[1];

async function read(context: Context, repositoryId: string, params: ChangeParams): Promise<ReadChange> {
  const change = await context.code.readChange(repositoryId, params, callOf(context));
  if (change.kind === 'change') return change;
  const message = `does not apply to \`base\`. Send the output of \`git diff BASE\`. git says: ${change.reason}`;
  throw invalidRequest([{ path: 'diff', message }]);
}

type CheckFinding = Omit<NewAgentFinding, 'id' | 'reviewId' | 'organizationId' | 'at'>;

/**
 * Runs the checks and rules of the reviewers on changes that no review of a pull request covers. As there, what was dismissed or is
 * found by a paused check is not raised.
 */
async function runChecks(
  context: Context,
  repositoryId: string,
  params: ChangeParams,
): Promise<{ found: CheckFinding[]; warning: string | null }> {
  const { actor, code, db } = context;
  const { organizationId } = actor;
  const late = AbortSignal.timeout(CHECKS_WITHIN_MS);
  const call = callOf(context);
  const limited = { ...call, signal: AbortSignal.any([call.signal, late]) };
  try {
    const reviewers = await loadReviewers(
      context,
      { organizationId, repositoryId, baseCommit: params.from },
      limited,
    );
    const { builtIn, ruleReviewers, switchedOn } = reviewers;
    const result = await code.review(
      repositoryId,
      { ...params, reviewers: builtIn, switchedOn, ruleReviewers },
      limited,
    );
    await addUsesElsewhere(context, { organizationId, repositoryId }, result, limited, CHECKS_WITHIN_MS / 2);
    await addAdvisories(db, result, context.clock.now());
    const place = { organizationId, repositoryId, pullRequestId: null };
    const inFiles = await readRepositoryDecisions(code, repositoryId, params.from, limited);
    const decisions = [...(await readDecisions(db, place, result.candidates)), ...inFiles.decisions];
    const paused = await readPausedChecks(db, repositoryId);
    const decisionOn = (candidate: CoverableFinding) => decisions.find((each) => covers(each, candidate));
    const keys = new Set<string>();
    const found = result.candidates
      // A dismissed finding doesn't speak for others.
      .filter(
        ({ fate }) =>
          fate.kind === 'finding' ||
          (fate.kind === 'grouped' && decisionOn(result.candidates[fate.with]!) !== undefined),
      )
      .filter(({ key }) => !keys.has(key) && keys.add(key))
      .slice(0, AGENT_REVIEW_LIMITS.reports)
      .map(({ fate: _, ...candidate }): CheckFinding => {
        const decision = decisionOn(candidate);
        if (decision) return { outcome: 'decided', reason: decision.said, candidate };
        return isPaused(candidate, paused)
          ? { outcome: 'refused', reason: PAUSED, candidate }
          : { outcome: 'accepted', reason: null, candidate };
      });
    const unfinished = result.checks.flatMap(({ failure, name }) => (failure ? [`${name}: ${failure}`] : []));
    return {
      found,
      warning: unfinished.length > 0 ? `Some checks could not finish. ${unfinished.join(' ')}` : null,
    };
  } catch (error) {
    if (late.aborted && !call.signal.aborted)
      return {
        found: [],
        warning: 'The checks of the built-in reviewers took too long and are not included.',
      };
    throw error;
  }
}

function producerOf({ actor }: Context, input: Parameters<typeof chooseChange>[1]): Producer {
  return {
    kind: input.tool === undefined ? 'agent' : 'tool',
    userId: actor.userId,
    userName: actor.userName,
    vendor: input.tool ?? input.agentVendor ?? null,
    model: input.model ?? null,
    sessionId: input.sessionId ?? null,
  };
}

async function listDoNotRaise({ db }: Context, review: AgentReviewRow) {
  const { dismissed, raised } = await selectDoNotRaise(
    db,
    {
      organizationId: review.organization_id,
      repositoryId: review.repository_id,
      pullRequestId: review.pull_request_id,
    },
    MAX_DO_NOT_RAISE,
  );
  return [
    ...raised.map((each) => ({ ...each, reason: 'It is already a discussion in this pull request.' })),
    ...dismissed.map(({ decided_by_name: by, file, quote, reason, title }) => ({
      ...{ title, file, quote, reason: describeDecision({ by, reason }) },
    })),
  ];
}
