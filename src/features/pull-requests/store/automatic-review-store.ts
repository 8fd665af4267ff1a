/** Reads the conclusion of the automatic review, which reviews write and the header of the page shows. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** The newest review of the head that was completed, else the newest; undefined if there is none. */
export async function selectAutomaticReview(db: Db, pullRequestId: string, headCommit: string | null) {
  const { rows } = await sql<{
    state: 'done' | 'failed' | 'skipped';
    problem: string | null;
    files: number;
    findings: number;
    is_first: boolean;
  }>`SELECT r.state, r.problem, r.files + r.more_files AS files,
      (SELECT count(*)::int FROM review_candidates c WHERE c.run_id = r.id AND c.fate = 'finding') AS findings,
      NOT EXISTS (SELECT FROM review_runs before WHERE before.pull_request_id = r.pull_request_id
        AND before.trigger <> 'agent' AND before.started_at < r.started_at) AS is_first
    FROM review_runs r
    WHERE r.pull_request_id = ${pullRequestId} AND r.head_commit = ${headCommit} AND r.trigger <> 'agent'
    ORDER BY r.state = 'done' DESC, r.started_at DESC LIMIT 1`.execute(db);
  return rows[0];
}
