/** Whether the commits of a pull request can be rebased at all, which is known before somebody tries. */
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';

export const HAS_MERGES = 'The branch contains merge commits, which a rebase would lose.';

/** Why not; null if they can, apart from conflicts. */
export async function rebaseBlocked(
  code: Pick<CodeReader, 'compare'>,
  { repository_id: repositoryId }: Pick<PullRequestRow, 'repository_id'>,
  { base, head }: { base: string; head: string },
  call: Call,
): Promise<string | null> {
  const hasMerges = await code.compare('hasMerges', repositoryId, { from: base, to: head }, call);
  return hasMerges ? HAS_MERGES : null;
}
