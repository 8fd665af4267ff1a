/**
 * Hands every event of every plan, once, to those who make something of it: the inbox, webhooks and the like. The table of
 * events is itself the list of what is still to be done (`handled_at` is null), so nothing is lost when a process dies.
 *
 * Holds always: an event is marked as handled in the transaction in which it is handled; two workers never handle events
 * of one plan at the same time; one plan's events are handled in the order of their numbers. An event that cannot be
 * handled holds up only its own plan, and only until it is given up.
 */
import { sql } from 'kysely';
import type { Log } from '../core/log.ts';
import { type Db, inTransaction, isOutage } from '../db/index.ts';

export interface OutboxEvent {
  planId: string;
  number: string;
  organizationId: string;
  kind: string;
  actorKind: 'key' | 'session' | 'oauth' | 'service';
  actorUserId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/**
 * Makes something of events, within the transaction that marks them as handled. Set-based: a batch holds hundreds. Gives
 * the plans to which something happened by that, which are mostly none.
 */
export type PlanEventHandler = (db: Db, events: OutboxEvent[], now: Date) => Promise<string[]>;

const BATCH = 200;
const MOST_TRIES = 5;
/** After the first failure; each further one waits as long again. */
const RETRY_AFTER_MS = 5_000;
const STATEMENT_TIMEOUT = '57014';
const LOCK_SEED = 20_261_203;

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

  /** One batch; fails as a whole, with nothing of it done. Gives how many events it took. */
  const handle = async (db: Db, now: Date, limit: number, which: Which): Promise<number> => {
    const { events, touched } = await handleEvents(db, now, handlers, limit, which);
    for (const planId of touched) announce(planId);
    for (const { planId } of events) troubled.delete(planId);
    return events.length;
  };

  const handlePlan = async (db: Db, planId: string, now: Date): Promise<number> => {
    let handled = 0;
    for (;;) {
      try {
        const count = await handle(db, now, 1, { planId });
        if (count === 0) return handled;
        handled += count;
      } catch (error) {
        if (isAway(error)) throw error;
        const tries = (troubled.get(planId)?.tries ?? 0) + 1;
        if (tries < MOST_TRIES) {
          troubled.set(planId, { tries, retryAt: now.getTime() + tries * RETRY_AFTER_MS });
          log.warn({ err: error, planId, tries }, 'an event of a plan was not handled; it is tried again');
          return handled;
        }
        troubled.delete(planId);
        const number = await giveUpNext(db, planId, now);
        log.error({ err: error, planId, number }, 'an event of a plan could not be handled and was given up');
      }
    }
  };

  return {
    async run(db, now) {
      let handled = 0;
      for (;;) {
        const waiting = [...troubled].flatMap(([planId, { retryAt }]) =>
          retryAt > now.getTime() ? [planId] : [],
        );
        try {
          const count = await handle(db, now, BATCH, { except: waiting });
          if (count === 0) return handled;
          handled += count;
        } catch (error) {
          if (isAway(error)) throw error;
          for (const planId of await unhandledPlans(db, waiting))
            handled += await handlePlan(db, planId, now);
          return handled;
        }
      }
    },
  };
}

/** Which events: those of one plan, or those of all but these plans. */
type Which = { planId: string; except?: undefined } | { planId?: undefined; except: string[] };

function handleEvents(
  db: Db,
  now: Date,
  handlers: readonly PlanEventHandler[],
  limit: number,
  which: Which,
): Promise<{ events: OutboxEvent[]; touched: Set<string> }> {
  return inTransaction(db, async (transaction) => {
    const events = await claimEvents(transaction, limit, which);
    const touched = new Set<string>();
    if (events.length === 0) return { events, touched };
    for (const handler of handlers) {
      for (const planId of await handler(transaction, events, now)) touched.add(planId);
    }
    await markHandled(transaction, events, now);
    return { events, touched };
  });
}

/** A statement that took too long is the fault of what was being handled, not of PostgreSQL. */
function isAway(error: unknown): boolean {
  return isOutage(error) && (error as { code?: string }).code !== STATEMENT_TIMEOUT;
}

interface ClaimedRow {
  plan_id: string;
  number: string;
  organization_id: string;
  kind: string;
  actor_kind: OutboxEvent['actorKind'];
  actor_user_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/**
 * Events of plans that no other worker is at, of each plan the first ones. The lock of a plan is taken after the statement
 * began to look, so rows are locked as well: PostgreSQL then looks at each again, and one that was handled meanwhile is
 * left out.
 */
async function claimEvents(db: Db, limit: number, { except = [], planId }: Which): Promise<OutboxEvent[]> {
  const onlyPlan = planId === undefined ? sql`` : sql`AND plan_id = ${planId}`;
  const { rows } = await sql<ClaimedRow>`
    WITH first AS MATERIALIZED (
      SELECT plan_id, number FROM plan_events
      WHERE handled_at IS NULL AND plan_id <> ALL(${except}::uuid[]) ${onlyPlan}
      ORDER BY plan_id, number LIMIT ${limit}
    ), held AS MATERIALIZED (
      SELECT plan_id FROM (SELECT DISTINCT plan_id FROM first) AS plans
      WHERE pg_try_advisory_xact_lock(hashtextextended(plan_id::text, ${LOCK_SEED}))
    )
    SELECT e.plan_id, e.number, e.organization_id, e.kind, e.actor_kind, e.actor_user_id, e.data, e.created_at
    FROM plan_events e JOIN first USING (plan_id, number) JOIN held USING (plan_id)
    WHERE e.handled_at IS NULL
    ORDER BY e.plan_id, e.number
    FOR UPDATE OF e SKIP LOCKED`.execute(db);
  return oldestFirst(rows);
}

/** By time across plans, but never before an earlier event of the same plan, whatever the clocks of nodes said. */
function oldestFirst(rows: ClaimedRow[]): OutboxEvent[] {
  let [planId, at] = ['', 0];
  const timed = rows.map((row) => {
    at = Math.max(planId === row.plan_id ? at : 0, row.created_at.getTime());
    planId = row.plan_id;
    return { at, event: fromRow(row) };
  });
  return timed.sort((left, right) => left.at - right.at).map(({ event }) => event);
}

function fromRow(row: ClaimedRow): OutboxEvent {
  return {
    planId: row.plan_id,
    number: row.number,
    organizationId: row.organization_id,
    kind: row.kind,
    actorKind: row.actor_kind,
    actorUserId: row.actor_user_id,
    data: row.data,
    createdAt: row.created_at,
  };
}

async function markHandled(db: Db, events: { planId: string; number: string }[], now: Date): Promise<void> {
  await sql`UPDATE plan_events e SET handled_at = ${now}
    FROM unnest(${events.map((event) => event.planId)}::uuid[], ${events.map((event) => event.number)}::bigint[])
      AS done (plan_id, number)
    WHERE e.plan_id = done.plan_id AND e.number = done.number`.execute(db);
}

async function unhandledPlans(db: Db, except: string[]): Promise<string[]> {
  const { rows } = await sql<{ plan_id: string }>`
    SELECT DISTINCT plan_id FROM (
      SELECT plan_id FROM plan_events
      WHERE handled_at IS NULL AND plan_id <> ALL(${except}::uuid[])
      ORDER BY plan_id, number LIMIT ${BATCH}) AS first`.execute(db);
  return rows.map((row) => row.plan_id);
}

/** Lets the plan's next event go, so that those after it are handled. */
function giveUpNext(db: Db, planId: string, now: Date): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const [event] = await claimEvents(transaction, 1, { planId });
    if (event) await markHandled(transaction, [event], now);
    return event?.number;
  });
}
