/** The requests that the processes of code search answer. */
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
  buildIndex: {
    params: Omit<IndexRequest, keyof RepositoryFolders>;
    result: IndexOutcome;
    progress: IndexProgress;
  };
}
