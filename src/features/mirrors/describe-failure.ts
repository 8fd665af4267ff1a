/** Explains to users why a refresh failed. Never quotes the server, which could send anything. */

import { isHostError } from '../../engines/code-hosts/index.ts';
import { explainGitFailure, GitFailure, RemoteRefused } from '../../engines/git/index.ts';
import { errorCode } from '../../platform/core/errors/start-failure.ts';

export function describeFailure(error: unknown): string {
  if (error instanceof GitFailure) return explainGitFailure(error);
  if (error instanceof RemoteRefused) return error.message;
  if (isHostError(error)) return `The code host could not be asked how to fetch it. ${error.message}`;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Ask the operator to free disk space.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return "The service can't write to its data folder. Ask the operator to fix its permissions.";
  }
  return 'Unexpected error. The service will retry later; the cause is in its log.';
}
