/** Queries for approvals that may still count after a push. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

const FIRST_RETRY_MINUTES = 1;
const MAX_RETRY_MINUTES = 60;

export interface ApprovalToKeep {
  verdictId: string;
  userId: string;
  pullRequestId: string;
  organizationId: string;
  repositoryId: string;
  /** The approved head, and the commit that it was compared with. */
  approved: string;
  approvedFrom: string;
  head: string;
  mergeBase: string;
}

/**
 * In organizations with a rule that lets approvals count after a push; whether it is the rule of the branch is decided when it is read.
 * Those that failed before come last.
 */
export async function selectApprovalsToKeep(db: Db, limit: number): Promise<ApprovalToKeep[]> {
  const { rows } = await sql<ApprovalToKeep>`
    SELECT v.id AS "verdictId", v.user_id AS "userId", p.id AS "pullRequestId", p.organization_id AS "organizationId",
      p.repository_id AS "repositoryId", v.commit AS approved, h.merge_base AS "approvedFrom",
      p.head_commit AS head, p.merge_base AS "mergeBase"
    FROM (SELECT DISTINCT organization_id FROM merge_rules WHERE keep_approvals) AS o
    JOIN pull_requests p ON p.organization_id = o.organization_id AND p.state IN ('open', 'draft')
      AND p.merge_base IS NOT NULL
    CROSS JOIN LATERAL (SELECT id, user_id, commit, kept_retry_at FROM pull_request_verdicts v WHERE v.pull_request_id = p.id
      AND v.verdict = 'approved' AND v.own_work = 'no' AND v.dismissed_at IS NULL AND v.user_id IS NOT NULL
      AND v.commit <> p.head_commit AND v.base_branch = p.base_branch
      AND v.kept_checked_head IS DISTINCT FROM p.head_commit
      AND (v.kept_retry_at IS NULL OR v.kept_retry_at <= clock_timestamp()) OFFSET 0) AS v
    CROSS JOIN LATERAL (SELECT merge_base FROM pull_request_heads h WHERE h.pull_request_id = p.id
      AND h.commit = v.commit AND h.merge_base IS NOT NULL ORDER BY h.position DESC LIMIT 1) AS h
    ORDER BY v.kept_retry_at NULLS FIRST, v.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Twice as long after each failure. */
export async function postponeApproval(db: Db, verdictId: string): Promise<void> {
  await sql`UPDATE pull_request_verdicts SET kept_failures = kept_failures + 1, kept_retry_at = clock_timestamp()
      + make_interval(mins => least(${FIRST_RETRY_MINUTES} * 2 ^ least(kept_failures, 10), ${MAX_RETRY_MINUTES})::int)
    WHERE id = ${verdictId}`.execute(db);
}
