/** Queries for one person's view of a pull request: viewed files, the head they last looked at, and whether they muted it. */
import { sql } from 'kysely';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';

type Person = Pick<Actor, 'organizationId' | 'userId'>;

/** The content that was viewed, by path. */
export async function selectViewedFiles(
  db: Db,
  { organizationId, userId }: Person,
  pullRequestId: string,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('pull_request_viewed_files')
    .select(['path', 'blob'])
    .where('user_id', '=', userId)
    .where('pull_request_id', '=', pullRequestId)
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map(({ blob, path }) => [path, blob]));
}

export async function writeViewedFile(
  db: Db,
  { organizationId, userId }: Person,
  { at, blob, path, pullRequestId }: { pullRequestId: string; path: string; blob: string; at: Date },
): Promise<void> {
  await db
    .insertInto('pull_request_viewed_files')
    .values({
      user_id: userId,
      pull_request_id: pullRequestId,
      path,
      organization_id: organizationId,
      blob,
      viewed_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'pull_request_id', 'path']).doUpdateSet({ blob, viewed_at: at }),
    )
    .execute();
}

export async function deleteViewedFile(
  db: Db,
  { organizationId, userId }: Person,
  { path, pullRequestId }: { pullRequestId: string; path: string },
): Promise<void> {
  await db
    .deleteFrom('pull_request_viewed_files')
    .where('user_id', '=', userId)
    .where('pull_request_id', '=', pullRequestId)
    .where('path', '=', path)
    .where('organization_id', '=', organizationId)
    .execute();
}

/** False when the pull request never had this head. */
export async function writeLastSeenHead(
  db: Db,
  { organizationId, userId }: Person,
  { at, head, pullRequestId }: { pullRequestId: string; head: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO pull_request_last_seen_heads (user_id, pull_request_id, organization_id, head_commit, seen_at)
    SELECT ${userId}::uuid, h.pull_request_id, h.organization_id, h.commit, ${at}::timestamptz FROM pull_request_heads h
      WHERE h.pull_request_id = ${pullRequestId} AND h.organization_id = ${organizationId} AND h.commit = ${head} LIMIT 1
    ON CONFLICT (user_id, pull_request_id) DO UPDATE SET head_commit = excluded.head_commit, seen_at = excluded.seen_at
    RETURNING head_commit`.execute(db);
  return rows.length > 0;
}

/** Muting it again has no effect. */
export async function insertMute(
  db: Db,
  { organizationId, userId }: Person,
  { at, pullRequestId }: { pullRequestId: string; at: Date },
): Promise<void> {
  await db
    .insertInto('pull_request_mutes')
    .values({
      user_id: userId,
      pull_request_id: pullRequestId,
      organization_id: organizationId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMute(
  db: Db,
  { organizationId, userId }: Person,
  pullRequestId: string,
): Promise<void> {
  await db
    .deleteFrom('pull_request_mutes')
    .where('user_id', '=', userId)
    .where('pull_request_id', '=', pullRequestId)
    .where('organization_id', '=', organizationId)
    .execute();
}
