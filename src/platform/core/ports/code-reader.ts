/** The port through which operations read and search code; fetching and indexing happen behind it. */

import type { Call } from '../work/fair-queue.ts';
import type {
  BlamedLines,
  CommitSearch,
  DifferenceRequestName,
  DifferenceRequests,
  FileText,
  FoundCommits,
  HistoryCommit,
  LastCommits,
  TreeMerge,
} from './code-differences.ts';
import type { FactRequestName, FactRequests } from './code-facts.ts';

export type CommitLookup =
  | { kind: 'found'; commit: string }
  | { kind: 'ambiguous' }
  /** No commit of the repository begins with these digits. */
  | { kind: 'none' };

/**
 * `asked`: everything that was pushed before the call is recorded now. `recent`: the origin was asked shortly before, and is not
 * asked again until then. `failed`: it could not be reached.
 */
export type OriginAnswer = { kind: 'asked' } | { kind: 'recent'; retryAfterMs: number } | { kind: 'failed' };

/** Paths that are not valid UTF-8 are returned and accepted in git's quoted form: `"caf\351.txt"`. */
export interface FoundFiles {
  items: string[];
  total: number;
}

export interface CodeLine {
  number: number;
  text: string;
  isMatch: boolean;
  /** Matches as UTF-16 offsets in `text`; only with `withRanges`. */
  ranges: { start: number; end: number }[];
}

export interface FoundCodeFile {
  path: string;
  /** Set only when the best come first; lower is better. */
  rank?: number;
  lines: CodeLine[];
  /** Its matching lines in all, as far as they are known. */
  matchingLines: number;
}

export interface FoundTotal {
  lines: number;
  files: number;
  isLowerBound: boolean;
}

export interface FoundCode {
  files: FoundCodeFile[];
  matchingLines: number;
  /** Matching lines beyond the limits; the count is a lower bound when the search stopped early. */
  moreLines: { count: number; isLowerBound: boolean } | null;
  /** All that match, shown or not; lower bounds when the search stopped early. */
  total: FoundTotal;
  /** Clauses with the reason, such as `1 file was not searched: larger than 16 MiB`. */
  notSearched: string[];
  /** False when some of the commit's files had to be read from the repository. */
  isIndexed: boolean;
}

export type CodeSearchOutcome =
  | ({ kind: 'found' } & FoundCode)
  /** The path is not in the tree. */
  | { kind: 'no_path' }
  | { kind: 'bad_pattern'; message: string };

export type TreeEntryKind = 'folder' | 'file' | 'symlink' | 'submodule';
export interface TreeEntry {
  name: string;
  path: string;
  kind: TreeEntryKind;
}

export type TreeListing =
  | { kind: 'tree'; entries: TreeEntry[]; truncated: boolean }
  | { kind: 'not_a_folder' }
  | { kind: 'no_path' };

export type FileReading =
  | {
      kind: 'text' | 'binary' | 'symlink' | 'lfs' | 'too_large';
      size: number;
      totalLines: number | null;
      startLine: number;
      endLine: number;
      text: string;
      truncated: boolean;
    }
  | { kind: 'not_a_file' }
  | { kind: 'no_path' };

/** The images that pages show. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export type ImageReading =
  | { kind: 'image'; mediaType: ImageType; base64: string }
  | { kind: 'not_an_image' }
  | { kind: 'too_large' }
  | { kind: 'no_path' };

/** A line that defines the name that is searched for. */
export interface DefiningLine {
  path: string;
  line: number;
}

/**
 * A search for lines. Files are ordered by path, or code first: code, then tests, documents and generated files; with
 * `best`, files in which the match is a whole word come before others of the same kind.
 */
export interface CodeQuery {
  commit: string;
  /** A regular expression in ripgrep's syntax. */
  pattern: string;
  /** A folder or file, without `..` and without slashes at the ends; empty for the whole repository. */
  path: string;
  order: 'path' | 'code_first' | 'best';
  /** Unless by path, their files come first, and show these lines however many others match before them. */
  definitions?: readonly DefiningLine[];
  /** Valid globs that paths must match, all of them. */
  globs?: readonly string[];
  /** Valid globs, none of which paths may match. */
  excludedGlobs?: readonly string[];
  /** Skips this many matching files, and this many matching lines of the first one after them. Not with `best`. */
  skipFiles?: number;
  skipLines?: number;
  /** Shows at most this many matching lines of each file. */
  linesPerFile?: number;
  /** Counts all matching lines, as far as there is time. */
  countAll?: boolean;
  /** The pattern is known to be valid, so that it isn't checked when no file can match. */
  isValid?: boolean;
  /** Whether to return the matching ranges of each line. */
  withRanges: boolean;
  maxLines: number;
  maxBytes: number;
}

/** A repository to search, at a commit that this node should have. */
export interface RepositoryCommit {
  repositoryId: string;
  commit: string;
}

/** The same query for each repository of a search across many. */
export type EachQuery = Omit<CodeQuery, 'commit' | 'isValid'>;

export type EachOutcome =
  | CodeSearchOutcome
  /** This node hasn't fetched the commit. */
  | { kind: 'missing' }
  /** The time limit was reached before, or its files can't be listed. */
  | { kind: 'not_searched' };

/** Each request for code by its name: its parameters and its result. `commit` is always a full id. */
export interface CodeRequests extends DifferenceRequests {
  findFiles: {
    params: { commit: string; glob: string; limit: number };
    result: FoundFiles | { kind: 'bad_pattern'; message: string };
  };
  /** Similar paths for one that the commit doesn't have, the most similar first. */
  nearPaths: {
    params: { commit: string; path: string; kind: 'file' | 'folder' | 'any'; limit: number };
    result: string[];
  };
  searchCode: { params: CodeQuery; result: CodeSearchOutcome };
  listTree: { params: { commit: string; path: string; limit: number }; result: TreeListing };
  readFile: {
    params: { commit: string; path: string; startLine: number; endLine: number; maxLines: number };
    result: FileReading;
  };
  /** Who last changed the lines of a file; null when the path isn't a file. */
  blameLines: {
    params: { commit: string; path: string; startLine: number; endLine: number };
    result: BlamedLines[] | null;
  };
  /** The commits that changed a file, or some of its lines, newest first; null when the path isn't a file. */
  fileHistory: {
    params: { commit: string; path: string; lines: { from: number; to: number } | null; limit: number };
    result: HistoryCommit[] | null;
  };
  /** Walks the history once for all entries, for a limited time; null when the path isn't a folder. */
  lastCommits: {
    params: { commit: string; path: string; limit: number };
    result: LastCommits | null;
  };
  searchCommits: { params: CommitSearch; result: FoundCommits };
  readImage: { params: { commit: string; path: string; maxBytes: number }; result: ImageReading };
  /** Finds a commit by 4 to 64 hexadecimal digits. */
  findCommit: { params: { digits: string }; result: CommitLookup };
  /** Whole files, in the given order; what exceeds the limit on all of them together is `too_large`. */
  readTexts: { params: { files: { commit: string; path: string }[]; maxBytes: number }; result: FileText[] };
  /** Merges each head into the base, without keeping the result; they must share history. */
  mergeTrees: { params: { base: string; heads: string[] }; result: TreeMerge[] };
  /** The paths that differ between two commits; null when one of the commits is not on this node. */
  changedFiles: { params: { from: string; to: string; paths: string[] }; result: string[] | null };
}

/** The requests that read one commit. */
export type CommitRequestName =
  | 'findFiles'
  | 'nearPaths'
  | 'searchCode'
  | 'listTree'
  | 'readFile'
  | 'readImage'
  | 'blameLines'
  | 'fileHistory'
  | 'lastCommits'
  | 'searchCommits';

/** Everything that can be read of one commit, facts included. */
export interface ReadRequests extends Pick<CodeRequests, CommitRequestName>, FactRequests {}

export interface CodeReader {
  read<Name extends CommitRequestName | FactRequestName>(
    name: Name,
    repositoryId: string,
    params: ReadRequests[Name]['params'],
    call: Call,
  ): Promise<ReadRequests[Name]['result']>;
  /** Compares two commits; like `read`, it fetches first when this node lacks one of them. */
  compare<Name extends DifferenceRequestName>(
    name: Name,
    repositoryId: string,
    params: CodeRequests[Name]['params'],
    call: Call,
  ): Promise<CodeRequests[Name]['result']>;
  /**
   * Searches many repositories without fetching, a few at a time; each outcome is returned as soon as it is known. Takes
   * turns like other searches, and ends early when iteration stops.
   */
  searchEach(
    repositories: readonly RepositoryCommit[],
    query: EachQuery,
    call: Call,
  ): AsyncIterable<{ repositoryId: string; outcome: EachOutcome }>;
  readTexts(
    repositoryId: string,
    params: CodeRequests['readTexts']['params'],
    call: Call,
  ): Promise<FileText[]>;
  /** Looks only at what is recorded: for anything newer, ask the origin first. */
  findCommit(repositoryId: string, digits: string, call: Call): Promise<CommitLookup>;
  /** Records what is new at the origin; `commit` is a full id to request as well. Rejects if that takes longer than a few seconds. */
  askOrigin(repositoryId: string, call: Call, commit?: string): Promise<OriginAnswer>;
  /** Whether branches can be merged into a commit, many at once; like `read`, it fetches first when this node lacks a commit. */
  mergeTrees(
    repositoryId: string,
    params: CodeRequests['mergeTrees']['params'],
    call: Call,
  ): Promise<TreeMerge[]>;
  changedFiles(
    repositoryId: string,
    params: CodeRequests['changedFiles']['params'],
    call: Call,
  ): Promise<string[] | null>;
  /** Searches running and queued on this node. */
  load(): { running: number; waiting: number };
}
