/** When a repository is fetched next: at a regular interval, with backoff while it fails. */

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 60 * 60 * 1000;
/** Jitter, so that repositories added together aren't always fetched together. */
const JITTER = 0.1;

/** `failures`: how many attempts in a row failed, including this one. `random` is between 0 and 1. */
export function refreshDelayMs(
  { failures, refreshSeconds }: { failures: number; refreshSeconds: number },
  random: number,
): number {
  const delayMs =
    failures === 0
      ? refreshSeconds * 1000
      : Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 30), MAX_RETRY_MS);
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}
