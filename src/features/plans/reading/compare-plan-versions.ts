/** GET /api/v2/plans/:seriesId/difference: what changed between two versions, by block and by word. */
import { setImmediate } from 'node:timers/promises';
import { callOf, defineOperation } from '../../../context.ts';
import { createTextThreads } from '../../../engines/plan-text/index.ts';
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import { ComparePlanVersionsInput, PlanDifference } from '../contract.ts';
import { selectVersion } from '../store/plan-store.ts';
import { findPlan } from './read-plan.ts';

export const comparePlanVersions = defineOperation({
  name: 'compare-plan-versions',
  group: 'Plans',
  summary: 'Compare two versions of a plan',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/difference', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ComparePlanVersionsInput,
  output: PlanDifference,
  problems: ['not_found'],
  async run(context, { from, seriesId, to }) {
    const { db } = context;
    const plan = await findPlan(context, seriesId);
    const [before, after] = [await selectVersion(db, plan.id, from), await selectVersion(db, plan.id, to)];
    if (!before || !after) {
      const wrong = (path: string): FieldError => ({ path, message: 'is not a version of this plan' });
      throw invalidRequest([...(before ? [] : [wrong('from')]), ...(after ? [] : [wrong('to')])]);
    }
    const { batches, ...rest } = await context.state
      .of(createTextThreads)
      .run(callOf(context), 'compareInBatches', before.content, after.content);
    return {
      from: { version: from, content: before.content },
      to: { version: to, content: after.content },
      // Batches rather than a list: see `streamedArray`.
      blocks: readBatches(batches) as never,
      ...rest,
    };
  },
});

/** Lets other requests run between batches, no matter how fast the client reads. */
export async function* readBatches(batches: string[]): AsyncGenerator<unknown[]> {
  for (const batch of batches) {
    yield JSON.parse(batch) as unknown[];
    await setImmediate();
  }
}
