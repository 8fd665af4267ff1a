/** GET /api/v2/plans/:seriesId/overlap: other open plans for the same repositories and files. */
import { defineOperation } from '../../../context.ts';
import { OverlappingPlans, OverlappingPlansInput } from '../contract.ts';
import { selectPlansById } from '../store/plan-list-store.ts';
import { selectOverlaps } from '../store/plan-repository-store.ts';
import { presentPlanSummaries } from './present-plan-summary.ts';
import { findPlan } from './read-plan.ts';

const MAX_PLANS = 20;
const MAX_FILES = 100;

export const listOverlappingPlans = defineOperation({
  name: 'list-overlapping-plans',
  group: 'Plans',
  summary: 'List plans that touch the same repositories and files',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/overlap', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: OverlappingPlansInput,
  output: OverlappingPlans,
  problems: ['not_found'],
  async run(context, { seriesId }) {
    const { actor, db } = context;
    const { organizationId } = actor;
    const { id, version_id: versionId } = await findPlan(context, seriesId);
    const overlaps = await selectOverlaps(
      db,
      actor,
      { id, organizationId, versionId },
      { plans: MAX_PLANS, files: MAX_FILES },
    );
    const rows = await selectPlansById(
      db,
      organizationId,
      overlaps.map((overlap) => overlap.plan_id),
    );
    const summaries = await presentPlanSummaries(db, actor, rows);
    const summaryOf = new Map(rows.map((row, index) => [row.id, summaries[index]!]));
    return {
      // A plan deleted between the two queries is left out.
      plans: overlaps
        .filter(({ plan_id }) => summaryOf.has(plan_id))
        .map((overlap) => ({
          ...summaryOf.get(overlap.plan_id)!,
          sharedRepositories: overlap.repositories,
          sharedFiles: overlap.files,
          sharedFileCount: overlap.file_count,
        })),
    };
  },
});
