/**
 * Waits for plan events. The database is the source of truth: events are read in order of their numbers, which have no
 * gaps. A notification only says when to query, so a lost one delays an event by a few seconds but never loses it.
 */
import type { Context } from '../../context.ts';
import type { FeedListener } from '../../platform/core/change-feed.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import { isOutage } from '../../platform/db/index.ts';
import { type PlanEventRow, selectEventsAfter } from './plan-event-store.ts';
import type { PlanRow } from './plan-store.ts';
import { findPlan } from './read-plan.ts';
import { shareQuery } from './share-query.ts';

/** How long a lost notification can delay an event. */
const POLL_EVERY_MS = 5_000;
export const MAX_EVENTS = 200;

/** The events after `since`. Waits until there is one, the deadline passes, or the caller disconnects. */
export async function waitForEvents(
  context: Context,
  plan: PlanRow,
  since: number,
  deadline: number,
  listener: FeedListener,
  disconnected: AbortSignal,
): Promise<PlanEventRow[]> {
  for (;;) {
    const events = await shareQuery(context.db, `events ${plan.id} ${since}`, () =>
      selectEventsAfter(context.db, plan.id, since, MAX_EVENTS),
    ).catch((error: unknown) => {
      // When the database is back after a restart, every listener wakes up.
      if (isOutage(error) && performance.now() < deadline) return [];
      throw error;
    });
    const remainingMs = deadline - performance.now();
    if (events.length > 0 || remainingMs <= 0 || disconnected.aborted) return events;
    await listener.next(Math.min(remainingMs, POLL_EVERY_MS), disconnected);
  }
}

export function findWatchedPlan(context: Context, seriesId: string): ReturnType<typeof findPlan> {
  const { actor, db } = context;
  return shareQuery(db, `plan ${actor.organizationId} ${seriesId}`, () => findPlan(context, seriesId));
}

/** Rejects a number that the plan has not reached, because the caller would miss every event up to it. */
export function refuseSinceBeyond(plan: PlanRow, since: number): void {
  if (since <= Number(plan.last_event)) return;
  throw invalidRequest([
    {
      path: 'since',
      message: 'is greater than the last event number of this plan. Omit it to start with the latest event.',
    },
  ]);
}

/** Starts listening before the first query, so that no event is missed in between. */
export async function watchPlan<T>(
  context: Context,
  seriesId: string,
  use: (plan: PlanRow, listener: FeedListener) => Promise<T>,
): Promise<T> {
  const plan = await findWatchedPlan(context, seriesId);
  const endWait = context.waits.open(context.actor.credentialId);
  const listener = context.feed.listen(plan.id);
  try {
    return await use(plan, listener);
  } finally {
    listener.close();
    endWait();
  }
}
