/** Turns attempts to merge into their API shape. */
import type { z } from 'zod';
import type { PullRequest, PullRequestMerge } from '../contract.ts';
import type { selectNewestMerge } from '../store/merge-store.ts';
import type { selectNewestRevert } from '../store/pull-request-parts-store.ts';
import type { WaitingMergeRow } from '../store/waiting-merge-store.ts';

export function presentMerge(
  row: NonNullable<Awaited<ReturnType<typeof selectNewestMerge>>>,
): z.input<typeof PullRequestMerge> {
  return {
    id: row.id,
    state: row.state,
    method: row.method,
    person: { id: row.user_id, name: row.user_name },
    baseCommit: row.base_commit,
    headCommit: row.head_commit,
    commit: row.merge_commit,
    bypassed: row.bypassed,
    bypassReason: row.bypass_reason,
    failure: row.failure,
    problem: row.problem,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export function presentWaitingMerge(row: WaitingMergeRow): z.input<typeof PullRequest>['mergeWhenReady'] {
  return {
    person: { id: row.user_id, name: row.user_name },
    method: row.method,
    message: row.message,
    deleteBranch: row.delete_branch,
    since: row.since.toISOString(),
  };
}

export function presentRevert({
  author,
  created_at: createdAt,
  id,
  number,
  state,
}: NonNullable<Awaited<ReturnType<typeof selectNewestRevert>>>): z.input<typeof PullRequest>['revertedBy'] {
  return { id, number, state, author: author.name, createdAt: createdAt.toISOString() };
}
