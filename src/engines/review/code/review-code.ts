/** The code that a review reads: two commits of a repository, and what else its readers may see. */

import type { ChangeList, FileHunks } from '../../../platform/core/ports/code-differences.ts';
import type { FileFacts, FileSymbols } from '../../../platform/core/ports/code-facts.ts';
import type { FactFolders } from '../../facts/index.ts';
import type { RepositoryFolders } from '../../search/index.ts';
import type { Side } from '../contract/code-review.ts';

/** The folders of a repository on this node. */
export type ReviewFolders = RepositoryFolders & FactFolders;

/** A line that contains one of the words that were looked for. */
export interface FoundLine {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

export interface FoundLines {
  lines: FoundLine[];
  /** Whether there are more than the limit. */
  truncated: boolean;
  /** Texts that were left out because too many files may contain them. */
  tooCommon: string[];
}

export interface FindOptions {
  wholeWords: boolean;
  /** Only in files that can have tests. */
  inTests?: boolean;
  /** Leaves out texts that are in hundreds of files, so that the lines of all others are found. */
  leavesOutCommon?: boolean;
  /** 5,000 if it is not given. */
  maxLines?: number;
}

export interface UndoneFile {
  path: string;
  by: string;
  lost: { commit: string; subject: string };
}

export interface ReviewCode {
  /** The merge base. */
  base: string;
  head: string;
  listChanges(limit: number): Promise<ChangeList>;
  /** All hunks of files with these paths at the base, and of others the hunks that added lines. */
  hunks(paths: string[]): Promise<FileHunks[]>;
  /** The sizes of blobs by their ids, in bytes. */
  sizes(blobs: string[]): Promise<ReadonlyMap<string, number>>;
  /** Null when there is no such text file, or it is larger than the limit. */
  read(side: Side, path: string): Promise<string | null>;
  listFiles(side: Side): Promise<string[]>;
  /** The first line of the message of the last commit between base and head that changed the path; null when none did. */
  lastSubject(path: string): Promise<string | null>;
  /**
   * The changed files that are, at the head, as they were at an older commit of the base that the branch was made from or merged before
   * (`by`), and the last commit that changed each between there and the base. None if nothing was merged into the branch, or if its
   * commits say that they revert something.
   */
  undone(paths: string[]): Promise<UndoneFile[]>;
  /** Null when the path isn't a file, or its language is unknown. */
  facts(side: Side, path: string): Promise<FileFacts | null>;
  /** The same without its facts, which takes less time. */
  symbols(side: Side, path: string): Promise<FileSymbols | null>;
  /** Lines that contain at least one of the texts; with `wholeWords`, not as a part of a longer name. */
  find(side: Side, texts: string[], options: FindOptions): Promise<FoundLines>;
}
