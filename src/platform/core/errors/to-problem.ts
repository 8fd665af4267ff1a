/** Any error as a `Problem`: what isn't one already shows no internals. Transports translate errors of their own first. */
import { diskFull, isDiskFull } from './disk-full.ts';
import { isAbort, Problem } from './errors.ts';

export function toProblem(error: unknown, { isOutage }: { isOutage(error: unknown): boolean }): Problem {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (isOutage(error)) {
    return new Problem('unavailable', 'The database cannot be reached right now.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  // The client is still there, so the work was ended because the service stops.
  if (isAbort(error)) {
    return new Problem('unavailable', 'The service is stopping.', { retryAfterSeconds: 5, cause: error });
  }
  return new Problem('internal', 'The cause is in the log of the service, under this requestId.', {
    cause: error,
  });
}
