/**
 * Decides which findings of a review hold. Pure. A proven finding holds whatever others say. Another one is confirmed by a second look
 * in another review, or by another person who reported the same; a second look that refutes it outweighs both.
 */

import type { JudgedCandidate } from '../../../engines/review/contract/code-review.ts';
import { isSameFinding } from '../../../engines/review/index.ts';
import type { JudgedFinding } from '../runs/answer-report.ts';
import type { FindingRow } from './agent-review-store.ts';

export interface Verdict {
  finding_id: string;
  verdict: 'confirmed' | 'refuted' | 'unsure';
  reason: string;
  user_name: string;
}

type Reported = Pick<FindingRow, 'id' | 'candidate'>;
/** A report with what became of it. */
export type JudgedReport = JudgedCandidate & { id: string };

/** A duplicate counts as any other report, so that it doesn't matter which of the two came first. */
export function judgeReports(
  reports: readonly (Reported & Pick<FindingRow, 'outcome' | 'reason'>)[],
  others: readonly Reported[],
  verdicts: readonly Verdict[],
): JudgedReport[] {
  return reports.map((report): JudgedReport => {
    const { candidate, id, outcome, reason } = report;
    if (outcome === 'refused') return { ...candidate, id, fate: { kind: 'refused', reason: reason ?? '' } };
    if (outcome === 'decided') return { ...candidate, id, fate: { kind: 'known', reason: reason ?? '' } };
    return { ...confirmFinding(report, others, verdicts), id };
  });
}

function confirmFinding(
  { candidate, id }: Reported,
  others: readonly Reported[],
  verdicts: readonly Verdict[],
): JudgedCandidate {
  const holds = { ...candidate, fate: { kind: 'finding' as const } };
  if (candidate.proof !== 'unverified') return holds;
  const same = others.filter((each) => isSameFinding(each.candidate, candidate));
  const ids = new Set([id, ...same.map((each) => each.id)]);
  const about = verdicts.filter((each) => ids.has(each.finding_id));
  const refuted = about.find(({ verdict }) => verdict === 'refuted');
  if (refuted) {
    const reason = `A second look for ${refuted.user_name} refuted it: ${refuted.reason}`;
    return { ...candidate, fate: { kind: 'refused', reason } };
  }
  const confirmed = about.find(({ verdict }) => verdict === 'confirmed');
  if (confirmed)
    return {
      ...holds,
      confirmedBy: `A second look for ${confirmed.user_name} confirmed it: ${confirmed.reason}`,
    };
  const independent = same.find((each) => userOf(each.candidate) !== userOf(candidate));
  const name = independent?.candidate.producer?.userName ?? 'the service';
  return independent ? { ...holds, confirmedBy: `Reported independently for ${name}.` } : holds;
}

function userOf({ producer }: JudgedFinding): string | null | undefined {
  return producer?.userId;
}
