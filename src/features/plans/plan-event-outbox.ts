/**
 * Passes every plan event exactly once to its handlers, such as the inbox and webhooks. The transaction that writes an
 * event also adds the plan to `plan_outbox`, so no event is lost if a process crashes.
 *
 * Invariants: a plan's progress (`told`) is updated in the same transaction that handles its events; two workers never
 * handle events of the same plan at the same time; a plan's events are handled in order. An event that can't be handled
 * blocks only its own plan, and only until it is skipped.
 */
import type { Log } from '../../platform/core/log.ts';
import { type Db, inTransaction, isOutage } from '../../platform/db/index.ts';
import {
  type Batch,
  claimEvents,
  markHandled,
  type OutboxEvent,
  plansAfter,
  removeFinished,
  type Which,
} from './plan-outbox-store.ts';

export type { OutboxEvent } from './plan-outbox-store.ts';

/**
 * Handles a batch of events, up to hundreds, in the transaction that marks them as handled. Returns the IDs of plans that
 * it added events to, usually none.
 */
export type PlanEventHandler = (db: Db, events: OutboxEvent[], now: Date) => Promise<string[]>;

const EVENTS_PER_PLAN = 200;
const MAX_TRIES = 5;
/** The delay after the first failure; each further failure adds the same again. */
const RETRY_AFTER_MS = 5_000;
const STATEMENT_TIMEOUT = '57014';
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface PlanEventOutbox {
  /** Handles all outstanding events. Returns how many there were. */
  run(db: Db, now: Date): Promise<number>;
}

export function createPlanEventOutbox(services: {
  handlers: readonly PlanEventHandler[];
  /** Called after the commit for each plan that handlers added events to. */
  announce(planId: string): void;
  log: Log;
}): PlanEventOutbox {
  const { announce, handlers, log } = services;
  /** Plans whose next event could not be handled, with the number of attempts and the time of the next one. */
  const failing = new Map<string, { tries: number; retryAt: number }>();

  /** Handles one batch, all or nothing. */
  const handle = async (db: Db, now: Date, which: Which, eventsPerPlan: number): Promise<Batch> => {
    const { batch, touched } = await handleEvents(db, now, handlers, which, eventsPerPlan);
    for (const planId of touched) announce(planId);
    for (const { planId } of batch.events) failing.delete(planId);
    // Events added by handlers have to be handled as well.
    return { ...batch, full: batch.full || touched.size > 0 };
  };

  const handlePlan = async (db: Db, planId: string, now: Date): Promise<number> => {
    let handled = 0;
    for (;;) {
      try {
        const { events } = await handle(db, now, { planId }, 1);
        if (events.length === 0) return handled;
        handled += events.length;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const tries = (failing.get(planId)?.tries ?? 0) + 1;
        if (tries < MAX_TRIES) {
          failing.set(planId, { tries, retryAt: now.getTime() + tries * RETRY_AFTER_MS });
          log.warn({ err: error, planId, tries }, 'could not handle a plan event; will retry');
          return handled;
        }
        failing.delete(planId);
        const number = await skipNext(db, planId);
        log.error({ err: error, planId, number }, 'could not handle a plan event; skipped it');
      }
    }
  };

  /** Handles one batch per plan. Returns how many events were handled, and whether some plan has more. */
  const handleAll = async (db: Db, now: Date): Promise<{ handled: number; more: boolean }> => {
    let handled = 0;
    let more = false;
    for (let after = BEFORE_ALL; ; ) {
      const except = [...failing].flatMap(([planId, { retryAt }]) =>
        retryAt > now.getTime() ? [planId] : [],
      );
      try {
        const { events, full, planIds } = await handle(db, now, { after, except }, EVENTS_PER_PLAN);
        if (planIds.length === 0) return { handled, more };
        after = planIds.at(-1)!;
        handled += events.length;
        more ||= full;
        await removeFinished(db, planIds);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        for (const planId of await plansAfter(db, { after, except })) {
          handled += await handlePlan(db, planId, now);
          await removeFinished(db, [planId]);
          after = planId;
        }
      }
    }
  };

  return {
    async run(db, now) {
      let handled = 0;
      for (let more = true; more; ) {
        const pass = await handleAll(db, now);
        handled += pass.handled;
        more = pass.more;
      }
      return handled;
    },
  };
}

function handleEvents(
  db: Db,
  now: Date,
  handlers: readonly PlanEventHandler[],
  which: Which,
  eventsPerPlan: number,
): Promise<{ batch: Batch; touched: Set<string> }> {
  return inTransaction(db, async (transaction) => {
    const batch = await claimEvents(transaction, which, eventsPerPlan);
    const touched = new Set<string>();
    if (batch.events.length === 0) return { batch, touched };
    for (const handler of handlers) {
      for (const planId of await handler(transaction, batch.events, now)) touched.add(planId);
    }
    await markHandled(transaction, batch.events);
    return { batch, touched };
  });
}

/** A statement timeout is caused by the event being handled, not by an outage. */
function isUnavailable(error: unknown): boolean {
  return isOutage(error) && (error as { code?: string }).code !== STATEMENT_TIMEOUT;
}

/** Skips the plan's next event, so that later ones can be handled. */
function skipNext(db: Db, planId: string): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const [event] = (await claimEvents(transaction, { planId }, 1)).events;
    if (event) await markHandled(transaction, [event]);
    return event?.number;
  });
}
