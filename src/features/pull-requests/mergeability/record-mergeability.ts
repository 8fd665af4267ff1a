/** Records whether a pull request merges, as git or its code host says. New conflicts are an event, and so is their end. */
import type { ConflictedFile } from '../../../platform/core/ports/code-differences.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import type { MergeabilityState } from '../contract.ts';
import { replaceConflicts } from './mergeability-store.ts';

const MAX_NAMED_FILES = 10;

export interface Conflicts {
  total: number;
  files: ConflictedFile[];
}

/** For the head and base that the pull request has now. `conflicts` is null if it isn't known which files they are. */
export async function recordMergeability(
  change: PullRequestChange,
  state: MergeabilityState,
  conflicts: Conflicts | null,
): Promise<void> {
  const { base_commit, head_commit, merge_state: before, ...known } = change.pullRequest;
  const isSame =
    before === state && known.merge_checked_head === head_commit && known.merge_checked_base === base_commit;
  if (isSame) return;
  change.set({
    merge_state: state,
    merge_checked_head: head_commit,
    merge_checked_base: base_commit,
    merge_queued_at: null,
  });
  if (before === 'conflicts' || conflicts) await replaceConflicts(change.db, change.pullRequest, conflicts);
  if (state === 'conflicts' && before !== 'conflicts')
    change.record('pull_request_conflicted', {
      headCommit: head_commit,
      baseCommit: base_commit,
      ...(conflicts && {
        files: conflicts.files.slice(0, MAX_NAMED_FILES).map(({ path }) => path),
        total: conflicts.total,
      }),
    });
  if (state === 'clean' && before === 'conflicts')
    change.record('pull_request_conflicts_resolved', { headCommit: head_commit, baseCommit: base_commit });
}
