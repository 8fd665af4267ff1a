/** GET /api/v2/plans/:seriesId/events: the plan's events as server-sent events. */
import { defineOperation } from '../../../context.ts';
import { readSince, streamEvents } from '../../events/index.ts';
import { PlanEvent, StreamPlanChangesInput } from '../contract.ts';
import { findPlan } from '../reading/read-plan.ts';
import { presentPlanEvents } from './present-plan-events.ts';

export const streamPlanChanges = defineOperation({
  name: 'stream-plan-changes',
  group: 'Plans',
  summary: 'Follow changes to a plan',
  description:
    'Sends server-sent events with the event number as `id` and the event kind as `event`. A browser that reconnects resumes after the last event it received.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/events', status: 200, eventStream: true },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: StreamPlanChangesInput,
  output: PlanEvent,
  problems: ['not_found'],
  async run(context, { seriesId, since: given }) {
    const plan = await findPlan(context, seriesId);
    const since = readSince({ noun: 'plan', lastEvent: plan.last_event }, given);
    return streamEvents(
      context,
      { subjectId: plan.id, since },
      {
        // Nothing can happen to a deleted plan.
        isLast: ({ data }) => (data as { to?: string }).to === 'deleted',
        stillAllowed: () => context.stillAllowed(),
      },
      (events) => presentPlanEvents(context.db, context.actor, events),
    ) as never;
  },
});
