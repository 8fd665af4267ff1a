/** The query for the files that a plan is about. */
import type { Db } from '../../../platform/db/index.ts';

/** The files that the newest version of a plan names. */
export async function selectFilesOfPlan(db: Db, organizationId: string, seriesId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('plans as p')
    .innerJoin('plan_files as f', 'f.plan_id', 'p.id')
    .select('f.path')
    .where('p.organization_id', '=', organizationId)
    .where('p.series_id', '=', seriesId)
    .execute();
  return rows.map(({ path }) => path);
}
