/** The limits of findings, for everything that makes, checks, sends or shows them. */
import type { Claim } from './code-review.ts';

export const FINDING_LIMITS = {
  perRun: 5,
  perPullRequest: 12,
  /** A change that triggers a check everywhere says the same thing many times. */
  candidatesPerCheck: 200,
  evidence: 20,
  /** As it is shown; what is proven is compared whole. */
  quoteCharacters: 300,
  scenarioWords: 5,
} as const;

/** Findings with these claims are never held back. */
export const WITHOUT_LIMIT: ReadonlySet<Claim> = new Set(['secret', 'removed_but_used']);

/** Limits of a review by an agent or a tool. */
export const REPORT_LIMITS = {
  /** In one review, refused ones included. */
  reports: 200,
  diffCharacters: 1_000_000,
  titleCharacters: 200,
  subjectCharacters: 300,
  scenarioCharacters: 2000,
} as const;
