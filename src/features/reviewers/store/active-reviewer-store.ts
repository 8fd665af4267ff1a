/** Queries for the reviewers that take part in a review. */
import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { ReviewerKind } from '../contract.ts';

export interface ActiveReviewerRow {
  id: string;
  built_in: string | null;
  title: string;
  description: string | null;
  kind: ReviewerKind | null;
  body: string | null;
  /** From all its scopes in the repository; empty: all paths. */
  paths: string[];
  /** Checks that are off by default. */
  switched_on: string[];
}

/** The reviewers that are on and apply to a repository, built-in ones first. */
export async function selectActiveReviewers(
  db: Db,
  place: { organizationId: string; repositoryId: string },
): Promise<ActiveReviewerRow[]> {
  const { rows } = await sql<ActiveReviewerRow>`
    ${versionsIn(place.repositoryId, sql`v.active_version`)}
    WHERE v.organization_id = ${place.organizationId} AND v.enabled AND v.deleted_at IS NULL
      AND v.file_repository_id IS NULL AND (v.built_in IS NOT NULL OR s.paths IS NOT NULL)
    ORDER BY v.built_in IS NULL, v.folded_title, v.id`.execute(db);
  return rows;
}

/** One version of a reviewer, whether it is on or not, if it applies to a repository. */
export async function selectReviewerVersion(
  db: Db,
  place: { organizationId: string; repositoryId: string; reviewerId: string; version: number },
): Promise<ActiveReviewerRow | undefined> {
  const { rows } = await sql<ActiveReviewerRow>`
    ${versionsIn(place.repositoryId, sql`${place.version}::int`)}
    WHERE v.organization_id = ${place.organizationId} AND v.id = ${place.reviewerId} AND v.deleted_at IS NULL
      AND (v.built_in IS NOT NULL OR s.paths IS NOT NULL)`.execute(db);
  return rows[0];
}

/** Versions of reviewers with the globs of all their scopes in a repository: none if one of these takes all paths. */
function versionsIn(repositoryId: string, version: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT v.id, v.built_in, coalesce(a.title, v.title) AS title, a.description, a.kind, a.body, coalesce(s.paths, '{}') AS paths, v.switched_on
    FROM reviewers v
    LEFT JOIN reviewer_versions a ON a.reviewer_id = v.id AND a.number = ${version}
    LEFT JOIN LATERAL (
      SELECT CASE WHEN bool_or(c.paths = '{}') THEN '{}'
        ELSE array(SELECT p FROM reviewer_scopes e, unnest(e.paths) p
          WHERE e.reviewer_id = v.id AND e.version = ${version}
            AND (e.repository_id IS NULL OR e.repository_id = ${repositoryId})) END AS paths
      FROM reviewer_scopes c
      WHERE c.reviewer_id = v.id AND c.version = ${version}
        AND (c.repository_id IS NULL OR c.repository_id = ${repositoryId})
      HAVING count(*) > 0) s ON true`;
}

/** Rows for reviewers in files, so that discussions can refer to them; their ids by path. */
export async function saveFileReviewers(
  db: Db,
  place: { organizationId: string; repositoryId: string; at: Date },
  files: { path: string; title: string }[],
): Promise<Map<string, string>> {
  const rows = await db
    .insertInto('reviewers')
    .values(
      files.map(({ path, title }) => ({
        id: uuidv7(),
        organization_id: place.organizationId,
        file_repository_id: place.repositoryId,
        file_path: path,
        title,
        enabled: true,
        active_version: 1,
        newest_version: 1,
        created_at: place.at,
        updated_at: place.at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['file_repository_id', 'file_path'])
        .where('file_repository_id', 'is not', null)
        .doUpdateSet((row) => ({
          title: row.ref('excluded.title'),
          updated_at: row.ref('excluded.updated_at'),
        })),
    )
    .returning(['id', 'file_path'])
    .execute();
  return new Map(rows.map(({ file_path, id }) => [file_path!, id]));
}
