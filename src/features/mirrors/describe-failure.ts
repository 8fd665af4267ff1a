/** Why a refresh failed, in words for people: never what a server said, which may hold anything. */

import { explainGitFailure, GitFailure, RemoteRefused } from '../../engines/git/index.ts';
import { errorCode } from '../../platform/core/start-failure.ts';

export function describeFailure(error: unknown): string {
  if (error instanceof GitFailure) return explainGitFailure(error);
  if (error instanceof RemoteRefused) return error.message;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk of the service is full. Tell the operator.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return 'The service may not write into its data folder. Tell the operator.';
  }
  return 'Something unforeseen happened on our side. It is tried again later; the log of the service has the cause.';
}
