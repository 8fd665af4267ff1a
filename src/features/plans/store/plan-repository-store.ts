/** Queries for the repositories of plans, the files they name, and the words they can be found by. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, UNSEEN_REPOSITORY, visibleRepositories, visibleTo } from '../../repositories/index.ts';
import { isUnseen } from './unseen-row-store.ts';

export interface PlanRepositoryRow {
  repository_id: string | null;
  name: string;
  head_commit: string | null;
  /** Whether it was removed, and not everyone could see it before. */
  was_private: boolean;
}

/** For one reader: `unseen` if they must not learn which repository it is. */
export interface SeenRow extends PlanRepositoryRow {
  unseen: boolean;
}

interface PlanKey {
  planId: string;
  organizationId: string;
}

export async function insertVersionRepositories(
  db: Db,
  { organizationId, planId }: PlanKey,
  versionId: string,
  repositories: PlanRepositoryRow[],
): Promise<void> {
  if (repositories.length === 0) return;
  await db
    .insertInto('plan_version_repositories')
    .values(
      repositories.map(({ head_commit, name, repository_id, was_private }, position) => ({
        ...{ version_id: versionId, position, plan_id: planId, organization_id: organizationId },
        ...{ repository_id, name, head_commit, was_private },
      })),
    )
    .execute();
}

export function selectVersionRepositories(db: Db, reader: Reader, versionId: string): Promise<SeenRow[]> {
  return db
    .selectFrom('plan_version_repositories as v')
    .select(['v.repository_id', 'v.name', 'v.head_commit', 'v.was_private'])
    .select(isUnseen(reader, 'v').as('unseen'))
    .where('v.version_id', '=', versionId)
    .orderBy('v.position')
    .execute();
}

/** The repositories of a version with their latest commit then and, if the reader can see them, now. */
export function selectRepositoriesThenAndNow(db: Db, reader: Reader, versionId: string) {
  return db
    .selectFrom('plan_version_repositories as v')
    .leftJoin(
      visibleRepositories(db, reader).select(['r.id', 'r.head_commit']).as('now'),
      'now.id',
      'v.repository_id',
    )
    .select([
      'v.repository_id',
      'v.name',
      'v.head_commit as head_then',
      'now.id as visible_id',
      'now.head_commit as head_now',
    ])
    .select(isUnseen(reader, 'v').as('unseen'))
    .where('v.version_id', '=', versionId)
    .orderBy('v.position')
    .execute();
}

/**
 * Links versions that name the repository without an ID, by full name or by an unambiguous last path segment, and fills
 * in its latest commit where none is known. Only if the author of the version can see the repository; a version is never
 * linked to it twice.
 */
export async function linkNamedVersions(
  db: Db,
  repository: { id: string; organizationId: string; headCommit: string | null },
): Promise<void> {
  const { headCommit, id, organizationId } = repository;
  await sql`UPDATE plan_version_repositories v
    SET repository_id = r.id, name = r.name, was_private = false, head_commit = coalesce(v.head_commit, ${headCommit})
    FROM repositories r, plan_versions p
    WHERE r.id = ${id} AND v.organization_id = ${organizationId} AND v.folded_leaf = r.folded_leaf
      AND v.repository_id IS NULL AND p.id = v.version_id AND ${visibleTo(sql`p.author_id`)}
      AND (v.folded_name = r.folded_name OR (v.folded_name = v.folded_leaf AND NOT EXISTS (
        SELECT FROM repositories o WHERE o.organization_id = r.organization_id AND o.folded_leaf = r.folded_leaf
          AND o.id <> r.id)))
      AND v.position = (SELECT min(same.position) FROM plan_version_repositories same
        WHERE same.version_id = v.version_id AND (same.repository_id = r.id OR (same.repository_id IS NULL
          AND same.folded_leaf = r.folded_leaf AND same.folded_name IN (r.folded_name, r.folded_leaf))))`.execute(
    db,
  );
  if (headCommit === null) return;
  await db
    .updateTable('plan_version_repositories')
    .set({ head_commit: headCommit })
    .where('repository_id', '=', id)
    .where('head_commit', 'is', null)
    .execute();
}

/** The repositories of several versions. */
export function selectRepositoriesOfPlans(db: Db, reader: Reader, versionIds: string[]) {
  return db
    .selectFrom('plan_version_repositories as v')
    .select(['v.version_id', 'v.repository_id', 'v.name'])
    .select(isUnseen(reader, 'v').as('unseen'))
    .where(sql<boolean>`v.version_id = ANY(${versionIds}::uuid[])`)
    .orderBy('v.version_id')
    .orderBy('v.position')
    .execute();
}

/** Replaces the files named by the plan with those of its latest version. */
export async function replaceFiles(
  db: Db,
  { organizationId, planId }: PlanKey,
  files: string[],
): Promise<void> {
  await db.deleteFrom('plan_files').where('plan_id', '=', planId).execute();
  if (files.length === 0) return;
  await sql`INSERT INTO plan_files (plan_id, organization_id, path)
    SELECT ${planId}, ${organizationId}, path FROM unnest(${files}::text[]) AS path`.execute(db);
}

export async function replaceWords(
  db: Db,
  { organizationId, planId }: PlanKey,
  parts: string[][],
): Promise<void> {
  await db.deleteFrom('plan_words').where('plan_id', '=', planId).execute();
  for (const [part, words] of parts.entries()) {
    await sql`INSERT INTO plan_words (plan_id, organization_id, part, words)
      VALUES (${planId}, ${organizationId}, ${part}, array_to_tsvector(${words}::text[]))`.execute(db);
  }
}

export interface OverlapRow {
  plan_id: string;
  repositories: string[];
  files: string[];
  file_count: number;
}

/**
 * Other pending and approved plans for the same repositories, with the files that both name. A repository that the reader can't see
 * is the same only by its ID, and has no name: otherwise a guessed name in a plan would show that it is right.
 */
export async function selectOverlaps(
  db: Db,
  reader: Reader,
  plan: { id: string; organizationId: string; versionId: string },
  limits: { plans: number; files: number },
): Promise<OverlapRow[]> {
  const { rows } = await sql<OverlapRow>`
    WITH candidates AS (
      SELECT p.id, p.updated_at,
        array_agg(DISTINCT CASE WHEN mine.unseen THEN ${UNSEEN_REPOSITORY} ELSE mine.name END) AS repositories
      FROM (SELECT v.*, ${isUnseen(reader, 'v')} AS unseen FROM plan_version_repositories v) mine
      JOIN plan_version_repositories v ON v.organization_id = mine.organization_id
        AND v.folded_leaf = mine.folded_leaf
        AND (v.repository_id = mine.repository_id OR (NOT mine.unseen AND (v.folded_name = mine.folded_name
          OR v.folded_name = v.folded_leaf OR mine.folded_name = mine.folded_leaf) AND NOT ${isUnseen(reader, 'v')}))
      JOIN plans p ON p.id = v.plan_id AND p.version_id = v.version_id
      WHERE mine.version_id = ${plan.versionId} AND mine.organization_id = ${plan.organizationId}
        AND p.id <> ${plan.id} AND p.status IN ('pending', 'approved')
      GROUP BY p.id
      ORDER BY p.updated_at DESC
      LIMIT 1000
    ), shared AS (
      SELECT theirs.plan_id, array_agg(theirs.path ORDER BY theirs.path) AS files
      FROM plan_files mine
      JOIN plan_files theirs ON theirs.organization_id = mine.organization_id AND theirs.path = mine.path
      JOIN candidates c ON c.id = theirs.plan_id
      WHERE mine.plan_id = ${plan.id}
      GROUP BY theirs.plan_id
    )
    SELECT c.id AS plan_id, c.repositories, coalesce(s.files[1:${sql.lit(limits.files)}], '{}') AS files,
      coalesce(cardinality(s.files), 0) AS file_count
    FROM candidates c LEFT JOIN shared s ON s.plan_id = c.id
    ORDER BY file_count DESC, c.updated_at DESC, c.id
    LIMIT ${limits.plans}`.execute(db);
  return rows;
}
