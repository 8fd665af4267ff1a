/** The types of a review: candidates as checks, tools, agents and models report them, the fate of each, and what was read. */
import type { ChangedLines, FileChange } from '../../../platform/core/ports/code-differences.ts';

/** A candidate states one of these. `check-claim.ts` proves or refutes those that the code can show. */
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

/** A built-in reviewer, a custom one by its id, or a file of the reviewed repository by its path. */
export type ReviewerKey = BuiltInReviewer | `custom:${string}` | `file:${string}`;

/** A reviewer with structural rules, in ast-grep's YAML. */
export interface RuleReviewer {
  key: ReviewerKey;
  title: string;
  rules: string;
  /** Globs of the files that it looks at; none: all files. */
  paths: string[];
}

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
  /** Set when the place is in another repository: there, at this commit. */
  repository?: { id: string; name: string; commit: string };
}

export interface Candidate {
  reviewer: string;
  /** The check that found it, such as `focused_test`. */
  check: string;
  claim: Claim;
  /** A symbol, a package, a variable, a kind of token. */
  subject: string;
  title: string;
  /** The concrete consequence. */
  scenario: string;
  file: string;
  /** Removed lines are at `base`. */
  side: Side;
  line: number;
  quote: string;
  evidence: Evidence[];
  /** A line that anyone can run in a clone, with the same result. */
  command?: string;
  /** Replacement for the quoted lines, for findings at the head. */
  fix?: string;
  /** A changed line that causes it, when the quoted line itself was not changed. */
  cause?: Omit<Place, 'quote'> & { quote?: string | undefined };
  /** Only for reported findings: `unverified` when no check could decide; absent when the named check finds it too. */
  proof?: Proof;
  /** Who confirmed it, when no check could prove it. */
  confirmedBy?: string;
  /** Who reported it; absent for the checks of built-in reviewers. */
  producer?: Producer;
}

export type Proof = 'proven' | 'unverified';

/** A line of a file, at the head unless it says otherwise. */
export interface Place {
  path: string;
  /** From 1. */
  line: number;
  quote: string;
}

/** Who reports findings: an agent of a person, a model, or a tool whose results were sent. */
export interface Producer {
  kind: 'agent' | 'model' | 'tool';
  /** The person whose agent or key it is; null for a model of the service. */
  userId: string | null;
  userName: string | null;
  /** The agent's or model's vendor, or the name of the tool. */
  vendor: string | null;
  model: string | null;
  sessionId: string | null;
}

/** A finding as an agent, a model or a tool reports it. */
export interface ReportedFinding
  extends Pick<Candidate, 'claim' | 'subject' | 'title' | 'scenario' | 'file' | 'line' | 'fix' | 'cause'> {
  /** The key of a built-in reviewer or the ID of a custom one; chosen by the claim when it is not given. */
  reviewer?: string | undefined;
  /** The rule of a tool. */
  check?: string | undefined;
  /** The line as it is there. Only tools may leave it out. */
  quote?: string | undefined;
  /** Where a place doesn't say its side, at the head, else at the base. */
  evidence: (Place & { side?: Side | undefined })[];
}

/** The verdict of the gate and of the claim's check on a reported finding. */
export type JudgedReport =
  | { kind: 'refused'; reason: string; candidate: Candidate & { key: string } }
  | {
      kind: 'passed';
      proof: Proof;
      /** Why the claim could not be checked. */
      note: string | null;
      candidate: Candidate & { key: string };
    };

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
  /** Only for findings: whether the proof is gone at the later commit. */
  isGoneLater?: boolean;
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
  /** A sentence for the summary. */
  note?: string;
  /** Listed without raising a finding. */
  places?: NamedPlace[];
}

export interface NamedPlace {
  name: string;
  path: string;
  /** At the head, from 1. */
  line: number;
}

/** Something that a change removes and other repositories may use, and where it was. Nothing in its own repository provides it anymore. */
export interface RemovedName extends Pick<Candidate, 'subject' | 'file' | 'line' | 'quote'> {
  kind: 'symbol' | 'route';
  /** As the facts of its users name it, such as `npm:@acme/money#format`: any of these. */
  names: string[];
  /** The package that has it, such as `npm:@acme/money`; null where the name alone says whose it is. */
  package: string | null;
  /** Whether a user must declare the package, because its modules can have any name. */
  isDeclared: boolean;
  /** A method or a field of a type; the names are then those of the type, which is still there. */
  member?: RemovedMember;
}

export interface RemovedMember {
  /** With its package, such as `com.acme.Cart`. */
  type: string;
  name: string;
  isCall: boolean;
}

/** As OSV names them. */
export const ECOSYSTEMS = ['npm', 'PyPI', 'Go', 'crates.io', 'RubyGems', 'Packagist'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** A version of a package that a change adds to a lock file. */
export interface AddedPackage extends Pick<Candidate, 'file' | 'line' | 'quote'> {
  ecosystem: Ecosystem;
  name: string;
  version: string;
  /** Other versions of the package in changed lock files, before the change. */
  before: string[];
}

export interface AddedPackages {
  packages: AddedPackage[];
  /** Clauses such as `3 files were not read`. */
  leftOut: string[];
}

export interface ReviewResult {
  change: { base: string; head: string; files: number; addedLines: number; moreFiles: number };
  candidates: JudgedCandidate[];
  notReviewed: NotReviewed[];
  checks: CheckRun[];
  /** Only when breaking changes are looked for on the server. */
  removedNames: RemovedName[];
  /** Only when dependencies are looked at on the server. */
  addedPackages: AddedPackages;
}

/** Facts of files that may still be there at a commit. */
export interface UsesRequest {
  commit: string;
  uses: { path: string; kind: RemovedName['kind']; name: string; member?: RemovedMember | undefined }[];
}

/** The lines that use it, at most two; none when it is no longer used. Tokens are masked. */
export type ConfirmedUse = { line: number; quote: string }[];

/** The difference between two commits, by their full ids, or what a patch that was not pushed changes in one. */
export interface ChangeRequest {
  from: string;
  to: string | { patch: string };
  /** Globs of files that are not looked at. */
  excludedPaths: string[];
}

/** A plan, with the files that it names. */
export interface LinkedPlan {
  files: string[];
  /** Whether a person approved its newest version. */
  isApproved: boolean;
}

/** Another open pull request: from its merge base to its head. */
export interface OtherChange {
  number: number;
  from: string;
  to: string;
}

export interface ReviewRequest extends ChangeRequest {
  /** Built-in reviewers whose checks run. */
  reviewers: string[];
  /** Checks that are off by default and were switched on. */
  switchedOn: string[];
  ruleReviewers: RuleReviewer[];
  /** The newest commit of the target branch, to find what breaks only in combination with it. */
  target?: string;
  /** Plans that the change is linked to. */
  plans?: LinkedPlan[];
  /** Other open pull requests of the repository. */
  others?: OtherChange[];
  /** Whether checks list more than they report, for the page of a review. */
  listsPlaces?: boolean;
  /** A later commit, to say of each finding whether its proof is gone there. */
  laterCommit?: string;
}

export interface JudgeRequest extends ChangeRequest {
  finding: ReportedFinding;
  producer: Producer;
}

/** A changed file with its changed lines, without context. */
export interface FileToReview {
  path: string;
  oldPath: string | null;
  change: FileChange;
  hunks: ChangedLines[];
}

export type ChangeToReview =
  | {
      kind: 'change';
      base: string;
      /** For a patch, the commit that it makes. */
      head: string;
      addedLines: number;
      files: FileToReview[];
      notReviewed: NotReviewed[];
      moreFiles: number;
    }
  /** The patch does not apply to its base. */
  | { kind: 'bad_patch'; reason: string };

/** Each request to the process for reviews by its name. */
export interface ReviewRequests {
  reviewChange: { params: ReviewRequest; result: ReviewResult };
  readChange: { params: ChangeRequest; result: ChangeToReview };
  judgeFinding: { params: JudgeRequest; result: JudgedReport };
  confirmUses: { params: UsesRequest; result: ConfirmedUse[] };
}
