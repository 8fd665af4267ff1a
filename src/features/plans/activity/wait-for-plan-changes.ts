/** GET /api/v2/plans/:seriesId/changes: long polling for the plan's events. */
import { type Context, defineOperation } from '../../../context.ts';
import { createSharedQueries } from '../../../platform/core/work/shared-queries.ts';
import { type EventRow, isOwn, readSince, waitForEvents } from '../../events/index.ts';
import { presentComment } from '../comments/present-comment.ts';
import { PlanChanges, WaitForPlanChangesInput } from '../contract.ts';
import { findPlan } from '../reading/read-plan.ts';
import { reviewStateOf } from '../status/review-state.ts';
import { selectCommentsById } from '../store/comment-store.ts';
import { presentPlanEvents } from './present-plan-events.ts';

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
  async run(context, { seriesId, since: given, waitSeconds }) {
    const plan = await findWatchedPlan(context, seriesId);
    const since = readSince({ noun: 'plan', lastEvent: plan.last_event }, given);
    const events = await waitForEvents(context, { subjectId: plan.id, since }, waitSeconds);
    const now = await findWatchedPlan(context, seriesId);
    const presented = await presentPlanEvents(context.db, context.actor, events);
    return {
      events: presented.map((event, index) => ({ ...event, own: isOwn(events[index]!, context.actor) })),
      comments: (await commentsOf(context, plan.id, events)).map(presentComment),
      cursor: events.length > 0 ? Number(events.at(-1)!.number) : since,
      status: now.status,
      reviewState: reviewStateOf(now),
      version: now.version,
    };
  },
});

/** Callers that wait for one plan share one query. */
function findWatchedPlan(context: Context, seriesId: string): ReturnType<typeof findPlan> {
  const queries = context.state.of(createSharedQueries);
  return queries.share(`plan ${context.actor.organizationId} ${seriesId}`, () => findPlan(context, seriesId));
}

const NAMES_COMMENT = new Set(['comment_added', 'comment_edited', 'comment_triaged']);

/** Callers that wake up together share one query. */
async function commentsOf({ db, state }: Context, planId: string, events: EventRow[]) {
  const ids = events.flatMap(({ data, kind }) => {
    const { commentId } = data as { commentId?: unknown };
    return NAMES_COMMENT.has(kind) && typeof commentId === 'string' ? [commentId] : [];
  });
  if (ids.length === 0) return [];
  return state
    .of(createSharedQueries)
    .share(`comments ${planId} ${ids.join(' ')}`, () => selectCommentsById(db, planId, ids));
}
