/** The messages between the service and its two search processes. */
import type { CodeRequests } from '../../platform/core/code-reader.ts';
import type { IndexOutcome, IndexProgress, IndexRequest } from './build-index.ts';

/** Where a repository lies on this node. */
export interface RepositoryFolders {
  gitDir: string;
  indexFolder: string;
}

/** Each request by its name: those for code, and what the service needs besides. */
export interface SearchRequests extends CodeRequests {
  /** Closes what is held of a repository, before its files are removed. */
  forget: { params: object; result: null };
  buildIndex: { params: Omit<IndexRequest, keyof RepositoryFolders>; result: IndexOutcome };
}

/** How long a request may take, and how much of that it spent waiting for its turn. */
export interface SearchTime {
  timeLimitMs: number;
  waitedMs: number;
}

export type SearchRequestName = keyof SearchRequests;

export type ToProcess =
  | {
      kind: 'request';
      id: number;
      name: SearchRequestName;
      folders: RepositoryFolders;
      params: unknown;
      time: SearchTime;
    }
  | { kind: 'cancel'; id: number };

export type FromProcess =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; reason: FailureReason; message: string }
  | { kind: 'progress'; id: number; progress: IndexProgress };

/** `missing`: the mirror lacks the commit or a tree of it. `broken`: the process ended, or failed in a way nobody foresaw. */
export type FailureReason = 'missing' | 'too_many_files' | 'cancelled' | 'broken';

export class SearchFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'SearchFailure';
    this.reason = reason;
  }
}
