/** Whether a pull request can be merged, as far as that is known for its present commits. Pure. */
import type { MergeabilityState, PullRequestState } from '../contract.ts';

export interface MergeabilityRow {
  origin: 'git' | 'host';
  state: PullRequestState;
  head_commit: string | null;
  base_commit: string | null;
  merge_state: MergeabilityState | null;
  merge_checked_head: string | null;
  merge_checked_base: string | null;
}

export function mergeabilityOf(row: MergeabilityRow): MergeabilityState | null {
  if (row.state !== 'open' && row.state !== 'draft') return null;
  // A code host is asked again when its pull request is synced, which can be long after an upgrade.
  if (row.merge_state === null && row.origin === 'host') return 'unknown';
  const isCurrent = row.merge_checked_head === row.head_commit && row.merge_checked_base === row.base_commit;
  return isCurrent && row.merge_state !== null ? row.merge_state : 'checking';
}
