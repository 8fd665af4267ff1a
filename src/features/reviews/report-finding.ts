/**
 * The one way in for findings from outside: an agent, a model, a tool. The gate, the check of the claim, earlier findings and
 * decisions of people answer at once. Nothing is stored: the caller keeps the outcome with its run.
 */
import type { CodeReader } from '../../platform/core/code-reader.ts';
import type { Candidate, Producer, Proof, ReportedFinding } from '../../platform/core/code-review.ts';
import type { Call } from '../../platform/core/fair-queue.ts';
import type { Db } from '../../platform/db/index.ts';
import { covers } from './covering-decision.ts';
import { type Decision, readDecisions } from './read-decisions.ts';
import { selectRaised } from './review-run-store.ts';
import { type ComparedFinding, isSameFinding } from './same-finding.ts';

export interface ReportServices {
  db: Db;
  code: Pick<CodeReader, 'judgeFinding'>;
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
  /** Of the files of the repository, at the base. */
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

export async function reportFinding(
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
  const discussion = raised.find((each) => each.finding_key === candidate.key);
  if (discussion) {
    const reason = 'It is already a discussion in this pull request.';
    const { discussion_id: of, status: discussionStatus } = discussion;
    return { kind: 'duplicate', of, reason, discussionStatus, candidate };
  }
  const twin = run.earlier.find((each) => isSameFinding(each, candidate));
  if (twin) {
    // The same finding in other words has the key of the first, so that both count as one.
    const named = { ...candidate, key: twin.key };
    return { kind: 'duplicate', of: twin.id, reason: `It was reported as: ${twin.title}`, candidate: named };
  }
  return { kind: 'accepted', proof: judged.proof, note: judged.note, candidate };
}
