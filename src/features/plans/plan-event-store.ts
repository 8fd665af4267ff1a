/** Queries for plan events. */
import type { CredentialKind } from '../../platform/core/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { PlanEventKind } from './contract.ts';

export interface NewPlanEvent {
  number: number;
  kind: PlanEventKind;
  data: Record<string, unknown>;
}

export interface PlanEventSource {
  planId: string;
  organizationId: string;
  actorKind: CredentialKind | 'service';
  actorUserId: string | null;
  /** Null if the service itself is the actor. */
  actorCredentialId: string | null;
  at: Date;
}

/** Writes events and adds the plan to the outbox. The plan's row must be locked, because the numbers continue its last one. */
export async function insertPlanEvents(
  db: Db,
  source: PlanEventSource,
  events: NewPlanEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await db
    .insertInto('plan_events')
    .values(
      events.map(({ data, kind, number }) => ({
        plan_id: source.planId,
        number,
        organization_id: source.organizationId,
        kind,
        actor_kind: source.actorKind,
        actor_user_id: source.actorUserId,
        actor_credential_id: source.actorCredentialId,
        data: JSON.stringify(data),
        created_at: source.at,
      })),
    )
    .execute();
  await db
    .insertInto('plan_outbox')
    .values({ plan_id: source.planId, organization_id: source.organizationId, told: events[0]!.number - 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function events(db: Db, planId: string) {
  return db
    .selectFrom('plan_events as e')
    .leftJoin('users as u', 'u.id', 'e.actor_user_id')
    .select([
      'e.number',
      'e.kind',
      'e.actor_kind',
      'e.actor_user_id',
      'e.actor_credential_id',
      'u.name as actor_name',
      'e.data',
      'e.created_at',
    ])
    .where('e.plan_id', '=', planId);
}

/** The events after this number, oldest first. */
export function selectEventsAfter(db: Db, planId: string, number: number, limit: number) {
  return events(db, planId).where('e.number', '>', String(number)).orderBy('e.number').limit(limit).execute();
}

export type PlanEventRow = Awaited<ReturnType<typeof selectEventsAfter>>[number];

/** The events before this number, newest first. */
export function selectEventsBefore(
  db: Db,
  planId: string,
  number: number | undefined,
  limit: number,
): Promise<PlanEventRow[]> {
  return events(db, planId)
    .$if(number !== undefined, (query) => query.where('e.number', '<', String(number)))
    .orderBy('e.number', 'desc')
    .limit(limit)
    .execute();
}
