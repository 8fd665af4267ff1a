/** Compares two commits of a repository: the part of the code reader that reads differences. */

export interface HistoryCommit {
  commit: string;
  parents: string[];
  authorName: string;
  /** In milliseconds. */
  authoredAt: number;
  subject: string;
  /** Cut at 64 KiB. */
  body: string;
}

/** The addresses that a person's commits may have, in lower case. */
export interface CommitAddresses {
  exact: string[];
  /** How an address starts and ends: code hosts put the name of the account between. */
  affixes: [start: string, end: string][];
}

export interface OwnCommit {
  commit: string;
  how: 'wrote' | 'committed' | 'co-wrote';
}

/** As a commit names them. */
export interface CommitAuthor {
  name: string;
  email: string;
}

/** A search of the commits that one contains. */
export interface CommitSearch {
  commit: string;
  /** Any of these texts; with none, all commits of the authors. */
  terms: readonly string[];
  /** Whether they are in the message, or how often they occur changed. */
  place: 'message' | 'changes';
  ignoreCase: boolean;
  /** Any of these, as parts of the name and address. */
  authors: readonly string[];
  /** git's pathspecs. */
  paths: readonly string[];
  /** Continues after this many of the newest commits. */
  skip: number;
  limit: number;
}

export interface FoundCommits {
  /** With the first few files whose changes have the text. */
  commits: (Pick<HistoryCommit, 'commit' | 'authorName' | 'authoredAt' | 'subject'> & { paths: string[] })[];
  /** How many commits were searched, in order, after those that were skipped. */
  searched: number;
  /** How many commits there are, skipped ones included. */
  total: number;
  isLowerBound: boolean;
}

/** Lines of a file that one commit changed last. */
export interface BlamedLines {
  startLine: number;
  endLine: number;
  commit: string;
  authorName: string;
  /** In milliseconds. */
  authoredAt: number;
  subject: string;
  /** The file's path at that commit. */
  path: string;
  /** The file before that commit; null when the commit added it. */
  previous: { commit: string; path: string } | null;
}

/** The commits that last changed the entries of a folder, as far as they are known. */
export interface LastCommits {
  entries: { name: string; commit: string }[];
  commits: Pick<HistoryCommit, 'commit' | 'authorName' | 'authoredAt' | 'subject'>[];
  /** Whether every entry is there. */
  isComplete: boolean;
  /** Whether the same request can find more in a moment. */
  isSearching: boolean;
}

/** A commit of a series and what became of it in another version of the series. */
export interface PairedCommit {
  /** `same`: with the same change and message. */
  change: 'same' | 'changed' | 'removed' | 'added';
  oldCommit: string | null;
  newCommit: string | null;
  subject: string;
  /** If it changed, the difference between the two patches: each line begins with a space, `+` or `-`, or names a section. */
  lines: string[];
  /** Whether lines were left out because there are too many. */
  truncated: boolean;
}

export type RangeDiff =
  /** In the order of the newer series; removed ones where they were. */
  | { kind: 'compared'; commits: PairedCommit[] }
  /** More commits or changed lines than are compared. */
  | { kind: 'too_large' };

/** How a base came to have what a head changed. */
export type Merge =
  | { how: 'contained' }
  /** `commit` made the same change as a whole. */
  | { how: 'squashed'; commit: string }
  /** Every commit has one with the same change. */
  | { how: 'rebased' }
  | null;

export const CONFLICT_KINDS = [
  'content',
  'binary',
  'added_on_both',
  'deleted_in_head',
  'deleted_in_base',
  'renamed',
  'submodule',
  'other',
] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** A place that both branches changed, without line breaks. */
export interface ConflictHunk {
  /** The lines before it. */
  context: string[];
  base: string[];
  head: string[];
}

export interface ConflictedFile {
  path: string;
  kind: ConflictKind;
  /** Empty if git can't show the conflict line by line. */
  hunks: ConflictHunk[];
  /** Whether hunks or lines were left out because there are too many. */
  truncated: boolean;
}

export type TreeMerge =
  | { kind: 'clean' }
  /** The first files in order of their paths, and how many there are. */
  | { kind: 'conflicts'; total: number; files: ConflictedFile[] }
  /** git can't merge them, such as when they share no history. */
  | { kind: 'failed' };

export type FileChange = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type_changed';
/** `too_large`: larger than 16 MiB. */
export type ChangedKind = 'text' | 'binary' | 'submodule' | 'symlink' | 'too_large';

export interface ChangedPath {
  path: string;
  /** If it was renamed. */
  oldPath: string | null;
  change: FileChange;
  kind: ChangedKind;
  /** Octal, such as 100644; null where there is no file. */
  oldMode: string | null;
  newMode: string | null;
  oldBlob: string | null;
  newBlob: string | null;
  /** Only of files that are binary or too large. */
  oldBytes: number | null;
  newBytes: number | null;
  /** Null for files that aren't compared line by line. */
  added: number | null;
  deleted: number | null;
}

export interface ChangeList {
  /** In order of their paths, at most `limit`. */
  files: ChangedPath[];
  total: number;
  added: number;
  deleted: number;
}

/** Numbers as git gives them: with no lines on a side, the start is the line before. */
export interface HunkRange {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

export interface Hunk extends HunkRange {
  /** The function or section that the hunk is in, as git names it. */
  heading: string;
  /** Each begins with a space, `+` or `-`; `\` marks a missing newline at the end. */
  lines: string[];
}

export type FileDifference =
  | {
      kind: ChangedKind;
      oldTotalLines: number | null;
      newTotalLines: number | null;
      hunks: Hunk[];
      /** Whether lines were left out because there are too many. */
      truncated: boolean;
    }
  /** Neither commit has the file. */
  | { kind: 'no_path' };

export interface ChangedLines extends HunkRange {
  /** Without the line breaks; empty when there was no room for the text. */
  removed: string[];
  added: string[];
}

export interface FileHunks {
  /** Null when the file was added. */
  oldPath: string | null;
  /** Null when the file was deleted. */
  path: string | null;
  isBinary: boolean;
  hunks: ChangedLines[];
  /** Whether hunks were left out because there are too many. */
  truncated: boolean;
}

export type FileText =
  | { kind: 'text'; text: string }
  | { kind: 'binary' | 'too_large' | 'not_a_file' | 'no_path' };

/** Each request by its name. `from` and `to` are full ids of commits. */
export interface DifferenceRequests {
  /** Null when they have no common ancestor. */
  mergeBase: { params: { from: string; to: string }; result: string | null };
  /** Whether `to` contains `from`; a commit contains itself. */
  isAncestor: { params: { from: string; to: string }; result: boolean };
  /** The commits that `to` contains and `from` doesn't: the newest `limit`, newest first, and how many there are. */
  listCommits: {
    params: { from: string; to: string; limit: number };
    result: { commits: HistoryCommit[]; total: number };
  };
  /** The newest commit that `to` contains and `from` doesn't, and that these addresses wrote or committed. */
  findCommitBy: {
    params: { from: string; to: string; addresses: CommitAddresses };
    result: OwnCommit | null;
  };
  /**
   * Who wrote or co-wrote (`Co-authored-by`) the commits that `to` contains and `from` doesn't, with `committers` also who committed
   * them, oldest first, each address once.
   */
  listAuthors: {
    params: { from: string; to: string; limit: number; committers?: boolean };
    result: CommitAuthor[];
  };
  /** Whether a commit that `to` contains and `from` doesn't is a merge commit. */
  hasMerges: { params: { from: string; to: string }; result: boolean };
  listChanges: { params: { from: string; to: string; limit: number }; result: ChangeList };
  /** The difference of one file; `oldPath` if it has another path at `from`. */
  fileDiff: {
    params: {
      from: string;
      to: string;
      path: string;
      oldPath?: string | undefined;
      context: number;
      ignoreWhitespace: boolean;
    };
    result: FileDifference;
  };
  /**
   * Changed lines, for following places: all hunks of the files with these paths at `from`, and of all other files the
   * hunks that added lines. When very many files changed, only those of `paths`.
   */
  hunks: { params: { from: string; to: string; paths: string[] }; result: FileHunks[] };
  /** Whether the change from `toBase` to `to` is exactly the one from `fromBase` to `from`, white space included. An empty one never is. */
  isSameChange: {
    params: { from: string; to: string; fromBase: string; toBase: string };
    result: boolean;
  };
  /** Pairs the commits of `from` that `fromBase` lacks, with those of `to` that `toBase` lacks. */
  rangeDiff: {
    params: { from: string; to: string; fromBase: string; toBase: string };
    result: RangeDiff;
  };
  /** How the base branch at `from` came to have what the head `to` changed; null when it doesn't have it. */
  findMerge: { params: { from: string; to: string }; result: Merge };
}

export type DifferenceRequestName = keyof DifferenceRequests;
