/** Finds members by the names that mention them: `@ada`, `@ada@acme.com`. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

/**
 * Active members by name in lower case. A name is an email address, else what stands before the at sign of one, else the login of a linked
 * account on a code host. A name that means several people means nobody. Teams are looked up first, so a team keeps its name.
 */
export async function findPeopleByHandle(
  db: Db,
  organizationId: string,
  names: string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; user_ids: string[] }>`
    WITH asked AS (SELECT DISTINCT lower(name) AS name FROM unnest(${names}::text[]) AS asked (name)),
    members AS (SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND m.deactivated_at IS NULL),
    found AS (
      SELECT a.name, 1 AS rank, m.id FROM asked a JOIN members m ON m.email = a.name
      UNION SELECT a.name, 2, m.id FROM asked a JOIN members m ON split_part(m.email, '@', 1) = a.name
      UNION SELECT a.name, 3, m.id FROM asked a
        JOIN host_accounts h ON h.organization_id = ${organizationId} AND h.user_id IS NOT NULL AND lower(h.login) = a.name
        JOIN members m ON m.id = h.user_id)
    SELECT DISTINCT ON (name) name, array_agg(id) AS user_ids FROM found GROUP BY name, rank ORDER BY name, rank`.execute(
    db,
  );
  return new Map(rows.flatMap(({ name, user_ids }) => (user_ids.length === 1 ? [[name, user_ids[0]!]] : [])));
}
