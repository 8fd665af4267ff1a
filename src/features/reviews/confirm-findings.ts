/**
 * What holds of the findings of a review. Pure. A proven finding holds whatever others say. Another one is confirmed by a second look
 * in another review, or by an independent producer (another person, or another kind of producer) that reported the same; a second look that refutes
 * it outweighs both.
 */
import type { FindingRow } from './agent-review-store.ts';
import type { JudgedFinding } from './report-finding.ts';

export interface Verdict {
  finding_id: string;
  verdict: 'confirmed' | 'refuted' | 'unsure';
  reason: string;
  user_name: string;
}

export type Confirmation =
  | { kind: 'holds'; candidate: JudgedFinding }
  | { kind: 'refuted'; reason: string; candidate: JudgedFinding };

export function confirmFinding(
  own: Pick<FindingRow, 'id' | 'candidate'>,
  others: readonly Pick<FindingRow, 'id' | 'candidate'>[],
  verdicts: readonly Verdict[],
): Confirmation {
  const { candidate } = own;
  if (candidate.proof !== 'unverified') return { kind: 'holds', candidate };
  const same = others.filter((each) => each.candidate.key === candidate.key);
  const ids = new Set([own.id, ...same.map(({ id }) => id)]);
  const about = verdicts.filter((each) => ids.has(each.finding_id));
  const refuted = about.find(({ verdict }) => verdict === 'refuted');
  if (refuted) {
    const reason = `A second look for ${refuted.user_name} refuted it: ${refuted.reason}`;
    return { kind: 'refuted', reason, candidate };
  }
  const confirmed = about.find(({ verdict }) => verdict === 'confirmed');
  if (confirmed)
    return holds(candidate, `A second look for ${confirmed.user_name} confirmed it: ${confirmed.reason}`);
  const independent = same.find((each) => isIndependent(candidate, each.candidate));
  const name = independent?.candidate.producer?.userName ?? 'the service';
  return independent ? holds(candidate, `Reported independently for ${name}.`) : { kind: 'holds', candidate };
}

function holds(candidate: JudgedFinding, confirmedBy: string): Confirmation {
  return { kind: 'holds', candidate: { ...candidate, confirmedBy } };
}

function isIndependent({ producer: one }: JudgedFinding, { producer: other }: JudgedFinding): boolean {
  return one?.kind !== other?.kind || one?.userId !== other?.userId;
}
