/** Queries for planner sessions and their events. */
import { sql } from 'kysely';
import { type Db, deleteInBatches } from '../../platform/db/index.ts';
import { hiddenRepositories, type Reader, UNSEEN_REPOSITORY, visibleTo } from '../repositories/index.ts';

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

/** Inserts the event and, if it is the first, the session, in one statement. */
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

/** Repositories are read from at most this many events of a session, oldest first. */
const MAX_EVENTS_READ = 10_000;
const MAX_REPOSITORIES = 100;

/**
 * A session with a summary of its events. A name that means, for whoever reported it, a repository that the reader can't see is
 * replaced; a name reported by the reader stays as it is, so that nobody learns from their own report that a repository exists.
 */
export async function selectPlannerSession(db: Db, reader: Reader, sessionId: string) {
  const { organizationId } = reader;
  const isUnseen = hiddenRepositories(db, reader)
    .select(sql<boolean>`true`.as('found'))
    .where(sql<boolean>`r.folded_leaf = regexp_replace(lower(named.repository), '^.*/', '')`)
    .where(sql<boolean>`lower(named.repository) IN (r.folded_name, r.folded_leaf)`)
    .where(visibleTo(sql`named.user_id`))
    .limit(1);
  const { rows } = await sql<{
    agent_vendor: string | null;
    first_event_at: Date;
    last_event_at: Date;
    event_count: number;
    repositories: string[];
  }>`
    SELECT s.agent_vendor, s.first_event_at, s.last_event_at, e.event_count, coalesce(e.repositories, '{}') AS repositories
    FROM planner_sessions s, LATERAL (
      WITH first AS MATERIALIZED (
        SELECT repository, user_id FROM planner_events
        WHERE organization_id = s.organization_id AND session_id = s.id
        ORDER BY created_at, id
        LIMIT ${sql.lit(MAX_EVENTS_READ)}
      ), named AS (
        SELECT DISTINCT repository, user_id FROM first WHERE repository <> ''
        ORDER BY repository
        LIMIT ${sql.lit(MAX_REPOSITORIES)}
      )
      SELECT (SELECT count(*)::int FROM first) AS event_count,
        (SELECT array_agg(DISTINCT CASE WHEN ${isUnseen} THEN ${UNSEEN_REPOSITORY} ELSE named.repository END) FROM named)
          AS repositories
    ) e
    WHERE s.organization_id = ${organizationId} AND s.id = ${sessionId}`.execute(db);
  return rows[0];
}

/** Longer payloads hold tool results rather than usage data. */
const MAX_PAYLOAD_LENGTH = 65_536;

/** The latest short payloads of a session, where agents report models and tokens. */
export async function selectTellingPayloads(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('planner_events')
    .select('payload')
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .where('payload', 'is not', null)
    .where(sql<boolean>`octet_length(payload) <= ${sql.lit(MAX_PAYLOAD_LENGTH)}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ payload }) => payload!);
}

/** A session is deleted with its last event. */
export async function deleteOldPlannerSessions(db: Db, before: Date): Promise<void> {
  await deleteInBatches(
    db,
    (limit) => sql`DELETE FROM planner_events WHERE id IN (
      SELECT id FROM planner_events WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
  await deleteInBatches(
    db,
    (limit) => sql`DELETE FROM planner_sessions WHERE (organization_id, id) IN (
      SELECT organization_id, id FROM planner_sessions s WHERE last_event_at < ${before}
        AND NOT EXISTS (SELECT FROM planner_events e WHERE e.organization_id = s.organization_id AND e.session_id = s.id)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}
