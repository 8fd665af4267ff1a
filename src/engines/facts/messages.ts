/** The requests that the processes of facts answer. */
import type { FactRequestName, FactRequests, FileFacts } from '../../platform/core/ports/code-facts.ts';

/** The folders of a repository on this node. */
export interface FactFolders {
  gitDir: string;
  factsFolder: string;
}

/** Files of a commit by their numbers, from the first to before the last. */
export interface FileRange {
  from: number;
  to: number;
}

/** A file that ended the process or kept it busy for too long; it is recorded without facts. */
export interface SkippedFile {
  file: number;
  incomplete: FileFacts['incomplete'];
}

export interface ExtractRequests {
  /** Tidies the folder up and divides what is lacking into ranges, each of which becomes a shard. */
  planFacts: {
    params: { commit: string; maxBytes: number };
    result: { lacking: number; ranges: FileRange[] };
  };
  /** Progress is the number of the file whose turn it is. */
  extractRange: {
    params: FileRange & { commit: string; skipped: SkippedFile[]; maxBytes: number };
    result: { added: number; leftOut: number; memoryBytes: number };
    progress: number;
  };
}

/** Each request for facts also says how many files of the commit have none. */
export type ReadFactRequests = {
  [Name in FactRequestName]: {
    params: FactRequests[Name]['params'];
    result: { lacking: number; value: FactRequests[Name]['result'] };
  };
} & {
  /** Closes everything held for a repository before its files are deleted. */
  forget: { params: object; result: null };
};
