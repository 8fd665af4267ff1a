/** Queries for the outbox of plan events: the next events, and how far each plan's events have been handled. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

const PLANS_AT_ONCE = 20;

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

/** One plan, or the next ones in order of ID, with exceptions. */
export type Which = { planId: string } | { after: string; except: string[] };

export interface Batch {
  events: OutboxEvent[];
  /** The plans in this batch, in order. */
  planIds: string[];
  /** Whether some plan may have more events. */
  full: boolean;
}

interface ClaimedRow {
  plan_id: string;
  number: string | null;
  organization_id: string;
  kind: string;
  actor_kind: OutboxEvent['actorKind'];
  actor_user_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

function matching(which: Which) {
  if ('planId' in which) return sql`plan_id = ${which.planId}`;
  return sql`plan_id > ${which.after} AND plan_id <> ALL(${which.except}::uuid[])`;
}

/** Locks plans that no other worker has locked and returns their next events. */
export async function claimEvents(db: Db, which: Which, eventsPerPlan: number): Promise<Batch> {
  const { rows } = await sql<ClaimedRow>`
    WITH held AS MATERIALIZED (
      SELECT plan_id, told FROM plan_outbox WHERE ${matching(which)}
      ORDER BY plan_id LIMIT ${sql.lit(PLANS_AT_ONCE)} FOR UPDATE SKIP LOCKED
    )
    SELECT held.plan_id, e.number, e.organization_id, e.kind, e.actor_kind, e.actor_user_id, e.data, e.created_at
    FROM held LEFT JOIN LATERAL (
      SELECT * FROM plan_events WHERE plan_id = held.plan_id AND number > held.told
      ORDER BY number LIMIT ${eventsPerPlan}
    ) e ON true
    ORDER BY held.plan_id, e.number`.execute(db);
  const planIds = [...new Set(rows.map((row) => row.plan_id))];
  const found = rows.filter((row): row is ClaimedRow & { number: string } => row.number !== null);
  const byPlan = Map.groupBy(found, (row) => row.plan_id);
  const full = [...byPlan.values()].some((events) => events.length === eventsPerPlan);
  return { events: oldestFirst(found), planIds, full };
}

/** Ordered by time across plans, and by number within a plan even if the clocks of nodes disagree. */
function oldestFirst(rows: (ClaimedRow & { number: string })[]): OutboxEvent[] {
  let [planId, at] = ['', 0];
  const timed = rows.map((row) => {
    at = Math.max(planId === row.plan_id ? at : 0, row.created_at.getTime());
    planId = row.plan_id;
    return { at, event: fromRow(row) };
  });
  return timed.sort((left, right) => left.at - right.at).map(({ event }) => event);
}

function fromRow(row: ClaimedRow & { number: string }): OutboxEvent {
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

/** Called last before the commit, because writers of the plan's events wait for this row. */
export async function markHandled(db: Db, events: { planId: string; number: string }[]): Promise<void> {
  await sql`UPDATE plan_outbox o SET told = done.number
    FROM (SELECT plan_id, max(number) AS number
      FROM unnest(${events.map((event) => event.planId)}::uuid[], ${events.map((event) => event.number)}::bigint[])
        AS handled (plan_id, number) GROUP BY plan_id) AS done
    WHERE o.plan_id = done.plan_id`.execute(db);
}

/** Removes plans whose events were all handled. The lock makes sure that no event is being written. */
export async function removeFinished(db: Db, planIds: string[]): Promise<void> {
  await sql`
    WITH quiet AS (
      SELECT id, last_event FROM plans WHERE id = ANY(${planIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    DELETE FROM plan_outbox o USING quiet WHERE o.plan_id = quiet.id AND o.told = quiet.last_event`.execute(
    db,
  );
}

export async function plansAfter(db: Db, which: Which): Promise<string[]> {
  const { rows } = await sql<{ plan_id: string }>`SELECT plan_id FROM plan_outbox WHERE ${matching(which)}
    ORDER BY plan_id LIMIT ${sql.lit(PLANS_AT_ONCE)}`.execute(db);
  return rows.map((row) => row.plan_id);
}
