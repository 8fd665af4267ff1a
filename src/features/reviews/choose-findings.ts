/**
 * Which findings of a run become discussions. Pure; its invariants:
 * - a finding that is open or was settled on this pull request, or was dismissed in a scope that covers it, is not raised again;
 * - at most MAX_FINDINGS_PER_RUN in one run and MAX_FINDINGS_PER_PULL_REQUEST over its life; leaked secrets and broken uses don't count;
 * - what no check proved is raised only if it was confirmed;
 * - a check is paused in a repository in which two of its findings were dismissed as wrong;
 * - every candidate keeps its fate and the reason.
 */
import type { Claim, Fate, JudgedCandidate } from '../../platform/core/code-review.ts';
import { covers, type DecidedFinding } from './covering-decision.ts';

export const MAX_FINDINGS_PER_RUN = 5;
export const MAX_FINDINGS_PER_PULL_REQUEST = 12;
const WITHOUT_LIMIT: ReadonlySet<Claim> = new Set(['secret', 'removed_but_used']);
export const PAUSED =
  'The check is paused in this repository: two of its findings were dismissed as wrong. Reopen one to resume it.';
const NOT_CONFIRMED = 'No check could prove it, no second look confirmed it, and nobody else reported it.';

export interface KnownFindings {
  /** Keys of findings that are discussions of this pull request. */
  raised: ReadonlySet<string>;
  /** Dismissals that apply here, with what to say about each. */
  decisions: readonly (DecidedFinding & { said: string })[];
  /** Checks that are paused in the repository. */
  paused: ReadonlySet<string>;
  /** How many findings were raised on this pull request, without those that have no limit. */
  limitedCount: number;
}

export function chooseFindings<Judged extends JudgedCandidate>(
  candidates: Judged[],
  known: KnownFindings,
): Judged[] {
  let [inRun, overall] = [0, known.limitedCount];
  return candidates.map((candidate) => {
    if (candidate.fate.kind !== 'finding') return candidate;
    const settled = reasonIfKnown(candidate, known);
    if (settled) return { ...candidate, fate: { kind: 'known', reason: settled } };
    if (known.paused.has(candidate.check))
      return { ...candidate, fate: { kind: 'held_back', reason: PAUSED } };
    const isProven = candidate.proof !== 'unverified';
    if (!isProven && candidate.confirmedBy === undefined)
      return { ...candidate, fate: { kind: 'held_back', reason: NOT_CONFIRMED } };
    if (isProven && WITHOUT_LIMIT.has(candidate.claim)) return candidate;
    const reason =
      inRun >= MAX_FINDINGS_PER_RUN
        ? `A review raises at most ${MAX_FINDINGS_PER_RUN} findings.`
        : overall >= MAX_FINDINGS_PER_PULL_REQUEST
          ? `Reviews raise at most ${MAX_FINDINGS_PER_PULL_REQUEST} findings on one pull request.`
          : undefined;
    if (reason !== undefined) return { ...candidate, fate: { kind: 'held_back', reason } satisfies Fate };
    inRun += 1;
    overall += 1;
    return candidate;
  });
}

function reasonIfKnown(candidate: JudgedCandidate, { decisions, raised }: KnownFindings): string | undefined {
  const decision = decisions.find((each) => covers(each, candidate));
  if (decision) return decision.said;
  return raised.has(candidate.key) ? 'It is already a discussion in this pull request.' : undefined;
}

export function hasLimit(claim: string): boolean {
  return !WITHOUT_LIMIT.has(claim as Claim);
}
