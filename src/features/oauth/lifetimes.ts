/** How long everything lives that the OAuth server issues or stores. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/core/text/durations.ts';

export const LIFETIMES_MS = {
  /** The user may have to look up their password first. */
  signIn: 15 * MINUTE_MS,
  code: MINUTE_MS,
  accessToken: HOUR_MS,
  /** Renewed at each use: an agent that returns within this time stays signed in. */
  refreshToken: 30 * DAY_MS,
  /** A registration that was never used to sign in. */
  unusedClient: 3 * DAY_MS,
  /** Agents keep their registration, and few register again on their own when it is gone. */
  usedClient: 365 * DAY_MS,
};

/**
 * Agents refresh in parallel, or again when they did not get the reply. Within this time after its first use, a refresh
 * token works again; later, reusing it ends the grant as stolen. A code has no such time: any reuse ends the grant.
 */
export const SECOND_USE_GRACE_MS = 10_000;

/**
 * Expired records are kept for this long, so that the doctor can distinguish an expired token from an unknown one, and a
 * code that is used again after it expired still ends its grant.
 */
export const KEPT_AFTER_EXPIRY_MS = DAY_MS;
