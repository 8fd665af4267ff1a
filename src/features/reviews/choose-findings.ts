/**
 * Which findings of a run become discussions. Pure; its invariants:
 * - a finding that is open or was settled on this pull request, or was dismissed in a scope that covers it, is not raised again;
 * - at most MAX_FINDINGS_PER_RUN in one run and MAX_FINDINGS_PER_PULL_REQUEST over its life; leaked secrets and broken uses don't count;
 * - what no check proved is raised only if it was confirmed;
 * - a check is paused in a repository in which two of its findings were dismissed as wrong; secrets and security never are;
 * - what a dismissed finding spoke for is raised, unless the dismissal covers it too;
 * - every candidate keeps its fate and the reason.
 */
import type { Candidate, Claim, Fate, JudgedCandidate } from '../../platform/core/code-review.ts';
import { BUILT_IN_KEYS } from '../reviewers/index.ts';
import { covers, type DecidedFinding, isExactOnly } from './covering-decision.ts';

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
  /** Checks that are paused in the repository, as `pausedName` names them. */
  paused: ReadonlySet<string>;
  /** How many findings were raised on this pull request, without those that have no limit. */
  limitedCount: number;
}

export function chooseFindings<Judged extends JudgedCandidate>(
  candidates: Judged[],
  known: KnownFindings,
): Judged[] {
  let [inRun, overall] = [0, known.limitedCount];
  const chosen: Judged[] = [];
  /** By the position of a dismissed finding, that of the one that speaks for the others now. */
  const next = new Map<number, number>();
  const choose = (candidate: Judged): Fate => {
    const settled = reasonIfKnown(candidate, known);
    if (settled) return { kind: 'known', reason: settled };
    if (isPaused(candidate, known.paused)) return { kind: 'held_back', reason: PAUSED };
    const isProven = candidate.proof !== 'unverified';
    if (!isProven && candidate.confirmedBy === undefined) return { kind: 'held_back', reason: NOT_CONFIRMED };
    if (isProven && WITHOUT_LIMIT.has(candidate.claim)) return { kind: 'finding' };
    if (inRun >= MAX_FINDINGS_PER_RUN)
      return { kind: 'held_back', reason: `A review raises at most ${MAX_FINDINGS_PER_RUN} findings.` };
    if (overall >= MAX_FINDINGS_PER_PULL_REQUEST) {
      const reason = `Reviews raise at most ${MAX_FINDINGS_PER_PULL_REQUEST} findings on one pull request.`;
      return { kind: 'held_back', reason };
    }
    inRun += 1;
    overall += 1;
    return { kind: 'finding' };
  };
  for (const [index, candidate] of candidates.entries()) {
    let { fate } = candidate;
    if (fate.kind === 'finding') fate = choose(candidate);
    else if (fate.kind === 'grouped') {
      const first = chosen[fate.with]!;
      const speaker = next.get(fate.with);
      if (known.decisions.some((each) => covers(each, first))) {
        const own = speaker === undefined ? choose(candidate) : { kind: 'grouped' as const, with: speaker };
        if (own.kind === 'finding') next.set(fate.with, index);
        fate = own;
      }
    }
    chosen.push({ ...candidate, fate });
  }
  return chosen;
}

export function isPaused(
  candidate: Pick<Candidate, 'check' | 'claim' | 'producer' | 'reviewer'>,
  paused: ReadonlySet<string>,
): boolean {
  const { check, producer, reviewer } = candidate;
  const isBuiltIn = (BUILT_IN_KEYS as readonly string[]).includes(reviewer);
  const name = pausedName({ check, isReported: producer !== undefined, isBuiltIn });
  return paused.has(name) && !isExactOnly(candidate);
}

/** Others choose the names of rules and of what they report: those don't pause a check that has the same name. */
export function pausedName(one: { check: string; isReported: boolean; isBuiltIn: boolean }): string {
  return `${one.isReported ? 'reported' : one.isBuiltIn ? 'check' : 'rule'} ${one.check}`;
}

function reasonIfKnown(candidate: JudgedCandidate, { decisions, raised }: KnownFindings): string | undefined {
  const decision = decisions.find((each) => covers(each, candidate));
  if (decision) return decision.said;
  return raised.has(candidate.key) ? 'It is already a discussion in this pull request.' : undefined;
}

export function hasLimit(claim: string): boolean {
  return !WITHOUT_LIMIT.has(claim as Claim);
}
