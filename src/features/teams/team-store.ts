/** Queries for teams and their members. */
import { sql } from 'kysely';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Owner } from '../memberships/index.ts';
import { MAX_TEAM_MEMBERS, MAX_TEAMS } from './contract.ts';

const UNIQUE_VIOLATION = '23505';

export interface NewTeam {
  id: string;
  organizationId: string;
  name: string;
  group: string | null;
  at: Date;
}

/** False if the name is taken. */
export async function insertTeam(db: Db, team: NewTeam): Promise<boolean> {
  const result = await db
    .insertInto('teams')
    .values({
      id: team.id,
      organization_id: team.organizationId,
      name: team.name,
      provider_group: team.group,
      created_at: team.at,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'folded_name']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** False if the name is taken; the transaction can't go on then. */
export async function updateTeam(
  db: Db,
  teamId: string,
  set: { name: string; provider_group: string | null; code_host_id?: null },
): Promise<boolean> {
  try {
    await db.updateTable('teams').set(set).where('id', '=', teamId).execute();
    return true;
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

export async function deleteTeamRow(db: Db, teamId: string): Promise<void> {
  await db.deleteFrom('teams').where('id', '=', teamId).execute();
}

export async function countTeams(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('teams')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Locked until the end of the transaction. */
export function lockTeam(db: Db, organizationId: string, teamId: string) {
  return db
    .selectFrom('teams')
    .select(['id', 'name', 'provider_group', 'code_host_id', 'host_team'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .forUpdate()
    .executeTakeFirst();
}

/** Active members only. */
function teams(db: Db, reader: Owner) {
  return db
    .selectFrom('teams as t')
    .leftJoin('code_hosts as h', 'h.id', 't.code_host_id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('team_members as tm')
          .innerJoin('memberships as m', (join) =>
            join.onRef('m.organization_id', '=', 'tm.organization_id').onRef('m.user_id', '=', 'tm.user_id'),
          )
          .select([
            sql<number>`count(*)::int`.as('count'),
            sql<boolean>`coalesce(bool_or(tm.user_id = ${reader.userId}), false)`.as('is_member'),
          ])
          .whereRef('tm.team_id', '=', 't.id')
          .where('m.deactivated_at', 'is', null)
          .as('counted'),
      (join) => join.onTrue(),
    )
    .select(['t.id', 't.name', 't.provider_group', 't.created_at', 'counted.count', 'counted.is_member'])
    .select(['t.code_host_id', 't.host_team', 't.host_synced_at', 't.host_problem', 't.host_unlinked'])
    .select(sql<string | null>`coalesce(h.name, regexp_replace(h.url, '^https?://', ''))`.as('host_name'))
    .where('t.organization_id', '=', reader.organizationId);
}

export function selectTeams(db: Db, reader: Owner) {
  return teams(db, reader).orderBy('t.folded_name').limit(MAX_TEAMS).execute();
}

export type TeamRow = Awaited<ReturnType<typeof selectTeams>>[number];

export function selectTeam(db: Db, reader: Owner, teamId: string) {
  return teams(db, reader).where('t.id', '=', teamId).executeTakeFirst();
}

/** By name, deactivated ones too. */
export function selectTeamPeople(db: Db, team: { id: string; organizationId: string }) {
  return db
    .selectFrom('team_members as tm')
    .innerJoin('users as u', 'u.id', 'tm.user_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organization_id', '=', 'tm.organization_id').onRef('m.user_id', '=', 'tm.user_id'),
    )
    .select(['u.id', 'u.name', 'u.email', sql<boolean>`m.deactivated_at IS NULL`.as('active')])
    .where('tm.team_id', '=', team.id)
    .where('tm.organization_id', '=', team.organizationId)
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(MAX_TEAM_MEMBERS)
    .execute();
}

/** Open pull requests that wait for the team's review. */
export async function countReviewRequestsOf(db: Db, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('pull_request_review_requests as q')
    .innerJoin('pull_requests as p', 'p.id', 'q.pull_request_id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('q.team_id', '=', teamId)
    .where(sql<boolean>`p.state IN ('open', 'draft')`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Those that were not in it before. */
export async function insertTeamMembers(
  db: Db,
  team: { id: string; organizationId: string },
  userIds: string[],
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    INSERT INTO team_members (team_id, organization_id, user_id, added_at)
    SELECT ${team.id}, ${team.organizationId}, user_id, ${at} FROM unnest(${userIds}::uuid[]) AS added (user_id)
    ON CONFLICT (team_id, user_id) DO NOTHING RETURNING user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** Those that were in it. */
export async function deleteTeamMembers(db: Db, teamId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`DELETE FROM team_members
    WHERE team_id = ${teamId} AND user_id = ANY(${userIds}::uuid[]) RETURNING user_id`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

export async function countTeamMembers(db: Db, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('team_members')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The active members of each team. */
export async function membersOf(db: Db, teamIds: string[]): Promise<Map<string, string[]>> {
  if (teamIds.length === 0) return new Map();
  const { rows } = await sql<{ team_id: string; user_ids: string[] }>`
    SELECT tm.team_id, array_agg(tm.user_id ORDER BY tm.user_id) AS user_ids
    FROM team_members tm
    JOIN memberships m ON m.organization_id = tm.organization_id AND m.user_id = tm.user_id
    WHERE tm.team_id = ANY(${teamIds}::uuid[]) AND m.deactivated_at IS NULL
    GROUP BY tm.team_id`.execute(db);
  return new Map(rows.map(({ team_id, user_ids }) => [team_id, user_ids]));
}

/** By their names in lower case. */
export async function findTeamsByName(
  db: Db,
  organizationId: string,
  names: string[],
): Promise<Map<string, { id: string; name: string }>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'name', 'folded_name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`folded_name = ANY(${names.map((name) => name.toLowerCase())}::text[])`)
    .execute();
  return new Map(rows.map(({ folded_name, id, name }) => [folded_name, { id, name }]));
}

/** By ID; those of another organization are left out. */
export async function selectTeamNames(
  db: Db,
  organizationId: string,
  teamIds: string[],
): Promise<Map<string, string>> {
  if (teamIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = ANY(${teamIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
