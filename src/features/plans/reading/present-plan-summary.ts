/** Turns plan rows into list entries. */
import type { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import type { PlanSummary } from '../contract.ts';
import { isInReview, reviewStateOf } from '../status/review-state.ts';
import { type PlanSummaryRow, selectRequestedReviews } from '../store/plan-list-store.ts';
import { selectRepositoriesOfPlans } from '../store/plan-repository-store.ts';
import { presentRepository } from './present-plan.ts';

/** Reads the repositories of all plans with one query, and the requests for the reader's review with another. */
export async function presentPlanSummaries(
  db: Db,
  reader: Reader,
  rows: PlanSummaryRow[],
): Promise<z.input<typeof PlanSummary>[]> {
  const [repositories, requested] = await Promise.all([
    selectRepositoriesOfPlans(
      db,
      reader,
      rows.map((row) => row.version_id!),
    ),
    selectRequestedReviews(
      db,
      reader,
      rows.map(({ id }) => id),
    ),
  ]);
  const byVersion = Map.groupBy(repositories, (repository) => repository.version_id);
  return rows.map((row) => ({
    seriesId: row.series_id,
    title: row.title,
    status: row.status,
    reviewState: reviewStateOf(row),
    needsMyReview: isInReview(row) && requested.has(row.id),
    version: row.version,
    agentVendor: row.agent_vendor,
    repos: (byVersion.get(row.version_id!) ?? []).map(presentRepository),
    commentCount: row.comment_count,
    createdBy: { id: row.created_by, name: row.creator_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}
