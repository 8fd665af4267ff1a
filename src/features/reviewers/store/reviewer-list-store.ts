/** Queries for lists of reviewers, with where they apply and what they opened. */
import { sql } from 'kysely';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import { LIMITS } from '../contract.ts';

/** Built-in reviewers first, then by title. The number of reviewers is limited. */
export function selectReviewers(
  db: Db,
  organizationId: string,
  filter: { enabled?: boolean; repositoryId?: string } = {},
) {
  return db
    .selectFrom('reviewers as v')
    .leftJoin('reviewer_versions as a', (join) =>
      join.onRef('a.reviewer_id', '=', 'v.id').onRef('a.number', '=', 'v.active_version'),
    )
    .select(['v.id', 'v.built_in', 'v.title', 'a.description', 'a.kind', 'v.enabled', 'v.active_version'])
    .select(['v.created_by', 'v.created_at', 'v.updated_at'])
    .where('v.organization_id', '=', organizationId)
    .where('v.deleted_at', 'is', null)
    .where('v.file_repository_id', 'is', null)
    .$if(filter.enabled !== undefined, (query) => query.where('v.enabled', '=', filter.enabled!))
    .$if(filter.repositoryId !== undefined, (query) =>
      query.where(
        sql<boolean>`(v.built_in IS NOT NULL OR EXISTS (SELECT FROM reviewer_scopes s WHERE s.reviewer_id = v.id
          AND s.version = v.active_version AND (s.repository_id IS NULL OR s.repository_id = ${filter.repositoryId})))`,
      ),
    )
    .orderBy(sql`v.built_in IS NULL`)
    .orderBy('v.folded_title')
    .orderBy('v.id')
    .execute();
}

export type ReviewerRow = Awaited<ReturnType<typeof selectReviewers>>[number];

export interface ScopeRow {
  reviewer_id: string;
  repository_id: string | null;
  repository_name: string | null;
  paths: string[];
}

/** Where these versions apply: every repository, and those that the reader sees. */
export async function selectScopes(
  db: Db,
  reader: Reader,
  versions: { id: string; version: number }[],
): Promise<ScopeRow[]> {
  const { rows } = await sql<ScopeRow>`
    SELECT s.reviewer_id, s.repository_id, r.name AS repository_name, s.paths
    FROM unnest(${versions.map(({ id }) => id)}::uuid[], ${versions.map(({ version }) => version)}::int[]) AS v (id, version)
    JOIN reviewer_scopes s ON s.reviewer_id = v.id AND s.version = v.version
    LEFT JOIN LATERAL (${visibleRepositories(db, reader)
      .select(['r.id', 'r.name'])
      .where(sql<boolean>`r.id = s.repository_id`)}) r ON true
    WHERE s.repository_id IS NULL OR r.id IS NOT NULL
    ORDER BY s.reviewer_id, s.position`.execute(db);
  return rows;
}

export interface ReviewerDiscussionRow {
  reviewer_id: string;
  id: string;
  repository_name: string;
  pr_number: number;
  file: string;
  start_line: number;
  status: 'open' | 'addressed' | 'resolved';
  created_at: Date;
}

/**
 * The newest discussions of each reviewer in repositories that the reader sees, newest first, without what agents and tools reported. They are sorted here,
 * because rows that PostgreSQL need not sort are read while it still finds others.
 */
export async function selectNewestDiscussions(
  db: Db,
  reader: Reader,
  reviewerIds: string[],
): Promise<ReviewerDiscussionRow[]> {
  const newest = visibleRepositories(db, reader)
    .innerJoin('discussions as d', 'd.repository_id', 'r.id')
    .where(sql<boolean>`d.reviewer_id = v.id`)
    .where('d.producer_kind', 'is', null)
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(LIMITS.discussions);
  // Readers who may see few repositories have many to skip, which the index alone does quickly; others have none.
  const { rows } = await (hasRole(reader.role, 'admin')
    ? sql<ReviewerDiscussionRow>`
        SELECT v.id AS reviewer_id, n.* FROM unnest(${reviewerIds}::uuid[]) AS v (id)
        CROSS JOIN LATERAL (${newest
          .innerJoin('pull_requests as p', 'p.id', 'd.pull_request_id')
          .select(['d.id', 'r.name as repository_name', 'p.number as pr_number', 'd.file'])
          .select(['d.start_line', 'd.status', 'd.created_at'])}) n`
    : sql<ReviewerDiscussionRow>`
        SELECT v.id AS reviewer_id, d.id, n.repository_name, p.number AS pr_number, d.file, d.start_line, d.status, d.created_at
        FROM unnest(${reviewerIds}::uuid[]) AS v (id)
        CROSS JOIN LATERAL (${newest.select(['d.id', 'r.name as repository_name'])}) n
        JOIN discussions d ON d.id = n.id
        JOIN pull_requests p ON p.id = d.pull_request_id`
  ).execute(db);
  return rows.sort(
    (one, other) => other.created_at.getTime() - one.created_at.getTime() || (other.id < one.id ? -1 : 1),
  );
}

export interface FindingRow {
  id: string;
  pull_request_id: string;
  title: string | null;
  is_dismissed: boolean;
}

/** Titles of findings, by the discussions that reviewers opened. */
export async function selectFindings(db: Db, discussionIds: string[]): Promise<FindingRow[]> {
  const { rows } = await sql<FindingRow>`
    SELECT d.id, d.pull_request_id, c.title, d.status = 'resolved' AND d.status_cause = 'dismissed' AS is_dismissed
    FROM discussions d
    LEFT JOIN LATERAL (SELECT title FROM review_candidates WHERE discussion_id = d.id LIMIT 1) c ON true
    WHERE d.id = ANY(${discussionIds}::uuid[])`.execute(db);
  return rows;
}
