/** GET /api/v2/plans/:seriesId/changes: what happened since, or, when that is nothing, what happens next. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { PlanChanges, type PlanStatus, WaitForPlanChangesInput } from './contract.ts';
import { presentPlanEvent } from './present-plan.ts';
import { findWatchedPlan, refuseSinceBeyond, waitForEvents, watchPlan } from './watch-plan.ts';

const DEFAULT_WAIT_SECONDS = 20;

export const waitForPlanChanges = defineOperation({
  name: 'wait-for-plan-changes',
  group: 'Plans',
  summary: 'Wait for changes to a plan',
  description:
    'Answers at once when something happened after `since`; else as soon as something does, or with no events when the time is over.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/changes', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: WaitForPlanChangesInput,
  output: PlanChanges,
  problems: ['not_found'],
  async run(context, { seriesId, since: given, waitSeconds = DEFAULT_WAIT_SECONDS }) {
    return watchPlan(context, seriesId, async (plan, listener) => {
      const since = given ?? Number(plan.last_event);
      refuseSinceBeyond(plan, since);
      const deadline = performance.now() + waitSeconds * 1000;
      const events = await waitForEvents(context, plan, since, deadline, listener, context.disconnected());
      // What was allowed when the waiting began may not be any more.
      if (!(await context.stillAllowed())) {
        throw new Problem('unauthenticated', 'No valid credential came with this request.');
      }
      const now = await findWatchedPlan(context, seriesId);
      return {
        events: events.map(presentPlanEvent),
        cursor: events.length > 0 ? Number(events.at(-1)!.number) : since,
        status: now.status as PlanStatus,
        version: now.version,
      };
    });
  },
});
