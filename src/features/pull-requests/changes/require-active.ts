/** Refuses what makes sense only while a pull request is open. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';

export function requireActive({ state }: Pick<PullRequestRow, 'state'>): void {
  if (state === 'merged') throw new Problem('conflict', 'The pull request was merged already.');
  if (state === 'closed') throw new Problem('conflict', 'The pull request is closed; reopen it first.');
}
