/** Refuses changes that are made on the code host. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';

export function refuseHost({ origin, url }: Pick<PullRequestRow, 'origin' | 'url'>, things: string): void {
  if (origin === 'host')
    throw new Problem('conflict', `Change the ${things} of this pull request on its code host: ${url}`);
}
