/** The queries on planner sessions and their events. */
import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

export interface PlannerEvent {
  id: string;
  organizationId: string;
  sessionId: string;
  userId: string;
  eventType: string;
  repository: string | null;
  agentVendor: string | null;
  payload: string | null;
  at: Date;
}

/** The session (made by its first event) and the event, in one statement. */
export async function insertPlannerEvent(db: Db, event: PlannerEvent): Promise<void> {
  await sql`
    WITH session AS (
      INSERT INTO planner_sessions AS s (organization_id, id, user_id, agent_vendor, first_event_at, last_event_at)
      VALUES (${event.organizationId}, ${event.sessionId}, ${event.userId}, ${event.agentVendor}, ${event.at}, ${event.at})
      ON CONFLICT (organization_id, id) DO UPDATE SET
        last_event_at = greatest(s.last_event_at, excluded.last_event_at),
        agent_vendor = coalesce(s.agent_vendor, excluded.agent_vendor)
    )
    INSERT INTO planner_events
      (id, organization_id, session_id, user_id, event_type, repository, agent_vendor, payload, created_at)
    VALUES (${event.id}, ${event.organizationId}, ${event.sessionId}, ${event.userId}, ${event.eventType},
      ${event.repository}, ${event.agentVendor}, ${event.payload}, ${event.at})`.execute(db);
}
