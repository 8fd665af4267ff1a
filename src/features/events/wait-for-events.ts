/**
 * Waits for events of a subject. The database is the source of truth: events are read in order of their numbers, which
 * have no gaps. A notification only says when to query, so a lost one delays an event by a few seconds but never loses it.
 */
import type { Context } from '../../context.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { FeedListener } from '../../platform/core/ports/change-feed.ts';
import { createSharedQueries } from '../../platform/core/work/shared-queries.ts';
import { isOutage } from '../../platform/db/index.ts';
import { DEFAULT_WAIT_SECONDS, MAX_EVENTS } from './contract.ts';
import { type EventRow, selectEventsAfter } from './event-store.ts';

/** How long a lost notification can delay an event. */
const POLL_EVERY_MS = 5_000;

/** A subject to wait for, and the number of the last event that the caller has seen. */
export interface Watch {
  subjectId: string;
  since: number;
}

/** One wait. It starts to listen before the first query, so that no event is missed in between. */
export async function waitForEvents(
  context: Context,
  watch: Watch,
  waitSeconds = DEFAULT_WAIT_SECONDS,
): Promise<EventRow[]> {
  const endWait = context.waits.open(context.actor.credentialId);
  const listener = context.feed.listen(watch.subjectId);
  try {
    const deadline = performance.now() + waitSeconds * 1000;
    const events = await nextEvents(context, watch, deadline, listener, context.disconnected());
    // The credential may have been revoked during the wait.
    if (await context.stillAllowed()) return events;
    throw new Problem('unauthenticated', 'The credential is no longer valid.');
  } finally {
    listener.close();
    endWait();
  }
}

/** The events after `since`. Waits until there is one, the deadline passes, or the caller disconnects. */
export async function nextEvents(
  context: Context,
  { since, subjectId }: Watch,
  deadline: number,
  listener: FeedListener,
  disconnected: AbortSignal,
): Promise<EventRow[]> {
  for (;;) {
    const events = await context.state
      .of(createSharedQueries)
      .share(`events ${subjectId} ${since}`, () =>
        selectEventsAfter(context.db, subjectId, since, MAX_EVENTS),
      )
      .catch((error: unknown) => {
        // When the database is back after a restart, every listener wakes up.
        if (isOutage(error) && performance.now() < deadline) return [];
        throw error;
      });
    const remainingMs = deadline - performance.now();
    if (events.length > 0 || remainingMs <= 0 || disconnected.aborted) return events;
    await listener.next(Math.min(remainingMs, POLL_EVERY_MS), disconnected);
  }
}

/** Where to start. A number that the subject has not reached is refused: the caller would miss every event up to it. */
export function readSince(subject: { noun: string; lastEvent: string }, since: number | undefined): number {
  const last = Number(subject.lastEvent);
  if (since === undefined || since <= last) return since ?? last;
  throw invalidRequest([
    {
      path: 'since',
      message: `is greater than the last event number of this ${subject.noun}. Omit it to start with the latest event.`,
    },
  ]);
}
