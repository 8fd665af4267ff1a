/**
 * Whether a dismissal covers a finding. Pure; the caller checks its scope (pull request, repository, organization). Invariants:
 * - it always covers the finding that was dismissed, wherever the code was moved and however it was reformatted;
 * - nearly the same is the same check about the same subject in the same file, with at least 80 % of the words of the quoted code;
 * - for secrets, security and what names no cause, only the exact finding that was dismissed is covered.
 */

import type { Candidate } from '../../../engines/review/contract/code-review.ts';
import { namesCause } from '../../../engines/review/index.ts';
import { DISMISSAL_SCOPES } from '../contract.ts';

export type DismissalScope = (typeof DISMISSAL_SCOPES)[number];

export interface DecidedFinding {
  key: string;
  scope: DismissalScope;
  /** Null where only the key is known. */
  finding: Pick<Candidate, 'check' | 'claim' | 'subject' | 'file' | 'quote'> | null;
}

export type CoverableFinding = Pick<
  Candidate,
  'reviewer' | 'check' | 'claim' | 'subject' | 'file' | 'quote' | 'producer'
> & { key: string };

const MIN_SIMILARITY = 0.8;
/** Shorter quotes that differ in one word are not nearly the same. */
const MIN_WORDS = 4;
const WORD = /[\p{L}\p{N}_$]+/gu;

export function covers({ finding, key, scope }: DecidedFinding, found: CoverableFinding): boolean {
  if (key === found.key) return true;
  if (!finding || isExactOnly(found)) return false;
  if (finding.check !== found.check || finding.claim !== found.claim) return false;
  if (scope === 'path') return finding.file === found.file;
  if (scope === 'symbol') return finding.subject === found.subject;
  return (
    finding.file === found.file &&
    finding.subject === found.subject &&
    similarity(finding.quote, found.quote) >= MIN_SIMILARITY
  );
}

/** Where a finding can be dismissed. A secret may be harmless in one repository and not in another. */
export function scopesFor(found: Pick<Candidate, 'claim' | 'reviewer' | 'producer'>): DismissalScope[] {
  if (isSecret(found)) return ['pull_request', 'repository'];
  if (isExactOnly(found)) return ['pull_request', 'repository', 'organization'];
  return [...DISMISSAL_SCOPES];
}

export function isSecret({ claim, reviewer }: Pick<Candidate, 'claim' | 'reviewer'>): boolean {
  return claim === 'secret' || reviewer === 'secrets';
}

/** Only the very finding that was dismissed is covered. */
export function isExactOnly(found: Pick<Candidate, 'claim' | 'reviewer' | 'producer'>): boolean {
  return isSecret(found) || found.reviewer === 'security' || !namesCause(found);
}

/** Shared words as a fraction of all words; 0 if one quote has too few. */
export function similarity(one: string, other: string): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  if (Math.min(left.length, right.length) < MIN_WORDS) return 0;
  const counts = Map.groupBy(left, (word) => word);
  const shared = right.filter((word) => counts.get(word)?.pop() !== undefined).length;
  return (2 * shared) / (left.length + right.length);
}

function wordsOf(quote: string): string[] {
  return quote.match(WORD) ?? [];
}
