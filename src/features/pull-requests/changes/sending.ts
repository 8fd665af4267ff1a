/** Whether something that is written here has to reach a code host. */
import type { PullRequestRow } from '../store/pull-request-store.ts';

/** Pull requests of a host are kept in sync with it; those of plain git are here alone. */
export function sendingOf({ origin }: Pick<PullRequestRow, 'origin'>): 'waiting' | 'none' {
  return origin === 'host' ? 'waiting' : 'none';
}
