/**
 * Whether two findings on one change are the same: the same cause at the same place. The only place that decides it. Pure, symmetric; invariants:
 * - two claims, two checks or two subjects are never one cause, whatever words the findings share;
 * - where claim and subject don't say what is wrong, nothing but the same consequence in the same words is one cause;
 * - at another place, it is the same problem again, never an agreement or a repetition;
 * - a finding is repeated only by one that is proven no better.
 */
import type { Candidate } from './contract/code-review.ts';

/** The fields that state the cause of a finding. */
export type FindingCause = Pick<
  Candidate,
  'reviewer' | 'check' | 'claim' | 'subject' | 'title' | 'scenario' | 'producer'
>;

export type ComparedFinding = FindingCause &
  Pick<Candidate, 'file' | 'side' | 'line' | 'quote' | 'proof' | 'confirmedBy'>;

const WORD = /[\p{L}\p{N}_$]+/gu;

export function isSameFinding(one: ComparedFinding, other: ComparedFinding): boolean {
  return isSamePlace(one, other) && isSameCause(one, other);
}

/** Whether one that arrived later adds nothing to the earlier one. */
export function repeats(later: ComparedFinding, earlier: ComparedFinding): boolean {
  return strengthOf(later) <= strengthOf(earlier) && isSameFinding(later, earlier);
}

export function isSameCause(one: FindingCause, other: FindingCause): boolean {
  if (one.claim !== other.claim || one.check !== other.check || one.subject !== other.subject) return false;
  // Rules of two reviewers can have the same name.
  if (one.claim === 'rule' && one.reviewer !== other.reviewer) return false;
  return (namesCause(one) && namesCause(other)) || haveSameConsequence(one, other);
}

/**
 * Whether claim and subject say what is wrong. An agent or a model can report anything as `other` or `rule`, under a name that it
 * chooses; checks, rules and tools always mean the same by a name.
 */
export function namesCause({ claim, producer }: Pick<Candidate, 'claim' | 'producer'>): boolean {
  return !['other', 'rule'].includes(claim) || producer === undefined || producer.kind === 'tool';
}

/** Proven, else confirmed, else neither. */
export function strengthOf({ confirmedBy, proof }: Pick<Candidate, 'proof' | 'confirmedBy'>): number {
  if (proof !== 'unverified') return 2;
  return confirmedBy === undefined ? 0 : 1;
}

/** Whether their quoted lines overlap. */
export function isSamePlace(one: ComparedFinding, other: ComparedFinding): boolean {
  return (
    one.file === other.file &&
    one.side === other.side &&
    one.line <= lastLineOf(other) &&
    other.line <= lastLineOf(one)
  );
}

function lastLineOf({ line, quote }: ComparedFinding): number {
  return line + quote.split('\n').length - 1;
}

/** In the same words: nothing here can tell whether other words mean the same, and a wrong guess would confirm or hide something. */
function haveSameConsequence(one: FindingCause, other: FindingCause): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  return left.size === right.size && [...left].every((word) => right.has(word));
}

function wordsOf({ scenario }: FindingCause): Set<string> {
  return new Set(scenario.toLowerCase().match(WORD));
}
