/** GET /api/v2/plans/:seriesId/events: the plan's events as server-sent events. */
import { type Context, defineOperation } from '../../context.ts';
import type { StreamEvent } from '../../platform/core/operation.ts';
import { PlanEvent, StreamPlanChangesInput } from './contract.ts';
import type { PlanRow } from './plan-store.ts';
import { presentPlanEvent } from './present-plan.ts';
import { findPlan } from './read-plan.ts';
import { refuseSinceBeyond, waitForEvents } from './watch-plan.ts';

/** How often to send a keep-alive, so that proxies don't close the connection, and to check the caller's access again. */
const KEEP_ALIVE_MS = 20_000;

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
    const since = given ?? Number(plan.last_event);
    refuseSinceBeyond(plan, since);
    const disconnected = context.disconnected();
    const endWait = context.waits.open(context.actor.credentialId);
    if (disconnected.aborted) endWait();
    else disconnected.addEventListener('abort', endWait, { once: true });
    return follow(context, plan, since, disconnected, endWait) as never;
  },
});

async function* follow(
  context: Context,
  plan: PlanRow,
  since: number,
  disconnected: AbortSignal,
  endWait: () => void,
): AsyncGenerator<StreamEvent> {
  const listener = context.feed.listen(plan.id);
  try {
    for (let last = since; !disconnected.aborted; ) {
      const deadline = performance.now() + KEEP_ALIVE_MS;
      const events = await waitForEvents(context, plan, last, deadline, listener, disconnected);
      if (disconnected.aborted || !(await context.stillAllowed())) return;
      for (const event of events) {
        yield { id: event.number, kind: event.kind, data: presentPlanEvent(event) };
        last = Number(event.number);
        // Nothing can happen to a deleted plan.
        if ((event.data as { to?: string }).to === 'deleted') return;
      }
      if (events.length === 0) yield { id: '', kind: '', data: null };
    }
  } finally {
    listener.close();
    // A stream that the service ends does not count as a disconnect.
    endWait();
  }
}
