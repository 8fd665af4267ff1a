/** GET /api/v2/plans/:seriesId/events: what happens to the plan, as server-sent events. */
import { type Context, defineOperation } from '../../context.ts';
import type { StreamEvent } from '../../platform/core/operation.ts';
import { PlanEvent, StreamPlanChangesInput } from './contract.ts';
import type { PlanRow } from './plan-store.ts';
import { presentPlanEvent } from './present-plan.ts';
import { findPlan } from './read-plan.ts';
import { refuseSinceBeyond, waitForEvents } from './watch-plan.ts';

/** A sign of life, before proxies take the silence for the end; also when the caller's right is looked at again. */
const SIGN_OF_LIFE_MS = 20_000;

export const streamPlanChanges = defineOperation({
  name: 'stream-plan-changes',
  group: 'Plans',
  summary: 'Follow changes to a plan',
  description:
    'Server-sent events: each has its number as `id` and its kind as `event`. A browser that comes back sends the last one by itself.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/events', status: 200, eventStream: true },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: StreamPlanChangesInput,
  output: PlanEvent,
  problems: ['not_found'],
  async run(context, { seriesId, since: given }) {
    const plan = await findPlan(context, seriesId);
    const since = given ?? Number(plan.last_event);
    refuseSinceBeyond(plan, since);
    const gone = context.disconnected();
    const leave = context.waits.open(context.actor.credentialId);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    return follow(context, plan, since, gone) as never;
  },
});

async function* follow(
  context: Context,
  plan: PlanRow,
  since: number,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const listener = context.feed.listen(plan.id);
  try {
    for (let last = since; !gone.aborted; ) {
      const deadline = performance.now() + SIGN_OF_LIFE_MS;
      const events = await waitForEvents(context, plan, last, deadline, listener, gone);
      if (gone.aborted || !(await context.stillAllowed())) return;
      for (const event of events) {
        yield { id: event.number, kind: event.kind, data: presentPlanEvent(event) };
        last = Number(event.number);
        // From here on the plan is not found: there is nothing more to follow.
        if ((event.data as { to?: string }).to === 'deleted') return;
      }
      if (events.length === 0) yield { id: '', kind: '', data: null };
    }
  } finally {
    listener.close();
  }
}
