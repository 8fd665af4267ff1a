/** POST /api/v2/agent-reviews/:runId/finish: an agent finishes a review; what holds becomes discussions of the pull request. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type PullRequestChange, withPullRequest } from '../../pull-requests/index.ts';
import { type LoadedReviewers, storeReviewers } from '../../reviewers/index.ts';
import { readPausedChecks } from '../decisions/paused-checks.ts';
import { type Decision, readDecisions } from '../decisions/read-decisions.ts';
import { readRepositoryDecisions } from '../decisions/repository-decisions.ts';
import { refreshReport } from '../publishing/refresh-report.ts';
import { chooseFindings, findRaised, isOverLimit } from '../runs/choose-findings.ts';
import { recordFindings } from '../runs/record-findings.ts';
import { insertRun, type NewCandidate, type NewRun, selectRaised } from '../runs/review-run-store.ts';
import { FinishedReview, FinishReviewInput } from './agent-review-contract.ts';
import {
  type AgentReviewRow,
  finishAgentReview,
  selectOthersFindings,
  selectReports,
  selectVerdicts,
} from './agent-review-store.ts';
import { reviewersOf } from './agent-reviewers.ts';
import { type JudgedReport, judgeReports } from './confirm-findings.ts';
import { holdAgentReview, openAgentReview } from './open-agent-review.ts';
import { presentAgentFinding } from './present-agent-review.ts';

const MAX_SHOWN_PATHS = 100;

export const finishReview = defineOperation({
  name: 'finish-review',
  group: 'Reviews',
  summary: 'Finish a review',
  description:
    'Findings that are proven, confirmed by a second look, or reported by two independent producers become discussions. Without a pull request, they are only returned.',
  http: { method: 'POST', path: '/api/v2/agent-reviews/:runId/finish', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: FinishReviewInput,
  output: FinishedReview,
  problems: ['not_found', 'conflict'],
  async run(context, { lookedAt, runId }) {
    const { clock } = context;
    const review = await openAgentReview(context, runId);
    const seen = new Set(lookedAt.filter((path) => review.served.includes(path)));
    const reviewers = await reviewersOf(context, review);
    const inFiles = await readRepositoryDecisions(
      ...([context.code, review.repository_id, review.merge_base, callOf(context)] as const),
    );
    const notLookedAt = review.paths.filter((path) => !seen.has(path));
    const finish = async (db: Db, change: PullRequestChange | null) => {
      await holdAgentReview(db, review, clock.now());
      if (change && change.pullRequest.head_commit !== review.head_commit) {
        // It can never be published: it ends here, so that it doesn't count as open.
        await finishAgentReview(db, review.id, clock.now());
        return null;
      }
      const candidates = await readJudged(db, review);
      // Before this review adds its own. Nobody else adds to it under the lock of the pull request.
      const raised = change ? await selectRaised(db, change.pullRequest.id) : [];
      const chosen = change
        ? await publish(change, review, candidates, { ...inFiles, notLookedAt, reviewers }, context)
        : chooseFindings(candidates, {
            ...{ raised: [], listed: new Set(), limitedCount: 0 },
            paused: await readPausedChecks(db, review.repository_id),
            decisions: [...(await readDecisions(db, toPlace(review), candidates)), ...inFiles.decisions],
          });
      await finishAgentReview(db, review.id, clock.now());
      return {
        prNumber: review.pr_number,
        ...present(chosen, raised),
        notLookedAt: notLookedAt.slice(0, MAX_SHOWN_PATHS),
      };
    };
    const finished =
      review.pull_request_id === null
        ? await inTransaction(context.db, (db) => finish(db, null))
        : await withPullRequest(context, review.pull_request_id, (change) => finish(change.db, change));
    if (!finished)
      throw new Problem(
        'conflict',
        'The pull request has a newer head, so nothing was published. This review is closed; start a new one.',
      );
    return finished;
  },
});

type Judged = JudgedReport & { discussionId?: string | null };

async function readJudged(db: Db, review: AgentReviewRow): Promise<Judged[]> {
  const reports = await selectReports(db, review.id);
  const others = await selectOthersFindings(db, review);
  const ids = [...reports, ...others].map(({ id }) => id);
  return judgeReports(reports, others, await selectVerdicts(db, ids));
}

async function publish(
  change: PullRequestChange,
  review: AgentReviewRow,
  candidates: Judged[],
  given: { notLookedAt: string[]; decisions: readonly Decision[]; reviewers: LoadedReviewers },
  { actor }: Context,
): Promise<Judged[]> {
  const run: NewRun = {
    ...{ id: uuidv7(), organizationId: review.organization_id, repositoryId: review.repository_id },
    ...{ pullRequestId: change.pullRequest.id, trigger: 'agent', requestedBy: actor.userId },
    ...{ headCommit: review.head_commit, mergeBase: review.merge_base, state: 'done', problem: null },
    ...{ files: review.paths.length, addedLines: review.added_lines, moreFiles: review.more_files },
    notReviewed: [
      ...review.notReviewed,
      ...given.notLookedAt.map((path) => ({ path, reason: 'not looked at by the agent' })),
    ],
    ...{ checks: [], startedAt: review.created_at, finishedAt: change.at },
  };
  await insertRun(change.db, run);
  const used = new Set(candidates.map(({ reviewer }) => reviewer));
  const reviewers = await storeReviewers(change.db, { ...run, at: change.at }, given.reviewers, used);
  const result = { candidates, checks: [] };
  const written = await recordFindings(change, run, result, reviewers, given.decisions);
  await refreshReport(change);
  return written as (NewCandidate & Judged)[];
}

function toPlace(review: AgentReviewRow) {
  return {
    ...{ organizationId: review.organization_id, repositoryId: review.repository_id },
    pullRequestId: review.pull_request_id,
  };
}

function present(candidates: Judged[], raised: Awaited<ReturnType<typeof selectRaised>>) {
  return {
    findings: candidates
      .filter(({ fate }) => fate.kind === 'finding')
      .map((each) => ({ ...presentAgentFinding(each.id, each), discussionId: each.discussionId ?? null })),
    heldBack: candidates.flatMap((each) => {
      const { fate, file, line, title } = each;
      if (fate.kind !== 'held_back' && fate.kind !== 'known' && fate.kind !== 'refused') return [];
      const discussion = fate.kind === 'known' ? findRaised(raised, each) : undefined;
      return [
        {
          ...{ title, file, line, reason: fate.reason },
          ...{ discussionStatus: discussion?.status ?? null, overLimit: isOverLimit(fate) },
        },
      ];
    }),
  };
}
