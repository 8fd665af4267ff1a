/** Whether the check of a finding is paused, and by what name. Pure. */
import type { Candidate } from '../../../engines/review/contract/code-review.ts';
import { BUILT_IN_KEYS } from '../../reviewers/index.ts';
import { isExactOnly } from './covering-decision.ts';

export const PAUSED =
  'The check is paused in this repository: two of its findings were dismissed as wrong. Reopen one to resume it.';

export function isPaused(
  candidate: Pick<Candidate, 'check' | 'claim' | 'producer' | 'proof' | 'reviewer'>,
  paused: ReadonlySet<string>,
): boolean {
  const { check, producer, proof = null, reviewer } = candidate;
  const isBuiltIn = (BUILT_IN_KEYS as readonly string[]).includes(reviewer);
  const name = pausedName({ check, producer: producer?.kind ?? null, proof, isBuiltIn });
  return paused.has(name) && !isExactOnly(candidate);
}

/**
 * Others choose the names of rules and of what they report: those don't pause a check that has the same name. Nor does what nobody could
 * prove pause what is proven.
 */
export function pausedName(one: {
  check: string;
  producer: string | null;
  proof: string | null;
  isBuiltIn: boolean;
}): string {
  if (one.producer === null) return `${one.isBuiltIn ? 'check' : 'rule'} ${one.check}`;
  if (one.producer === 'tool') return `tool ${one.check}`;
  return `${one.proof === 'unverified' ? 'unverified' : 'reported'} ${one.check}`;
}
