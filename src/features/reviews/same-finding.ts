/** Whether two findings on one change say the same. Pure. */
import type { Candidate } from '../../platform/core/code-review.ts';

export type ComparedFinding = Pick<
  Candidate,
  'check' | 'claim' | 'subject' | 'file' | 'side' | 'line' | 'title' | 'scenario'
> & { key: string };

/** Two findings about one line say the same when at least this part of their words is shared. */
const MIN_OVERLAP = 0.3;
const WORD = /[\p{L}\p{N}_$]{3,}/gu;

export function isSameFinding(one: ComparedFinding, other: ComparedFinding): boolean {
  if (one.key === other.key) return true;
  if (one.file !== other.file || one.side !== other.side) return false;
  if (one.claim === other.claim && one.claim !== 'other' && one.subject === other.subject) return true;
  if (one.line !== other.line || !mayMeanTheSame(one, other)) return false;
  return one.subject === other.subject || overlap(one, other) >= MIN_OVERLAP;
}

/** Two rules of tools look for different things, and so do two claims, unless one of them says nothing. */
function mayMeanTheSame(one: ComparedFinding, other: ComparedFinding): boolean {
  if (one.claim === 'rule' && other.claim === 'rule') return one.check === other.check;
  return one.claim === other.claim || [one.claim, other.claim].includes('other');
}

/** Shared words as a part of all words of the shorter one. */
function overlap(one: ComparedFinding, other: ComparedFinding): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.max(1, Math.min(left.size, right.size));
}

function wordsOf({ scenario, title }: ComparedFinding): Set<string> {
  return new Set([...`${title} ${scenario}`.toLowerCase().matchAll(WORD)].map(([word]) => word));
}
