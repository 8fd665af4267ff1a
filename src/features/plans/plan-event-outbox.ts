/**
 * Hands every event of every plan, once, to those who make something of it: the inbox, webhooks and the like. Whoever writes
 * an event also writes, in the same transaction, that the plan has something to tell (`plan_outbox`), so nothing is lost
 * when a process dies.
 *
 * Holds always: how far a plan's events were told is written in the transaction in which they are handled; two workers never
 * handle events of one plan at the same time; one plan's events are handled in the order of their numbers. An event that
 * cannot be handled holds up only its own plan, and only until it is given up.
 */
import type { Log } from '../../platform/core/log.ts';
import { type Db, inTransaction, isOutage } from '../../platform/db/index.ts';
import {
  type Batch,
  claimEvents,
  forgetTold,
  markTold,
  type OutboxEvent,
  plansAfter,
  type Which,
} from './plan-outbox-store.ts';

export type { OutboxEvent } from './plan-outbox-store.ts';

/**
 * Makes something of events, within the transaction that marks them as handled. Set-based: a batch holds hundreds. Gives
 * the plans to which something happened by that, which are mostly none.
 */
export type PlanEventHandler = (db: Db, events: OutboxEvent[], now: Date) => Promise<string[]>;

const EVENTS_OF_A_PLAN = 200;
const MAX_TRIES = 5;
/** After the first failure; each further one waits as long again. */
const RETRY_AFTER_MS = 5_000;
const STATEMENT_TIMEOUT = '57014';
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface PlanEventOutbox {
  /** Handles what there is; gives how many events that were. */
  run(db: Db, now: Date): Promise<number>;
}

export function createPlanEventOutbox(services: {
  handlers: readonly PlanEventHandler[];
  /** Called once it is written for good that something happened to this plan. */
  announce(planId: string): void;
  log: Log;
}): PlanEventOutbox {
  const { announce, handlers, log } = services;
  /** Plans whose next event could not be handled: how often that was tried, and when it is tried again. */
  const troubled = new Map<string, { tries: number; retryAt: number }>();

  /** One batch; fails as a whole, with nothing of it done. */
  const handle = async (db: Db, now: Date, which: Which, eventsOfAPlan: number): Promise<Batch> => {
    const { batch, touched } = await handleEvents(db, now, handlers, which, eventsOfAPlan);
    for (const planId of touched) announce(planId);
    for (const { planId } of batch.events) troubled.delete(planId);
    // What handlers made happen is to be told as well.
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
        if (isAway(error)) throw error;
        const tries = (troubled.get(planId)?.tries ?? 0) + 1;
        if (tries < MAX_TRIES) {
          troubled.set(planId, { tries, retryAt: now.getTime() + tries * RETRY_AFTER_MS });
          log.warn({ err: error, planId, tries }, 'an event of a plan was not handled; it is tried again');
          return handled;
        }
        troubled.delete(planId);
        const number = await giveUpNext(db, planId);
        log.error({ err: error, planId, number }, 'an event of a plan could not be handled and was given up');
      }
    }
  };

  /** Every plan gets a turn. Gives how many events were handled, and whether some plan has more than a turn holds. */
  const handleAll = async (db: Db, now: Date): Promise<{ handled: number; more: boolean }> => {
    let handled = 0;
    let more = false;
    for (let after = BEFORE_ALL; ; ) {
      const except = [...troubled].flatMap(([planId, { retryAt }]) =>
        retryAt > now.getTime() ? [planId] : [],
      );
      try {
        const { events, full, planIds } = await handle(db, now, { after, except }, EVENTS_OF_A_PLAN);
        if (planIds.length === 0) return { handled, more };
        after = planIds.at(-1)!;
        handled += events.length;
        more ||= full;
        await forgetTold(db, planIds);
      } catch (error) {
        if (isAway(error)) throw error;
        for (const planId of await plansAfter(db, { after, except })) {
          handled += await handlePlan(db, planId, now);
          await forgetTold(db, [planId]);
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
  eventsOfAPlan: number,
): Promise<{ batch: Batch; touched: Set<string> }> {
  return inTransaction(db, async (transaction) => {
    const batch = await claimEvents(transaction, which, eventsOfAPlan);
    const touched = new Set<string>();
    if (batch.events.length === 0) return { batch, touched };
    for (const handler of handlers) {
      for (const planId of await handler(transaction, batch.events, now)) touched.add(planId);
    }
    await markTold(transaction, batch.events);
    return { batch, touched };
  });
}

/** A statement that took too long is the fault of what was being handled, not of PostgreSQL. */
function isAway(error: unknown): boolean {
  return isOutage(error) && (error as { code?: string }).code !== STATEMENT_TIMEOUT;
}

/** Lets the plan's next event go, so that those after it are handled. */
function giveUpNext(db: Db, planId: string): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const [event] = (await claimEvents(transaction, { planId }, 1)).events;
    if (event) await markTold(transaction, [event]);
    return event?.number;
  });
}
