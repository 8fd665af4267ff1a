/** The query for the files that a plan is about. */
import type { Db } from '../../platform/db/index.ts';

/** The files of a repository that the newest version of a plan names: those with facts, so that new files and those of other repositories are left out. */
export async function selectFilesOfPlan(
  db: Db,
  organizationId: string,
  { repositoryId, seriesId }: { repositoryId: string; seriesId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('plans as p')
    .innerJoin('plan_files as f', 'f.plan_id', 'p.id')
    .select('f.path')
    .where('p.organization_id', '=', organizationId)
    .where('p.series_id', '=', seriesId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('architecture_facts as a')
          .select('a.path')
          .where('a.repository_id', '=', repositoryId)
          .whereRef('a.path', '=', 'f.path'),
      ),
    )
    .execute();
  return rows.map(({ path }) => path);
}
