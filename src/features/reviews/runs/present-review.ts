/** A review as the API shows it. */
import type { z } from 'zod';
import type { ReviewCandidate, ReviewRun } from '../contract.ts';
import type { CandidateRow, selectRuns } from './review-run-store.ts';

type RunRow = Awaited<ReturnType<typeof selectRuns>>[number];

export function presentRun(row: RunRow): z.input<typeof ReviewRun> {
  return {
    id: row.id,
    trigger: row.trigger,
    requestedBy: row.requested_by_name,
    headCommit: row.head_commit,
    mergeBase: row.merge_base,
    state: row.state,
    problem: row.problem,
    files: row.files,
    addedLines: row.added_lines,
    findings: row.findings ?? 0,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at.toISOString(),
  };
}

/** Places in repositories that the reader can't see now are left out, with the command that names one. */
export function presentCandidate(
  row: CandidateRow,
  isVisible: (repositoryId: string) => boolean,
): z.input<typeof ReviewCandidate> {
  const evidence = row.evidence.filter(({ repository }) => !repository || isVisible(repository.id));
  return {
    reviewerTitle: row.reviewer_title,
    check: row.check_name,
    claim: row.claim,
    title: row.title,
    scenario: row.scenario,
    file: row.file,
    side: row.side,
    line: row.line,
    quote: row.quote,
    evidence: evidence.map(({ repository, ...place }) => ({ ...place, repository: repository ?? null })),
    command: evidence.length === row.evidence.length ? row.command : null,
    fix: row.fix,
    producer: row.producer && {
      ...{ kind: row.producer.kind, userName: row.producer.userName, vendor: row.producer.vendor },
      ...{ model: row.producer.model, sessionId: row.producer.sessionId },
    },
    confirmedBy: row.confirmed_by,
    fate: row.fate,
    fateReason: row.fate_reason,
    discussionId: row.discussion_id,
    discussionStatus: row.discussion_status,
    isDismissed: row.discussion_status === 'resolved' && row.status_cause === 'dismissed',
  };
}
