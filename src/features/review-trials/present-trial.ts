/** A trial as the API shows it. */
import type { z } from 'zod';
import type { ReviewTrial } from './contract.ts';
import type { TrialRow } from './trial-store.ts';

export function presentTrial(row: TrialRow): z.input<typeof ReviewTrial> {
  return {
    id: row.id,
    reviewerId: row.reviewer_id,
    version: row.version,
    codeHostId: row.code_host_id,
    state: row.state,
    startedBy: row.started_by_name,
    pullRequests: row.pull_requests,
    reviewed: row.reviewed,
    failed: row.failed,
    added: { count: row.added, fixed: row.added_fixed },
    same: { count: row.same, fixed: row.same_fixed },
    lost: { count: row.lost, fixed: row.lost_fixed },
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
