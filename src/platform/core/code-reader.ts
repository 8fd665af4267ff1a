/** The port through which operations read and search code: whatever the node must fetch or index first, it does behind it. */

/** A commit of a repository, by its full id. */
export interface CodePlace {
  repositoryId: string;
  commit: string;
}

export type CommitLookup =
  | { kind: 'found'; commit: string }
  | { kind: 'ambiguous' }
  /** No commit of the repository begins with these digits. */
  | { kind: 'none' };

/** Paths that are not valid UTF-8 are shown, and taken, in git's quoted form: `"caf\351.txt"`. */
export interface FoundFiles {
  items: string[];
  total: number;
}

export interface CodeLine {
  number: number;
  text: string;
  isMatch: boolean;
  /** What matched, as UTF-16 places in `text`; only when asked for. */
  ranges: { start: number; end: number }[];
}

export interface FoundCode {
  files: { path: string; lines: CodeLine[] }[];
  matchingLines: number;
  /** What was left out and why, each a sentence without its full stop. */
  leftOut: string[];
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

export interface CodeReader {
  /** Which commit 4 to 64 hexadecimal digits mean. */
  findCommit(repositoryId: string, digits: string, signal: AbortSignal): Promise<CommitLookup>;
  findFiles(
    place: CodePlace,
    query: { glob: string; most: number },
    signal: AbortSignal,
  ): Promise<FoundFiles | { kind: 'bad_pattern'; message: string }>;
  searchCode(
    place: CodePlace,
    query: { pattern: string; path: string; order: 'path' | 'code_first'; withRanges: boolean },
    signal: AbortSignal,
  ): Promise<CodeSearchOutcome>;
  listTree(
    place: CodePlace,
    query: { path: string; most: number },
    signal: AbortSignal,
  ): Promise<TreeListing>;
  readFile(
    place: CodePlace,
    query: { path: string; startLine: number; endLine: number; maxLines: number },
    signal: AbortSignal,
  ): Promise<FileReading>;
  /** Which of these paths differ between two commits; null when one of the commits is not there. */
  changedFiles(
    repositoryId: string,
    query: { from: string; to: string; paths: string[] },
    signal: AbortSignal,
  ): Promise<string[] | null>;
}
