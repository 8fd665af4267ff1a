/** Finds a review that the caller started, and renews its lease. */
import { type Context, callOf } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { selectPathsToSkip } from '../../organization-settings/index.ts';
import { readRepositoryDecisions } from '../decisions/repository-decisions.ts';
import type { EarlierFinding, ReportRun } from '../runs/answer-report.ts';
import { AGENT_REVIEW_LIMITS } from './agent-review-contract.ts';
import {
  type AgentReviewRow,
  type FindingRow,
  lockAgentReview,
  renewLease,
  selectAgentReview,
  selectOthersFindings,
  selectReports,
} from './agent-review-store.ts';

export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + AGENT_REVIEW_LIMITS.leaseMinutes * 60_000);
}

/** Not found if it is another person's or organization's, or the caller no longer sees the repository. */
export async function openAgentReview(
  { actor, clock, db }: Pick<Context, 'actor' | 'clock' | 'db'>,
  runId: string,
): Promise<AgentReviewRow> {
  const review = await selectAgentReview(db, actor, runId);
  if (!review) throw notFound('The review');
  refuseEnded(review, clock.now());
  const leaseUntil = leaseFrom(clock.now());
  await renewLease(db, review.id, leaseUntil);
  return { ...review, lease_until: leaseUntil };
}

/** In a transaction: until it ends, nobody else adds to the review or finishes it. */
export async function holdAgentReview(db: Context['db'], review: AgentReviewRow, now: Date): Promise<void> {
  const locked = await lockAgentReview(db, review.id);
  if (!locked) throw notFound('The review');
  refuseEnded(locked, now);
}

function refuseEnded(
  { finished_at: finishedAt, lease_until: leaseUntil }: Pick<AgentReviewRow, 'finished_at' | 'lease_until'>,
  now: Date,
): void {
  if (finishedAt) throw new Problem('conflict', 'This review is finished. Start a new one.');
  if (leaseUntil <= now) {
    throw new Problem(
      'conflict',
      `This review expired: no call came for ${AGENT_REVIEW_LIMITS.leaseMinutes} minutes. Start a new one.`,
    );
  }
}

/** The review as `answerReport` takes it. */
export async function toReportRun(
  context: Context,
  review: AgentReviewRow,
): Promise<ReportRun & { reports: FindingRow[] }> {
  const { code, db } = context;
  const [organizationId, repositoryId] = [review.organization_id, review.repository_id];
  const reports = await selectReports(db, review.id);
  const others = await selectOthersFindings(db, review);
  return {
    ...{ organizationId, repositoryId, pullRequestId: review.pull_request_id },
    ...changeOf(review),
    excludedPaths: await selectPathsToSkip(db, { organizationId, repositoryId }),
    fileDecisions: (await readRepositoryDecisions(code, repositoryId, review.merge_base, callOf(context)))
      .decisions,
    earlier: [...reports, ...others].filter(({ outcome }) => outcome === 'accepted').map(toEarlier),
    reports,
  };
}

export function changeOf({ head_commit, merge_base, patch }: AgentReviewRow) {
  return { from: merge_base, to: patch === null ? head_commit : { patch } };
}

export function toEarlier({ candidate, id }: FindingRow): EarlierFinding {
  return { ...candidate, id };
}
