/**
 * Chooses the findings of a run that become discussions. Pure; its invariants:
 * - a finding that is open or was settled on this pull request, or was dismissed in a scope that covers it, is not raised again;
 * - at most FINDING_LIMITS.perRun in one run and FINDING_LIMITS.perPullRequest over its life; leaked secrets and broken uses don't
 *   count;
 * - what no check proved is raised only if it was confirmed;
 * - proven findings come first, then confirmed ones: neither the order of reports nor a report that isn't raised changes what is;
 * - the first finding with a cause speaks for the others; what was dismissed or isn't raised speaks for none, and a discussion only for
 *   the places that it lists;
 * - a check is paused in a repository in which two of its findings were dismissed as wrong; secrets and security never are;
 * - every candidate keeps its fate and the reason.
 */

import type {
  Candidate,
  Claim,
  Fate,
  JudgedCandidate,
} from '../../../engines/review/contract/code-review.ts';
import { FINDING_LIMITS, WITHOUT_LIMIT } from '../../../engines/review/contract/finding-limits.ts';
import { type FindingCause, isSameCause, isSamePlace, strengthOf } from '../../../engines/review/index.ts';
import { covers, type DecidedFinding } from '../decisions/covering-decision.ts';
import { isPaused, PAUSED } from '../decisions/paused-name.ts';

const LIMITS = {
  run: `A review raises at most ${FINDING_LIMITS.perRun} findings.`,
  pullRequest: `Reviews raise at most ${FINDING_LIMITS.perPullRequest} findings on one pull request.`,
};
export const ALREADY_RAISED = 'It is already a discussion in this pull request.';
const NOT_CONFIRMED = 'No check could prove it, no second look confirmed it, and nobody else reported it.';

/** A finding that is a discussion of the pull request. */
export type RaisedFinding = FindingCause & { key: string };

export interface KnownFindings {
  raised: readonly RaisedFinding[];
  /** Keys of findings that those speak for. */
  listed: ReadonlySet<string>;
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
  const limit = (candidate: Judged): Fate => {
    if (strengthOf(candidate) === 2 && WITHOUT_LIMIT.has(candidate.claim)) return { kind: 'finding' };
    if (inRun >= FINDING_LIMITS.perRun) return { kind: 'held_back', reason: LIMITS.run };
    if (overall >= FINDING_LIMITS.perPullRequest) return { kind: 'held_back', reason: LIMITS.pullRequest };
    inRun += 1;
    overall += 1;
    return { kind: 'finding' };
  };
  const chosen = candidates.map((candidate) => ({ ...candidate, fate: fateAlone(candidate, known) }));
  const raised = new Set(
    chosen.filter(({ fate }) => fate.kind === 'known' && fate.reason === ALREADY_RAISED),
  );
  const speakers: number[] = [];
  for (const index of inRankOrder(chosen, raised)) {
    const candidate = chosen[index]!;
    if (candidate.fate.kind === 'finding') {
      const mayJoin = (speaker: Judged) =>
        !raised.has(speaker) || known.listed.has(candidate.key) || isSamePlace(candidate, speaker);
      const speaker = speakers.find(
        (each) => mayJoin(chosen[each]!) && isSameCause(chosen[each]!, candidate),
      );
      candidate.fate = speaker === undefined ? limit(candidate) : join(candidate, chosen[speaker]!, speaker);
    }
    if (candidate.fate.kind === 'finding' || raised.has(candidate)) speakers.push(index);
  }
  return chosen;
}

/** The fate if nothing else was found. */
function fateAlone(candidate: JudgedCandidate, { decisions, paused, raised }: KnownFindings): Fate {
  if (candidate.fate.kind !== 'finding' && candidate.fate.kind !== 'grouped') return candidate.fate;
  const decision = decisions.find((each) => covers(each, candidate));
  if (decision) return { kind: 'known', reason: decision.said };
  if (findRaised(raised, candidate)) return { kind: 'known', reason: ALREADY_RAISED };
  if (isPaused(candidate, paused)) return { kind: 'held_back', reason: PAUSED };
  return strengthOf(candidate) === 0 ? { kind: 'held_back', reason: NOT_CONFIRMED } : { kind: 'finding' };
}

/** The discussion that a finding already is, wherever its code is now. */
export function findRaised<Raised extends RaisedFinding>(
  raised: readonly Raised[],
  candidate: RaisedFinding,
): Raised | undefined {
  return raised.find((each) => each.key === candidate.key && isSameCause(each, candidate));
}

/** Best first. Checks have an order of their own; what was reported is in one that doesn't depend on when it arrived. */
function inRankOrder(chosen: JudgedCandidate[], raised: ReadonlySet<JudgedCandidate>): number[] {
  const place = (index: number, { file, key, line, producer, scenario, title }: JudgedCandidate) =>
    producer === undefined ? [0, index] : [1, file, line, key, title, scenario];
  const ranks = chosen.map((each, index) => [
    -strengthOf(each),
    raised.has(each) ? 0 : 1,
    ...place(index, each),
  ]);
  return [...chosen.keys()].sort((one, other) => compareRanks(ranks[one]!, ranks[other]!));
}

function compareRanks(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const at = one.findIndex((each, index) => each !== other[index]);
  return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
}

/** At the same place, it says nothing new. */
function join(candidate: JudgedCandidate, speaker: JudgedCandidate, index: number): Fate {
  return isSamePlace(candidate, speaker)
    ? { kind: 'known', reason: repeatedAs(speaker) }
    : { kind: 'grouped', with: index };
}

export function repeatedAs({ title }: Pick<Candidate, 'title'>): string {
  return `It was reported as: ${title}`;
}

/** Whether it would have been raised if there were fewer. */
export function isOverLimit(fate: Fate): boolean {
  return fate.kind === 'held_back' && Object.values(LIMITS).includes(fate.reason);
}

export function hasLimit(claim: string): boolean {
  return !WITHOUT_LIMIT.has(claim as Claim);
}
