/** The interface of a check: it looks at a change and reports candidates that it can prove. */

import type { Change } from './code/read-change.ts';
import type { ReviewCode } from './code/review-code.ts';
import type { Candidate, NamedPlace, ReviewerKey } from './contract/code-review.ts';

export interface Check {
  name: string;
  reviewer: ReviewerKey;
  /** Shown on the page of a run. */
  looksFor: string;
  /** Not precise enough to be on by default: it runs only where it was turned on. */
  isOffByDefault?: true;
  run(change: Change, code: ReviewCode): Promise<Found[]>;
  /** A sentence for the summary, whatever it finds. */
  note?(change: Change, code: ReviewCode): string | null | Promise<string | null>;
  /** For the page of the review alone. */
  places?(change: Change, code: ReviewCode): Promise<NamedPlace[]>;
}

/** A candidate without what the check itself knows. */
export type Found = Omit<Candidate, 'reviewer' | 'check'>;
