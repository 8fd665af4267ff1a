/** Queries that keep teams in step with teams and groups of code hosts. All deciding times are PostgreSQL's. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

/** Memberships change rarely, and most hosts say so by a webhook. */
const EVERY_SECONDS = 60 * 60;

export async function startFollowing(
  db: Db,
  teamId: string,
  { codeHostId, path }: { codeHostId: string; path: string },
): Promise<void> {
  await db
    .updateTable('teams')
    .set({
      provider_group: null,
      ...{ code_host_id: codeHostId, host_team: path },
      ...{ host_synced_at: null, host_problem: null, host_unlinked: [] },
    })
    .where('id', '=', teamId)
    .execute();
}

/** Those that were never read first. */
export async function selectHostTeamsDue(
  db: Db,
  codeHostId: string,
  limit: number,
): Promise<{ id: string; organization_id: string; host_team: string; asked_at: Date }[]> {
  const { rows } = await sql<{ id: string; organization_id: string; host_team: string; asked_at: Date }>`
    SELECT t.id, t.organization_id, t.host_team, clock_timestamp() AS asked_at
    FROM teams t JOIN code_hosts h ON h.id = t.code_host_id
    WHERE t.code_host_id = ${codeHostId} AND (t.host_synced_at IS NULL OR h.access_asked_at > t.host_synced_at
      OR t.host_synced_at <= clock_timestamp() - make_interval(secs => ${EVERY_SECONDS}))
    ORDER BY t.host_synced_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

/** It has exactly these members of the organization. Nothing if it follows another team meanwhile. */
export async function fillHostTeam(
  db: Db,
  { askedAt, id, path }: { id: string; path: string; askedAt: Date },
  { unlinked, userIds }: { userIds: string[]; unlinked: string[] },
): Promise<void> {
  const { rows } =
    await sql`UPDATE teams SET host_synced_at = ${askedAt}, host_problem = NULL, host_unlinked = ${unlinked}
    WHERE id = ${id} AND host_team = ${path} AND code_host_id IS NOT NULL RETURNING id`.execute(db);
  if (rows.length === 0) return;
  await sql`DELETE FROM team_members WHERE team_id = ${id} AND user_id <> ALL(${userIds}::uuid[])`.execute(
    db,
  );
  await sql`INSERT INTO team_members (team_id, organization_id, user_id, added_at)
    SELECT t.id, t.organization_id, m.user_id, clock_timestamp() FROM teams t
      JOIN memberships m ON m.organization_id = t.organization_id AND m.user_id = ANY(${userIds}::uuid[])
    WHERE t.id = ${id} ON CONFLICT (team_id, user_id) DO NOTHING`.execute(db);
}

/** `isGone`: it has nobody, because nobody can be confirmed any more. Nothing if it follows another team meanwhile. */
export async function writeHostTeamProblem(
  db: Db,
  { askedAt, id, path }: { id: string; path: string; askedAt: Date },
  { isGone, problem }: { problem: string; isGone: boolean },
): Promise<void> {
  const { rows } = await sql`UPDATE teams SET host_synced_at = ${askedAt}, host_problem = ${problem}
    WHERE id = ${id} AND host_team = ${path} AND code_host_id IS NOT NULL RETURNING id`.execute(db);
  if (isGone && rows.length > 0) await sql`DELETE FROM team_members WHERE team_id = ${id}`.execute(db);
}

/** An account was linked or unlinked: its teams are read again. Whoever lost theirs is in none until then. */
export async function readHostTeamsAgain(
  db: Db,
  codeHostId: string,
  unlinkedUserId: string | null,
): Promise<void> {
  await sql`UPDATE teams SET host_synced_at = NULL WHERE code_host_id = ${codeHostId}`.execute(db);
  if (unlinkedUserId !== null)
    await sql`DELETE FROM team_members m USING teams t WHERE t.id = m.team_id AND t.code_host_id = ${codeHostId}
      AND m.user_id = ${unlinkedUserId}`.execute(db);
}

/** Teams here that follow these teams of a host, by the path there in lower case. */
export async function selectFollowers(
  db: Db,
  codeHostId: string,
  paths: string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ id: string; path: string }>`
    SELECT DISTINCT ON (lower(host_team)) id, lower(host_team) AS path FROM teams
    WHERE code_host_id = ${codeHostId} AND lower(host_team) = ANY(${paths.map((path) => path.toLowerCase())}::text[])
    ORDER BY lower(host_team), created_at, id`.execute(db);
  return new Map(rows.map(({ id, path }) => [path, id]));
}
