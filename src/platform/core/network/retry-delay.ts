/** The delay before the next attempt of a failed delivery of a webhook or a mail. */

import { HOUR_MS, MINUTE_MS } from '../text/durations.ts';

const DELAYS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/**
 * The delay after this many attempts; undefined after the last one. Jitter of up to 20 %, chosen by a number from 0 to 1,
 * keeps deliveries that failed together from being retried together.
 */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return Math.round(DELAYS_MS[attempts - 1]! * (0.8 + 0.4 * random));
}
