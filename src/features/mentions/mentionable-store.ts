/** Queries for people and teams whose names complete what someone types. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleTo } from '../repositories/index.ts';

export interface MentionableRow {
  id: string;
  name: string;
  handle: string;
}

interface Search {
  /** In lower case. */
  query: string;
  /** Only those who can see it. */
  repositoryId: string | null;
  limit: number;
}

/**
 * Active members other than the reader: the handle is what stands before the at sign of their address, or all of it where that is the name of
 * someone else or of a team too.
 */
export async function selectMentionablePeople(
  db: Db,
  reader: Reader,
  { limit, query, repositoryId }: Search,
): Promise<MentionableRow[]> {
  const visible =
    repositoryId === null
      ? sql`true`
      : sql`EXISTS (SELECT FROM repositories r WHERE r.id = ${repositoryId} AND ${visibleTo(sql`person.id`)})`;
  const { rows } = await sql<MentionableRow>`
    WITH members AS (SELECT u.id, u.name, u.email, split_part(u.email, '@', 1) AS local
      FROM memberships s CROSS JOIN LATERAL (SELECT id, name, email FROM users WHERE id = s.user_id OFFSET 0) AS u
      WHERE s.organization_id = ${reader.organizationId} AND s.deactivated_at IS NULL),
    clear AS (SELECT local FROM members GROUP BY local HAVING count(*) = 1
      EXCEPT SELECT folded_name FROM teams WHERE organization_id = ${reader.organizationId})
    SELECT person.id, person.name, CASE WHEN person.local IN (SELECT local FROM clear) THEN person.local ELSE person.email END AS handle
    FROM members person
    WHERE person.id <> ${reader.userId}
      AND (starts_with(person.email, ${query}) OR position(' ' || ${query} IN ' ' || lower(person.name)) > 0)
      AND ${visible}
    ORDER BY starts_with(person.email, ${query}) DESC, person.name, person.id LIMIT ${limit}`.execute(db);
  return rows;
}

export function selectMentionableTeams(
  db: Db,
  { organizationId }: Reader,
  { limit, query }: Search,
): Promise<MentionableRow[]> {
  return db
    .selectFrom('teams')
    .select(['id', 'name', 'name as handle'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`starts_with(folded_name, ${query})`)
    .orderBy('folded_name')
    .limit(limit)
    .execute();
}
