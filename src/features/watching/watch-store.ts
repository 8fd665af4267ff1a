/** Queries for who watches which repository. */
import { sql } from 'kysely';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';
import { MAX_WATCHES } from './contract.ts';

/** A member or a team. */
export type Watcher = { userId: string; teamId: null } | { userId: null; teamId: string };

const isIn = (reader: Reader) => sql<boolean>`EXISTS (SELECT FROM team_members tm
  WHERE tm.team_id = w.team_id AND tm.user_id = ${reader.userId})`;

/** An array from subqueries: the planner assumes that it is short, and looks up the watches by ID. */
const isOwn = ({ organizationId, userId }: Reader) => sql<boolean>`w.id = ANY(ARRAY(
  SELECT id FROM watches WHERE organization_id = ${organizationId} AND user_id = ${userId}
  UNION ALL SELECT id FROM watches WHERE team_id = ANY(ARRAY(
    SELECT team_id FROM team_members WHERE organization_id = ${organizationId} AND user_id = ${userId}))))`;

/** That of the reader and those of all teams, by name. */
export function selectWatchesOf(db: Db, reader: Reader, repositoryId: string) {
  return db
    .selectFrom('watches as w')
    .leftJoin('teams as t', 't.id', 'w.team_id')
    .select(['w.team_id', 't.name', 'w.paths', 'w.since', isIn(reader).as('is_member')])
    .where('w.repository_id', '=', repositoryId)
    .where((where) => where.or([where('w.user_id', '=', reader.userId), where('w.team_id', 'is not', null)]))
    .orderBy('t.folded_name')
    .execute();
}

export type WatchRow = Awaited<ReturnType<typeof selectWatchesOf>>[number];

/** Those of the reader and of their teams, in repositories that the reader can see. */
export function selectOwnWatches(db: Db, reader: Reader) {
  return visibleRepositories(db, reader)
    .innerJoin('watches as w', 'w.repository_id', 'r.id')
    .leftJoin('teams as t', 't.id', 'w.team_id')
    .select(['r.id', 'r.name', 'w.team_id', 't.name as team_name', 'w.paths', 'w.since'])
    .where(isOwn(reader))
    .orderBy('r.folded_name')
    .orderBy('t.folded_name', (by) => by.asc().nullsFirst())
    .limit(MAX_WATCHES)
    .execute();
}

/** The same paths again change nothing. Returns whether anything changed. */
export async function upsertWatch(
  db: Db,
  watch: { organizationId: string; repositoryId: string; watcher: Watcher; paths: string[]; at: Date },
): Promise<boolean> {
  const { at, organizationId, paths, repositoryId, watcher } = watch;
  const column = watcher.teamId === null ? sql.ref('user_id') : sql.ref('team_id');
  const { rows } = await sql`
    INSERT INTO watches AS w (id, organization_id, repository_id, user_id, team_id, paths, since)
    VALUES (${uuidv7()}, ${organizationId}, ${repositoryId}, ${watcher.userId}, ${watcher.teamId}, ${paths}::text[], ${at})
    ON CONFLICT (repository_id, ${column}) WHERE ${column} IS NOT NULL
    DO UPDATE SET paths = excluded.paths, since = excluded.since WHERE w.paths <> excluded.paths
    RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Whether there was one. */
export async function deleteWatch(db: Db, repositoryId: string, watcher: Watcher): Promise<boolean> {
  const result = await db
    .deleteFrom('watches')
    .where('repository_id', '=', repositoryId)
    .$if(watcher.userId !== null, (query) => query.where('user_id', '=', watcher.userId!))
    .$if(watcher.teamId !== null, (query) => query.where('team_id', '=', watcher.teamId!))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
