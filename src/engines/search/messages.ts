/** What the service and its two search processes say to each other. */
import type {
  CodeSearchOutcome,
  FileReading,
  FoundFiles,
  TreeListing,
} from '../../platform/core/code-reader.ts';
import type { IndexOutcome, IndexProgress, IndexRequest } from './build-index.ts';
import type { CodeQuery } from './search-code.ts';

/** Where a repository lies on this node. */
export interface RepositoryFolders {
  gitDir: string;
  indexFolder: string;
}

/** Each question by its name: what is asked, and what is answered. */
export interface SearchRequests {
  findCommit: {
    asks: { digits: string };
    answers: { kind: 'found'; commit: string } | { kind: 'ambiguous' } | { kind: 'none' };
  };
  findFiles: {
    asks: { commit: string; glob: string; most: number };
    answers: FoundFiles | { kind: 'bad_pattern'; message: string };
  };
  searchCode: { asks: CodeQuery; answers: CodeSearchOutcome & { isIndexed?: boolean } };
  listTree: { asks: { commit: string; path: string; most: number }; answers: TreeListing };
  readFile: {
    asks: {
      commit: string;
      path: string;
      startLine: number;
      endLine: number;
      maxLines: number;
      maxFileBytes: number;
    };
    answers: FileReading;
  };
  changedFiles: { asks: { from: string; to: string; paths: string[] }; answers: string[] | null };
  /** Closes what is held of a repository, before its files are removed. */
  forget: { asks: object; answers: null };
  buildIndex: { asks: Omit<IndexRequest, keyof RepositoryFolders>; answers: IndexOutcome };
}

export type SearchRequestName = keyof SearchRequests;

export type ToProcess =
  | { kind: 'ask'; id: number; name: SearchRequestName; folders: RepositoryFolders; asks: unknown }
  | { kind: 'cancel'; id: number };

export type FromProcess =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; reason: FailureReason; message: string }
  | { kind: 'progress'; id: number; progress: IndexProgress };

/** `missing`: the mirror lacks the commit or a tree of it. `busy`: too much is waiting already. */
export type FailureReason = 'missing' | 'too_many_files' | 'busy' | 'cancelled' | 'broken';

export class SearchFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'SearchFailure';
    this.reason = reason;
  }
}
