/** How long everything lives that the OAuth server gives out or remembers. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const LIFETIMES_MS = {
  /** A person may have to find their password first. */
  signIn: 15 * MINUTE_MS,
  code: MINUTE_MS,
  accessToken: HOUR_MS,
  /** Each one anew: an agent that comes back within this time stays signed in. */
  refreshToken: 30 * DAY_MS,
  /** A registration that nobody signed in with. */
  unusedClient: 3 * DAY_MS,
  /** Agents keep their registration, and few make a new one by themselves when it is gone. */
  usedClient: 365 * DAY_MS,
};

/**
 * Agents send the same request twice at once, or again when they did not get the reply. This soon after the first use a
 * refresh token works again, and a code is refused without further ado; later, either ends the grant as stolen.
 */
export const SECOND_USE_GRACE_MS = 10_000;

/** Expired records are kept for this long, so that the doctor can tell an expired token from an unknown one. */
export const KEPT_AFTER_EXPIRY_MS = DAY_MS;
