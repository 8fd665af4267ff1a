/** The query for the events that the conversation of a pull request shows. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { TIMELINE_EVENT_KINDS } from '../contract.ts';

/** Only so many of its newest events are looked at, whatever their kind. */
const MAX_LOOKED_AT = 1000;

/** Oldest first, with the names of the people and teams whose review was requested. */
export function selectTimeline(
  db: Db,
  pullRequestId: string,
  lastEvent: number,
  kinds: readonly (typeof TIMELINE_EVENT_KINDS)[number][],
) {
  const idsIn = (field: 'userIds' | 'teamIds') =>
    sql`ANY(ARRAY(SELECT jsonb_array_elements_text(e.data->${sql.lit(field)}))::uuid[])`;
  return db
    .selectFrom('events as e')
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
      // Code hosts name people who have no account here too.
      sql<string[]>`CASE WHEN e.kind <> 'pull_request_review_requested' THEN '{}'
        WHEN e.data->'names' IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(e.data->'names'))
        ELSE ARRAY(SELECT name FROM users WHERE id = ${idsIn('userIds')}
          UNION ALL SELECT name FROM teams WHERE id = ${idsIn('teamIds')}) END`.as('names'),
    ])
    .where('e.subject_id', '=', pullRequestId)
    .where('e.number', '>', String(lastEvent - MAX_LOOKED_AT))
    .where('e.kind', '=', sql<string>`ANY(${kinds}::text[])`)
    .orderBy('e.number')
    .execute();
}

export type TimelineRow = Awaited<ReturnType<typeof selectTimeline>>[number];
