/**
 * Waits for what happens to a plan. The events in the database are the truth and are read in the order of their
 * numbers, which have no gaps; a hint only says when to look, so that a lost one costs some seconds and no event.
 */
import type { Context } from '../../context.ts';
import type { FeedListener } from '../../platform/core/change-feed.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import { isOutage } from '../../platform/db/index.ts';
import { lookOnce } from './look-once.ts';
import { type PlanEventRow, selectEventsAfter } from './plan-event-store.ts';
import type { PlanRow } from './plan-store.ts';
import { findPlan } from './read-plan.ts';

/** How long a lost hint can delay an event. */
const LOOK_EVERY_MS = 5_000;
export const MAX_EVENTS = 200;

/** What happened after `since`; waits until something has, until the time is over, or until the caller has gone. */
export async function waitForEvents(
  context: Context,
  plan: PlanRow,
  since: number,
  deadline: number,
  listener: FeedListener,
  gone: AbortSignal,
): Promise<PlanEventRow[]> {
  for (;;) {
    const events = await lookOnce(context.db, `events ${plan.id} ${since}`, () =>
      selectEventsAfter(context.db, plan.id, since, MAX_EVENTS),
    ).catch((error: unknown) => {
      // A database that is restarted wakes every listener once it is back.
      if (isOutage(error) && performance.now() < deadline) return [];
      throw error;
    });
    const leftMs = deadline - performance.now();
    if (events.length > 0 || leftMs <= 0 || gone.aborted) return events;
    await listener.next(Math.min(leftMs, LOOK_EVERY_MS), gone);
  }
}

export function findWatchedPlan(context: Context, seriesId: string): ReturnType<typeof findPlan> {
  const { actor, db } = context;
  return lookOnce(db, `plan ${actor.organizationId} ${seriesId}`, () => findPlan(context, seriesId));
}

/** Numbers have no gaps: whoever names one that is not there yet would wait for that many events in vain. */
export function refuseSinceBeyond(plan: PlanRow, since: number): void {
  if (since <= Number(plan.last_event)) return;
  throw invalidRequest([
    {
      path: 'since',
      message: 'is beyond the last event of this plan; it may belong to another plan: leave it out',
    },
  ]);
}

/** Listens before it looks, so that nothing falls between the two. */
export async function watchPlan<T>(
  context: Context,
  seriesId: string,
  use: (plan: PlanRow, listener: FeedListener) => Promise<T>,
): Promise<T> {
  const plan = await findWatchedPlan(context, seriesId);
  const leave = context.waits.open(context.actor.credentialId);
  const listener = context.feed.listen(plan.id);
  try {
    return await use(plan, listener);
  } finally {
    listener.close();
    leave();
  }
}
