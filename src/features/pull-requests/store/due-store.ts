/** Queries that claim pull requests which background work is due for. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** A push is reviewed at once, unless so many reviews of the pull request started within this time: then it waits for the next. */
const PAUSE_SECONDS = 30;
const MAX_REVIEWS_IN_PAUSE = 3;
/** A review that was queued so long ago was lost. */
const LOST_AFTER_MINUTES = 15;

/** Marks pull requests that a review is due for and that nobody else has marked. */
export async function claimDueReviews(
  db: Db,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    UPDATE pull_requests p SET review_queued_at = clock_timestamp()
    WHERE p.id = ANY(ARRAY(SELECT id FROM pull_requests
      WHERE review_trigger IS NOT NULL AND head_commit IS NOT NULL AND merge_base IS NOT NULL
        AND (review_queued_at IS NULL OR review_queued_at < clock_timestamp() - make_interval(mins => ${LOST_AFTER_MINUTES}))
        AND (review_trigger = 'requested' OR review_started_at IS NULL
          OR review_started_at < clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS})
          OR (SELECT count(*) FROM review_runs r WHERE r.pull_request_id = pull_requests.id AND r.trigger <> 'agent'
            AND r.started_at > clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS})) < ${MAX_REVIEWS_IN_PAUSE})
      ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING p.id, p.organization_id AS "organizationId"`.execute(db);
  return rows;
}

/** Marks pull requests whose newest head was not compared with their discussions yet, and that nobody else has marked. */
export async function claimUnjudged(
  db: Db,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    UPDATE pull_requests p SET judge_queued_head = p.head_commit, judge_queued_at = clock_timestamp()
    WHERE p.id = ANY(ARRAY(SELECT id FROM pull_requests
      WHERE judged_head IS DISTINCT FROM head_commit AND head_commit IS NOT NULL
        AND (judge_queued_head IS DISTINCT FROM head_commit OR judge_queued_at < clock_timestamp() - interval '15 minutes')
      ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING p.id, p.organization_id AS "organizationId"`.execute(db);
  return rows;
}
