/**
 * The one way in for findings from outside: an agent, a model, a tool. The gate, the check of the claim, earlier findings and
 * decisions of people answer at once. Nothing is stored: the caller keeps the outcome with its run.
 */

import type {
  Candidate,
  Producer,
  Proof,
  ReportedFinding,
} from '../../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../../engines/review/contract/code-reviewer.ts';
import { type ComparedFinding, repeats } from '../../../engines/review/index.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { covers } from '../decisions/covering-decision.ts';
import { type Decision, readDecisions } from '../decisions/read-decisions.ts';
import { ALREADY_RAISED, findRaised, repeatedAs } from './choose-findings.ts';
import { selectRaised } from './review-run-store.ts';

export interface ReportServices {
  db: Db;
  code: Pick<CodeReviewer, 'judgeFinding'>;
  call: Call;
}

/** The change that is reviewed, and what was reported about it before. */
export interface ReportRun {
  organizationId: string;
  repositoryId: string;
  /** Null when the change isn't a pull request. */
  pullRequestId: string | null;
  /** The merge base. */
  from: string;
  /** The head, or a patch that was not pushed. */
  to: string | { patch: string };
  excludedPaths: string[];
  /** Read from the files of the repository, at the base. */
  fileDecisions: readonly Decision[];
  /** Findings that were accepted, in this run or in others on the same change. */
  earlier: readonly EarlierFinding[];
}

export interface EarlierFinding extends ComparedFinding {
  id: string;
}

type Raised = Awaited<ReturnType<typeof selectRaised>>[number];

export type JudgedFinding = Candidate & { key: string };

export type ReportOutcome = { candidate: JudgedFinding } & (
  | {
      kind: 'accepted';
      proof: Proof;
      /** Why its claim could not be checked. */
      note: string | null;
    }
  | { kind: 'refused'; reason: string }
  /** `of` is the ID of an earlier finding, or of the discussion that it is. */
  | { kind: 'duplicate'; of: string; reason: string; discussionStatus?: Raised['status'] }
  /** The reason says who dismissed it. */
  | { kind: 'decided'; reason: string }
);

export async function answerReport(
  { call, code, db }: ReportServices,
  run: ReportRun,
  finding: ReportedFinding,
  producer: Producer,
): Promise<ReportOutcome> {
  const { excludedPaths, from, to } = run;
  const judged = await code.judgeFinding(
    run.repositoryId,
    { from, to, excludedPaths, finding, producer },
    call,
  );
  const { candidate } = judged;
  if (judged.kind === 'refused') return { kind: 'refused', reason: judged.reason, candidate };
  const decisions = await readDecisions(db, run, [candidate]);
  const decision = [...decisions, ...run.fileDecisions].find((each) => covers(each, candidate));
  if (decision) return { kind: 'decided', reason: decision.said, candidate };
  const raised = run.pullRequestId === null ? [] : await selectRaised(db, run.pullRequestId);
  const discussion = findRaised(raised, candidate);
  if (discussion) {
    const { discussion_id: of, status: discussionStatus } = discussion;
    return { kind: 'duplicate', of, reason: ALREADY_RAISED, discussionStatus, candidate };
  }
  const { note, proof } = judged;
  return findRepeated(run.earlier, { kind: 'accepted', proof, note, candidate });
}

/** A duplicate, if an earlier finding says the same and is proven as well. */
export function findRepeated(
  earlier: readonly EarlierFinding[],
  outcome: ReportOutcome & { kind: 'accepted' },
): ReportOutcome {
  const { candidate } = outcome;
  const repeated = earlier.find((each) => repeats(candidate, each));
  if (!repeated) return outcome;
  return { kind: 'duplicate', of: repeated.id, reason: repeatedAs(repeated), candidate };
}
