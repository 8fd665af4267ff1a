/** Queries on the paths that reviews skip. */
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';

/** Covers every repository that the reader sees, ordered by name. */
export function selectExcludedPaths(db: Db, reader: Reader) {
  return visibleRepositories(db, reader)
    .innerJoin('excluded_paths as e', 'e.repository_id', 'r.id')
    .leftJoin('users as u', 'u.id', 'e.updated_by')
    .select(['r.id', 'r.name', 'e.paths', 'e.updated_at', 'e.updated_by', 'u.name as updated_by_name'])
    .where('e.organization_id', '=', reader.organizationId)
    .orderBy('r.name')
    .execute();
}

/** The same for GET /api/v2/reviewer/config, which doesn't show who changed them. */
export function selectExcludedConfig(db: Db, reader: Reader) {
  return visibleRepositories(db, reader)
    .innerJoin('excluded_paths as e', 'e.repository_id', 'r.id')
    .select(['r.id', 'r.name', 'e.paths'])
    .where('e.organization_id', '=', reader.organizationId)
    .orderBy('r.name')
    .execute();
}

/** Locks the repository's row, so that concurrent changes are recorded one after the other. */
export function lockForExcludedPaths(db: Db, reader: Reader, repositoryId: string) {
  return visibleRepositories(db, reader)
    .leftJoin('excluded_paths as e', 'e.repository_id', 'r.id')
    .select(['r.id', 'r.name', 'e.paths'])
    .where('r.id', '=', repositoryId)
    .forUpdate('r')
    .executeTakeFirst();
}

export async function upsertExcludedPaths(
  db: Db,
  change: { organizationId: string; repositoryId: string; paths: string[]; userId: string; at: Date },
): Promise<void> {
  const values = { paths: change.paths, updated_by: change.userId, updated_at: change.at };
  await db
    .insertInto('excluded_paths')
    .values({ repository_id: change.repositoryId, organization_id: change.organizationId, ...values })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
    .execute();
}

export async function deleteExcludedPaths(
  db: Db,
  organizationId: string,
  repositoryId: string,
): Promise<void> {
  await db
    .deleteFrom('excluded_paths')
    .where('organization_id', '=', organizationId)
    .where('repository_id', '=', repositoryId)
    .execute();
}

/** The globs of one repository, for background work. */
export async function selectPathsToSkip(
  db: Db,
  { organizationId, repositoryId }: { organizationId: string; repositoryId: string },
): Promise<string[]> {
  const row = await db
    .selectFrom('excluded_paths')
    .select('paths')
    .where('organization_id', '=', organizationId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  return row?.paths ?? [];
}
