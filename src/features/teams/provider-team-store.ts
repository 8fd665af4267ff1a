/** Queries that keep teams in step with the groups of single sign-on. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { Owner } from '../memberships/index.ts';

/** A person is in the teams of these groups, and in no other team that follows a group. */
export async function syncProviderTeams(db: Db, person: Owner, groups: string[], at: Date): Promise<void> {
  await sql`DELETE FROM team_members tm USING teams t
    WHERE t.id = tm.team_id AND t.provider_group IS NOT NULL AND NOT t.provider_group = ANY(${groups}::text[])
      AND tm.organization_id = ${person.organizationId} AND tm.user_id = ${person.userId}`.execute(db);
  await sql`INSERT INTO team_members (team_id, organization_id, user_id, added_at)
    SELECT t.id, t.organization_id, ${person.userId}, ${at} FROM teams t
    WHERE t.organization_id = ${person.organizationId} AND t.provider_group = ANY(${groups}::text[])
    ON CONFLICT (team_id, user_id) DO NOTHING`.execute(db);
}

/** The team has exactly those people whom the provider named for its group when they were last confirmed. */
export async function fillProviderTeam(
  db: Db,
  team: { id: string; organizationId: string; group: string },
  at: Date,
): Promise<void> {
  await sql`DELETE FROM team_members tm WHERE tm.team_id = ${team.id}
    AND NOT EXISTS (SELECT FROM single_sign_on_identities i WHERE i.organization_id = tm.organization_id
      AND i.user_id = tm.user_id AND ${team.group} = ANY(i.groups))`.execute(db);
  await sql`INSERT INTO team_members (team_id, organization_id, user_id, added_at)
    SELECT ${team.id}, i.organization_id, i.user_id, ${at} FROM single_sign_on_identities i
    WHERE i.organization_id = ${team.organizationId} AND ${team.group} = ANY(i.groups)
    ON CONFLICT (team_id, user_id) DO NOTHING`.execute(db);
}

/** Whether the organization has set up single sign-on. */
export async function hasProvider(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('single_sign_on')
    .select('organization_id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row !== undefined;
}
