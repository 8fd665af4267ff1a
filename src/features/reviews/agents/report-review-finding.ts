/** POST /api/v2/agent-reviews/:runId/findings: an agent or a tool reports a finding, and is answered at once. */
import type { z } from 'zod';
import { callOf, defineOperation } from '../../../context.ts';
import type { ReportedFinding } from '../../../engines/review/contract/code-review.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { answerReport, findRepeated, type ReportOutcome } from '../runs/answer-report.ts';
import { AGENT_REVIEW_LIMITS, ReportedFindingReply, ReportFindingInput } from './agent-review-contract.ts';
import { type FindingRow, insertAgentFindings, selectReports } from './agent-review-store.ts';
import { reviewersOf, titlesOf } from './agent-reviewers.ts';
import { holdAgentReview, openAgentReview, toEarlier, toReportRun } from './open-agent-review.ts';

type Input = z.output<typeof ReportFindingInput>;

export const reportReviewFinding = defineOperation({
  name: 'report-review-finding',
  group: 'Reviews',
  summary: 'Report a finding in a review',
  description:
    'The quote, the evidence and the claim are checked against the code. Refused findings say why. Nothing is published before the review is finished.',
  http: { method: 'POST', path: '/api/v2/agent-reviews/:runId/findings', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: ReportFindingInput,
  output: ReportedFindingReply,
  problems: ['not_found', 'conflict', 'repository_not_ready'],
  async run(context, input) {
    const { clock, code, db } = context;
    const review = await openAgentReview(context, input.runId);
    const run = await toReportRun(context, review);
    refuseTooMany(run.reports);
    if (input.quote === undefined && review.producer.kind !== 'tool') {
      throw invalidRequest([{ path: 'quote', message: 'is required' }]);
    }
    const titles = titlesOf(await reviewersOf(context, review));
    const finding = { ...toFinding(input), reviewer: chooseReviewer(titles, input.reviewer) };
    const judged = await answerReport({ db, code, call: callOf(context) }, run, finding, review.producer);
    const isOn = titles.has(judged.candidate.reviewer);
    const answered: ReportOutcome =
      isOn || judged.kind === 'refused'
        ? judged
        : {
            kind: 'refused',
            reason: `The reviewer for this (${judged.candidate.reviewer}) is off.`,
            candidate: judged.candidate,
          };
    return inTransaction(db, async (transaction) => {
      await holdAgentReview(transaction, review, clock.now());
      // Others that arrived at the same time may be stored by now.
      const reports = await selectReports(transaction, review.id);
      refuseTooMany(reports);
      const outcome = compareAgain(reports, answered);
      const id = uuidv7();
      await insertAgentFindings(transaction, [
        {
          ...{ id, reviewId: review.id, organizationId: review.organization_id, at: clock.now() },
          ...{ outcome: outcome.kind, candidate: outcome.candidate },
          reason: 'reason' in outcome ? outcome.reason : null,
        },
      ]);
      return {
        status: outcome.kind,
        reason: outcome.kind === 'accepted' ? outcome.note : outcome.reason,
        findingId: outcome.kind === 'accepted' ? id : outcome.kind === 'duplicate' ? outcome.of : null,
        discussionStatus: outcome.kind === 'duplicate' ? (outcome.discussionStatus ?? null) : null,
        proof: outcome.kind === 'accepted' ? outcome.proof : null,
        line: outcome.candidate.line,
      };
    });
  },
});

function toFinding({ quote, rule, evidence = [], ...input }: Input): ReportedFinding {
  const { cause, claim, file, fix, line, scenario, subject, title } = input;
  return {
    ...{ claim, file, line, quote, scenario, subject, title, check: rule, evidence },
    ...(fix !== undefined && { fix }),
    ...(cause && { cause: readPlace(cause) }),
  };
}

/** `path:line`; a path can contain colons. */
function readPlace(place: string): { path: string; line: number } {
  const colon = place.lastIndexOf(':');
  return { path: place.slice(0, colon), line: Number(place.slice(colon + 1)) };
}

/** By its title, or by the claim. */
function chooseReviewer(titles: Map<string, string>, title: string | undefined): string | undefined {
  if (title === undefined) return undefined;
  const wanted = title.trim().toLowerCase();
  for (const [key, each] of titles) if (each.toLowerCase() === wanted) return key;
  const names = [...titles.values()].join(', ');
  throw invalidRequest([{ path: 'reviewer', message: `must be one of ${names.slice(0, 1000)}` }]);
}

/** Findings of the checks when the review began are nobody's reports. */
function refuseTooMany(reports: readonly FindingRow[]): void {
  const { length } = reports.filter(({ candidate }) => candidate.producer !== undefined);
  if (length < AGENT_REVIEW_LIMITS.reports) return;
  throw new Problem('conflict', `A review takes at most ${AGENT_REVIEW_LIMITS.reports} reports.`);
}

/** Two reports at once can't both be the first. */
function compareAgain(reports: readonly FindingRow[], outcome: ReportOutcome): ReportOutcome {
  if (outcome.kind !== 'accepted') return outcome;
  const earlier = reports.filter((each) => each.outcome === 'accepted').map(toEarlier);
  return findRepeated(earlier, outcome);
}
