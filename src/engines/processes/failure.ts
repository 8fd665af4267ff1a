/** Why a process could not answer a request. */

/**
 * `missing`: the mirror lacks the commit or one of its trees. `timeout`: the work took too long. `ended`: the
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

/** A process can die through no fault of the request, for lack of memory; a request that kills it each time must not go on forever. */
export const MAX_ATTEMPTS = 3;

export class ProcessFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'ProcessFailure';
    this.reason = reason;
  }
}
