/** How long a failed delivery waits for its next attempt. */
import { MAX_ATTEMPTS } from './contract.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DELAYS_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS];

/**
 * After so many attempts; undefined when that was the last one. Up to a fifth more or less, by a number from 0 to 1, so
 * that what failed together does not come back together.
 */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined;
  return Math.round(DELAYS_MS[attempts - 1]! * (0.8 + 0.4 * random));
}
