/** Queries for secrets that reviews found and nobody acts on. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

const MAX_AT_ONCE = 100;

export interface LeftSecret {
  organizationId: string;
  pullRequestId: string;
  discussionId: string;
  /** The first one, which is the finding. */
  commentId: string | null;
}

/** Discussions of secrets that are open since before this time, and of which admins were not told. */
export async function selectLeftSecrets(db: Db, before: Date): Promise<LeftSecret[]> {
  const { rows } = await sql<LeftSecret>`
    SELECT DISTINCT d.organization_id AS "organizationId", d.pull_request_id AS "pullRequestId", d.id AS "discussionId",
      (SELECT c.id FROM pull_request_comments c WHERE c.discussion_id = d.id ORDER BY c.created_at, c.id LIMIT 1) AS "commentId"
    FROM review_candidates f JOIN discussions d ON d.id = f.discussion_id
    WHERE f.claim = 'secret' AND f.discussion_id IS NOT NULL AND f.admins_told_at IS NULL
      AND d.status = 'open' AND d.created_at < ${before}
    LIMIT ${MAX_AT_ONCE}`.execute(db);
  return rows;
}

/** False if they were told before, or the discussion isn't open anymore. The pull request must be locked. */
export async function markAdminsTold(db: Db, discussionId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`UPDATE review_candidates f SET admins_told_at = ${at}
    FROM discussions d WHERE f.discussion_id = ${discussionId} AND f.claim = 'secret' AND f.admins_told_at IS NULL
      AND d.id = f.discussion_id AND d.status = 'open'
    RETURNING f.run_id`.execute(db);
  return rows.length > 0;
}
