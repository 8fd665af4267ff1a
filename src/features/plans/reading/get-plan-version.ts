/** GET /api/v2/plans/:seriesId/versions/:version: one version with its content. */
import { callOf, defineOperation } from '../../../context.ts';
import { createTextThreads } from '../../../engines/plan-text/index.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { GetPlanVersionInput, PlanVersion } from '../contract.ts';
import { selectRepositoriesThenAndNow } from '../store/plan-repository-store.ts';
import { selectVersion } from '../store/plan-store.ts';
import { presentRepository, presentVersion } from './present-plan.ts';
import { headThenOf } from './read-freshness.ts';
import { findPlan } from './read-plan.ts';

export const getPlanVersion = defineOperation({
  name: 'get-plan-version',
  group: 'Plans',
  summary: 'Get one version of a plan',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/versions/:version', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetPlanVersionInput,
  output: PlanVersion,
  problems: ['not_found'],
  async run(context, { seriesId, version }) {
    const { actor, db } = context;
    const plan = await findPlan(context, seriesId);
    const row = await selectVersion(db, plan.id, version);
    if (!row) throw notFound('The version');
    const repositories = await selectRepositoriesThenAndNow(db, actor, row.id);
    return {
      ...presentVersion(row),
      content: row.content,
      repos: repositories.map((each) => ({ ...presentRepository(each), headCommit: headThenOf(each) })),
      structure: await context.state
        .of(createTextThreads)
        .run(callOf(context), 'readPlanStructure', row.content),
    };
  },
});
