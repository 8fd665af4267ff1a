/** Plans as lists show them. */
import type { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { PlanStatus, PlanSummary } from './contract.ts';
import type { PlanSummaryRow } from './plan-list-store.ts';
import { selectRepositoriesOfPlans } from './plan-repository-store.ts';
import { presentRepository } from './present-plan.ts';

/** The repositories of all of them come by one query. */
export async function presentPlanSummaries(
  db: Db,
  rows: PlanSummaryRow[],
): Promise<z.input<typeof PlanSummary>[]> {
  const repositories = await selectRepositoriesOfPlans(
    db,
    rows.map((row) => row.version_id!),
  );
  const byVersion = Map.groupBy(repositories, (repository) => repository.version_id);
  return rows.map((row) => ({
    seriesId: row.series_id,
    title: row.title,
    status: row.status as PlanStatus,
    version: row.version,
    agentVendor: row.agent_vendor,
    repos: (byVersion.get(row.version_id!) ?? []).map(presentRepository),
    commentCount: row.comment_count,
    createdBy: { id: row.created_by, name: row.creator_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}
