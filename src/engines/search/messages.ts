/** The messages between the service and the processes that read code. */
import type { CodeRequests, EachOutcome, EachQuery } from '../../platform/core/ports/code-reader.ts';
import type { IndexOutcome, IndexProgress, IndexRequest } from './build-index.ts';

/** The folders of a repository on this node. */
export interface RepositoryFolders {
  gitDir: string;
  indexFolder: string;
}

/** Each request by name: those for code, and those that the service needs. */
export interface SearchRequests extends CodeRequests {
  /** Closes everything held for a repository before its files are deleted. */
  forget: { params: object; result: null };
  /** Searches several repositories, in order. The folders of the request are those of the first. */
  searchEach: {
    params: { repositories: (RepositoryFolders & { commit: string })[]; query: EachQuery };
    /** Null when nothing was found and everything was searched. */
    result: (EachOutcome | null)[];
  };
  buildIndex: { params: Omit<IndexRequest, keyof RepositoryFolders>; result: IndexOutcome };
}

/** The time limit of a request, and how much of it was spent waiting for its turn. */
export interface SearchTime {
  timeLimitMs: number;
  waitedMs: number;
}

/** Requests by name, each with its parameters and its result. */
export type RequestTable<Requests> = { [Name in keyof Requests]: { params: unknown; result: unknown } };

export type ToProcess =
  | {
      kind: 'request';
      id: number;
      name: string;
      folders: unknown;
      params: unknown;
      time: SearchTime;
    }
  | { kind: 'cancel'; id: number };

export type FromProcess =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; reason: FailureReason; message: string }
  | { kind: 'progress'; id: number; progress: IndexProgress };

/**
 * `missing`: the mirror lacks the commit or one of its trees. `timeout`: comparing took too long. `ended`: the
 * process exited unexpectedly. `broken`: it failed unexpectedly. `not_ready`: the answer needs work that isn't done yet.
 */
export type FailureReason =
  | 'missing'
  | 'timeout'
  | 'too_many_files'
  | 'cancelled'
  | 'ended'
  | 'broken'
  | 'not_ready';

/** A process can die without the fault of the request, for lack of memory; a request that kills it each time must not go on forever. */
export const MAX_ATTEMPTS = 3;

export class SearchFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'SearchFailure';
    this.reason = reason;
  }
}
