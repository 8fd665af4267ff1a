/** GET /api/v2/plans/:seriesId/activity: the plan's events, newest first. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { selectEventsBefore } from '../../events/index.ts';
import { ListPlanActivityInput, PlanActivity } from '../contract.ts';
import { findPlan } from '../reading/read-plan.ts';
import { presentPlanEvents } from './present-plan-events.ts';

export const listPlanActivity = defineOperation({
  name: 'list-plan-activity',
  group: 'Plans',
  summary: 'List the activity on a plan',
  description: 'Each event has the actor, how they authenticated, the time, and what changed.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/activity', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListPlanActivityInput,
  output: PlanActivity,
  problems: ['not_found'],
  async run(context, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const before = readCursor(input.cursor, [(value) => /^\d{1,15}$/.test(value)])?.[0];
    const plan = await findPlan(context, input.seriesId);
    const rows = await selectEventsBefore(
      context.db,
      plan.id,
      before === undefined ? undefined : Number(before),
      limit + 1,
    );
    const { nextCursor, page } = cutPage(rows, limit, (row) => [row.number]);
    return { events: await presentPlanEvents(context.db, context.actor, page), nextCursor };
  },
});
