/** Names the failures of reading a repository for the service, which fetches a commit that is missing. */
import { GitFailure, MalformedTree } from '../git/index.ts';
import type { FailureReason } from '../processes/index.ts';
import { MissingObject, TooManyFiles } from './commits/commit-files.ts';

export function reasonOfFailure(error: unknown): FailureReason | undefined {
  if (error instanceof MissingObject || error instanceof MalformedTree) return 'missing';
  if (error instanceof GitFailure) return reasonOfGit(error);
  if (error instanceof TooManyFiles) return 'too_many_files';
  return undefined;
}

/** Commits are checked beforehand; what they refer to may be missing too. */
function reasonOfGit({ reason, stderrTail }: GitFailure): FailureReason {
  if (reason === 'timeout') return 'timeout';
  return /unable to read|bad (?:object|tree)|missing|Could not read/i.test(stderrTail) ? 'missing' : 'broken';
}
