/** Queries for figures of reviews over the last weeks, in repositories that the reader sees. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';

export interface FindingFigureRow {
  week: Date;
  kind: 'reviewer' | 'agent' | 'tool';
  /** Null for what has no page: agents and tools, and reviewers that were deleted or live in files. */
  reviewer_id: string | null;
  title: string;
  findings: number;
  addressed: number;
  dismissed: number;
}

/** Findings by the week in which they were raised and by who found them: a reviewer, an agent or a tool. */
export async function selectFindingFigures(
  db: Db,
  reader: Reader,
  since: Date,
  reviewerId: string | null,
): Promise<FindingFigureRow[]> {
  const seen = visibleRepositories(db, reader).select('r.id').where(sql<boolean>`r.id = d.repository_id`);
  const { rows } = await sql<FindingFigureRow>`
    SELECT date_trunc('week', d.created_at, 'UTC') AS week, coalesce(d.producer_kind, 'reviewer') AS kind,
      CASE d.producer_kind WHEN 'agent' THEN coalesce(d.producer_name, 'Other agents') WHEN 'tool' THEN coalesce(d.producer_name, 'Other tools')
        ELSE v.title END AS title,
      CASE WHEN d.producer_kind IS NULL AND v.deleted_at IS NULL AND v.file_repository_id IS NULL THEN v.id END AS reviewer_id,
      count(*)::int AS findings,
      count(*) FILTER (WHERE d.status <> 'open' AND d.status_cause <> 'dismissed')::int AS addressed,
      count(*) FILTER (WHERE d.status_cause = 'dismissed')::int AS dismissed
    FROM reviewers v JOIN discussions d ON d.reviewer_id = v.id AND d.created_at >= ${since}
    WHERE v.organization_id = ${reader.organizationId} AND (${reviewerId}::uuid IS NULL OR (v.id = ${reviewerId}::uuid AND d.producer_kind IS NULL))
      AND EXISTS (${seen})
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 3`.execute(db);
  return rows;
}

export interface ReviewFigureRow {
  week: Date;
  pull_requests: number;
  /** The median from opening to the first review. */
  seconds: number;
}

/** Pull requests by the week in which they were opened, if they were reviewed. */
export async function selectReviewFigures(db: Db, reader: Reader, since: Date): Promise<ReviewFigureRow[]> {
  const seen = visibleRepositories(db, reader).select('r.id').where(sql<boolean>`r.id = p.repository_id`);
  const { rows } = await sql<ReviewFigureRow>`
    SELECT date_trunc('week', p.created_at, 'UTC') AS week, count(*)::int AS pull_requests,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0, extract(epoch FROM f.first_at - p.created_at)))::float8 AS seconds
    FROM (SELECT pull_request_id, min(finished_at) AS first_at FROM review_runs
      WHERE organization_id = ${reader.organizationId} AND started_at >= ${since} AND state = 'done' GROUP BY 1) f
    JOIN pull_requests p ON p.id = f.pull_request_id
    WHERE p.created_at >= ${since} AND EXISTS (${seen})
    GROUP BY 1 ORDER BY 1`.execute(db);
  return rows;
}
