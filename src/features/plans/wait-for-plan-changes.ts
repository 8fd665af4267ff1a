/** GET /api/v2/plans/:seriesId/changes: what happened since, or, when that is nothing, what happens next. */
import { type Context, defineOperation } from '../../context.ts';
import type { Actor } from '../../platform/core/actor.ts';
import { Problem } from '../../platform/core/errors.ts';
import { selectCommentsById } from './comment-store.ts';
import { PlanChanges, WaitForPlanChangesInput } from './contract.ts';
import { lookOnce } from './look-once.ts';
import type { PlanEventRow } from './plan-event-store.ts';
import { presentComment } from './present-comment.ts';
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
        events: events.map((event) => ({ ...presentPlanEvent(event), own: isOwn(event, context.actor) })),
        comments: (await commentsOf(context, plan.id, events)).map(presentComment),
        cursor: events.length > 0 ? Number(events.at(-1)!.number) : since,
        status: now.status,
        version: now.version,
      };
    });
  },
});

/** Events from before credentials were recorded are told apart by the person and the kind of credential. */
function isOwn(event: PlanEventRow, { credentialId, kind, userId }: Actor): boolean {
  return event.actor_credential_id === null
    ? event.actor_user_id === userId && event.actor_kind === kind
    : event.actor_credential_id === credentialId;
}

const NAMES_COMMENT = new Set(['comment_added', 'comment_edited', 'comment_triaged']);

/** Those who wake up together ask once. */
async function commentsOf({ db }: Context, planId: string, events: PlanEventRow[]) {
  const ids = events.flatMap(({ data, kind }) => {
    const { commentId } = data as { commentId?: unknown };
    return NAMES_COMMENT.has(kind) && typeof commentId === 'string' ? [commentId] : [];
  });
  if (ids.length === 0) return [];
  return lookOnce(db, `comments ${planId} ${ids.join(' ')}`, () => selectCommentsById(db, planId, ids));
}
