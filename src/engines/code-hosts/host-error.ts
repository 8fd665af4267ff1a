/** The one error of code hosts: its code says whether to stop, wait or give up. It contains no token and no URL. */

export type HostErrorCode =
  /** The credential was refused: stop all work of this host. */
  | 'unauthorized'
  /** The credential may not do this. */
  | 'forbidden'
  | 'not_found'
  /** Try again after `until`. */
  | 'rate_limited'
  /** The host can't be reached, is too slow, or failed: try again later. */
  | 'unavailable'
  /** The host refused the request's content; trying again does not help. */
  | 'invalid'
  /** The reply is not what this host documents; `field` says where. */
  | 'unexpected_reply'
  /** The host has no such function (see `can`). */
  | 'unsupported';

export class HostError extends Error {
  readonly code: HostErrorCode;
  readonly status: number | null;
  readonly until: Date | null;
  readonly field: string | null;
  /** Why the host gave no reply, as a phrase; null if it gave one, or this service's network is to blame. */
  readonly unreached: string | null;

  constructor(
    code: HostErrorCode,
    message: string,
    details: { status?: number; until?: Date; field?: string; unreached?: string; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'HostError';
    this.code = code;
    this.status = details.status ?? null;
    this.until = details.until ?? null;
    this.field = details.field ?? null;
    this.unreached = details.unreached ?? null;
  }
}

export function isHostError(error: unknown, ...codes: HostErrorCode[]): error is HostError {
  return error instanceof HostError && (codes.length === 0 || codes.includes(error.code));
}
