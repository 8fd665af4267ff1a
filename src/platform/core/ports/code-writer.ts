/** The port through which operations make commits and push them to the origin: the counterpart of the code reader. */
import type { Call } from '../work/fair-queue.ts';
import type { ConflictKind } from './code-differences.ts';

export interface CommitPerson {
  name: string;
  email: string;
}

export interface FileEdit {
  path: string;
  /** Null deletes the file. */
  content: Buffer | string | null;
}

/** A place that both commits changed, with plain line breaks. */
export interface EditableHunk {
  /** The lines before it. */
  before: string[];
  /** As in the commit that is merged into. */
  head: string;
  base: string;
  after: string[];
}

/** `both`: the head's lines, then the base's. */
export type HunkResolution = { take: 'head' | 'base' | 'both' } | { text: string };

export interface FileResolution {
  path: string;
  /** For each conflict of the file, in order. */
  hunks: HunkResolution[];
}

export const RESOLVE_PROBLEMS = ['kind', 'not_text', 'too_large'] as const;

export interface ConflictToResolve {
  path: string;
  kind: ConflictKind;
  /** Null if it can't be resolved line by line. */
  hunks: EditableHunk[] | null;
  /** Why not: it is another kind of conflict, can't be edited as text, or files or conflicts are too many or too long. */
  problem: (typeof RESOLVE_PROBLEMS)[number] | null;
}

export interface ConflictsToResolve {
  /** How many files conflict; the first are listed. */
  total: number;
  files: ConflictToResolve[];
}

/** New commits. All commits are full ids. */
export type CodeChange =
  | { kind: 'merge'; base: string; head: string; message: string }
  /** One commit on the base with everything that the head changed. */
  | { kind: 'squash'; base: string; head: string; message: string }
  /** Each commit of the head again on the base, with its own author and message. Commits that are there already stay as they are. */
  | { kind: 'rebase'; base: string; head: string }
  /** Changes files of a commit; modes stay. */
  | { kind: 'files'; on: string; files: FileEdit[]; message: string }
  /** Merges a commit that conflicts into another one, as a person resolved it. */
  | { kind: 'resolve'; on: string; other: string; files: FileResolution[]; message: string }
  /** Undoes what changed between two commits. */
  | { kind: 'revert'; on: string; before: string; after: string; message: string };

/** The same change with the same signatures makes the same commits, so that it can be made again after a crash. */
export interface SignedChange {
  change: CodeChange;
  author: CommitPerson;
  committer: CommitPerson;
  at: Date;
}

export interface MadeCommits {
  kind: 'made';
  /** The newest. */
  commit: string;
  tree: string;
}

export type MakeOutcome =
  | MadeCommits
  /** The first paths; of a resolution those that it doesn't resolve. */
  | { kind: 'conflicts'; paths: string[] }
  /** It would change nothing. */
  | { kind: 'unchanged' }
  /** A rebase would lose them. */
  | { kind: 'has_merges' }
  /** git can't do it, such as without common history. */
  | { kind: 'failed' };

export type PushOutcome =
  | { kind: 'pushed' }
  /** The branch isn't where it was expected. */
  | { kind: 'lease_lost' }
  /** By a hook, a rule of the server, or its configuration. The message is the server's own: untrusted, without control characters. */
  | {
      kind: 'rejected';
      message: string;
      /** A branch beside which git can't keep this one: the name of either begins with that of the other and a slash. */
      inTheWay?: string;
    }
  /** The credential can't push. */
  | { kind: 'no_permission'; message: string }
  /** Nothing was sent. */
  | { kind: 'unreachable'; message: string }
  /** The connection ended before the server said whether it took the push. */
  | { kind: 'unknown'; message: string };

export interface BranchUpdate {
  branch: string;
  /** Where it must be at the origin; null if it must not exist. */
  expected: string | null;
}

export interface CodeWriter {
  /**
   * Makes commits and pushes them to one branch, or not at all. They are kept nowhere else: this node fetches them like other pushes.
   * `onMade` runs between the two; `false` from it ends in `declined`.
   */
  writeBranch(
    repositoryId: string,
    update: BranchUpdate & SignedChange & { onMade?(made: MadeCommits): Promise<boolean> },
    call: Call,
  ): Promise<
    Exclude<MakeOutcome, MadeCommits> | { kind: 'declined' } | (PushOutcome & { made: MadeCommits })
  >;
  /** Moves a branch to a commit that the repository has, or deletes it. */
  moveBranch(
    repositoryId: string,
    update: BranchUpdate & { to: string | null },
    call: Call,
  ): Promise<PushOutcome>;
  /** Lists the conflicts of merging `other` into `on`, for a person to resolve; null if git can't merge them at all. */
  readConflicts(
    repositoryId: string,
    pair: { on: string; other: string },
    call: Call,
  ): Promise<ConflictsToResolve | null>;
  /** Where a branch is at the origin right now; null if it doesn't exist. Throws when the origin can't be asked. */
  askBranch(repositoryId: string, branch: string, call: Call): Promise<string | null>;
}
