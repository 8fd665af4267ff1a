/** What a review says: candidates as checks, tools, agents and models report them, what became of each, and what was looked at. */

/** What a candidate states. Each but `other` can be checked without a model. */
export const CLAIMS = [
  'removed_but_used',
  'unused',
  'missing',
  'duplicate',
  'signature',
  'secret',
  'dependency',
  'contract',
  'plan',
  'rule',
  'other',
] as const;

export type Claim = (typeof CLAIMS)[number];

/** The built-in reviewers, by the key that their data has. */
export type BuiltInReviewer =
  | 'logic_errors'
  | 'breaking_changes'
  | 'security'
  | 'secrets'
  | 'type_inconsistencies'
  | 'error_handling'
  | 'tests_missing'
  | 'documentation_drift'
  | 'dependency_risk'
  | 'plan_conformance';

/** The merge base and the head of a change. */
export type Side = 'base' | 'head';

/** A place that shows that a claim is true. */
export interface Evidence {
  side: Side;
  path: string;
  /** From 1. */
  line: number;
  /** The line, or a part of it. */
  quote: string;
  /** Set when the place is in another repository. */
  repository?: string;
}

export interface Candidate {
  reviewer: string;
  /** The check that found it, such as `focused_test`. */
  check: string;
  claim: Claim;
  /** What it is about: a symbol, a package, a variable, a kind of token. */
  subject: string;
  title: string;
  /** What goes wrong, concretely. */
  scenario: string;
  file: string;
  /** Removed lines are at `base`. */
  side: Side;
  line: number;
  quote: string;
  evidence: Evidence[];
  /** A line that anyone can run in a clone, with the same result. */
  command?: string;
  fix?: string;
}

/** What became of a candidate. */
export type Fate =
  | { kind: 'finding' }
  | { kind: 'refused'; reason: string }
  | { kind: 'known'; reason: string }
  | { kind: 'grouped'; with: number }
  | { kind: 'held_back'; reason: string };

export interface JudgedCandidate extends Candidate {
  /** The same for the same finding after a rebase, a move or a rename. */
  key: string;
  fate: Fate;
}

export interface NotReviewed {
  path: string;
  reason: string;
}

export interface CheckRun {
  name: string;
  reviewer: string;
  looksFor: string;
  candidates: number;
  /** Why it could not run. */
  failure: string | null;
}

export interface ReviewResult {
  change: { base: string; head: string; files: number; addedLines: number; moreFiles: number };
  candidates: JudgedCandidate[];
  notReviewed: NotReviewed[];
  checks: CheckRun[];
}

/** A review of the difference between two commits, by their full ids. */
export interface ReviewRequest {
  from: string;
  to: string;
  /** Reviewers whose checks run. */
  reviewers: string[];
  /** Globs of files that are not looked at. */
  excludedPaths: string[];
}
