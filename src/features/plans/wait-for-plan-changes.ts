/** GET /api/v2/plans/:seriesId/changes: long polling for the plan's events. */
import { type Context, defineOperation } from '../../context.ts';
import type { Actor } from '../../platform/core/actor.ts';
import { Problem } from '../../platform/core/errors.ts';
import { selectCommentsById } from './comment-store.ts';
import { PlanChanges, WaitForPlanChangesInput } from './contract.ts';
import type { PlanEventRow } from './plan-event-store.ts';
import { presentComment } from './present-comment.ts';
import { presentPlanEvent } from './present-plan.ts';
import { shareQuery } from './share-query.ts';
import { findWatchedPlan, refuseSinceBeyond, waitForEvents, watchPlan } from './watch-plan.ts';

const DEFAULT_WAIT_SECONDS = 20;

export const waitForPlanChanges = defineOperation({
  name: 'wait-for-plan-changes',
  group: 'Plans',
  summary: 'Wait for changes to a plan',
  description:
    'Returns immediately if there are events after `since`. Otherwise waits for the next event and returns no events if the wait times out.',
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
      // The credential may have been revoked during the wait.
      if (!(await context.stillAllowed())) {
        throw new Problem('unauthenticated', 'The credential is no longer valid.');
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

/** Events from before credentials were recorded are compared by user and kind of credential. */
function isOwn(event: PlanEventRow, { credentialId, kind, userId }: Actor): boolean {
  return event.actor_credential_id === null
    ? event.actor_user_id === userId && event.actor_kind === kind
    : event.actor_credential_id === credentialId;
}

const NAMES_COMMENT = new Set(['comment_added', 'comment_edited', 'comment_triaged']);

/** Callers that wake up together share one query. */
async function commentsOf({ db }: Context, planId: string, events: PlanEventRow[]) {
  const ids = events.flatMap(({ data, kind }) => {
    const { commentId } = data as { commentId?: unknown };
    return NAMES_COMMENT.has(kind) && typeof commentId === 'string' ? [commentId] : [];
  });
  if (ids.length === 0) return [];
  return shareQuery(db, `comments ${planId} ${ids.join(' ')}`, () => selectCommentsById(db, planId, ids));
}
