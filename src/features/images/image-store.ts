/** Queries for images. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { ImageType } from './contract.ts';

export interface NewImage {
  id: string;
  organizationId: string;
  pullRequestId: string | null;
  planId: string | null;
  userId: string;
  mediaType: ImageType;
  content: Buffer;
  at: Date;
}

export async function insertImage(db: Db, image: NewImage): Promise<void> {
  await db
    .insertInto('images')
    .values({
      id: image.id,
      organization_id: image.organizationId,
      pull_request_id: image.pullRequestId,
      plan_id: image.planId,
      user_id: image.userId,
      media_type: image.mediaType,
      content: image.content,
      size: image.content.length,
      created_at: image.at,
      used_at: image.at,
    })
    .execute();
}

/** So that uploads of an organization are counted one after the other. */
export async function lockImages(db: Db, organizationId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('images:' || ${organizationId}, 0))`.execute(db);
}

/** How many bytes the organization has. */
export async function sumImageBytes(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(row.bytes);
}

export async function countImages(
  db: Db,
  of: { pullRequestId: string | null; planId: string | null },
): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select(sql<number>`count(*)::int`.as('count'))
    .$if(of.pullRequestId !== null, (query) => query.where('pull_request_id', '=', of.pullRequestId))
    .$if(of.planId !== null, (query) => query.where('plan_id', '=', of.planId))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Where it belongs: whether the caller may see it is decided there. */
export function selectImagePlace(db: Db, organizationId: string, imageId: string) {
  return db
    .selectFrom('images as i')
    .leftJoin('plans as plan', 'plan.id', 'i.plan_id')
    .select(['i.pull_request_id', 'plan.status as plan_status'])
    .where('i.organization_id', '=', organizationId)
    .where('i.id', '=', imageId)
    .executeTakeFirst();
}

export function selectImage(db: Db, imageId: string) {
  return db
    .selectFrom('images')
    .select(['media_type', 'content'])
    .where('id', '=', imageId)
    .executeTakeFirst();
}

/** Plans are seen by everyone in the organization. */
export async function selectPlanId(
  db: Db,
  organizationId: string,
  seriesId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('plans')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('series_id', '=', seriesId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Looks for texts that show images, of those that weren't looked for since then. Comments, also pending and earlier ones, notes of reviews,
 * and descriptions are texts. Deletes what no text shows; returns how many were looked at.
 */
export async function deleteUnusedImages(
  db: Db,
  { before, limit, now }: { before: Date; limit: number; now: Date },
): Promise<number> {
  const shows = (text: string) => sql`strpos(lower(${sql.ref(text)}), i.id::text) > 0 LIMIT 1`;
  const { rows } = await sql<{ looked: number }>`
    WITH due AS MATERIALIZED (
      SELECT id, pull_request_id, plan_id FROM images WHERE used_at < ${before}
      ORDER BY used_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), used AS MATERIALIZED (
      SELECT i.id FROM due i CROSS JOIN LATERAL (
        (SELECT FROM pull_request_comments c
          WHERE c.pull_request_id = i.pull_request_id AND c.discussion_id IS NULL AND ${shows('c.body')})
        UNION ALL (SELECT FROM pull_request_comments c JOIN comment_edits e ON e.comment_id = c.id
          WHERE c.pull_request_id = i.pull_request_id AND c.discussion_id IS NULL AND ${shows('e.body')})
        UNION ALL (SELECT FROM discussions d JOIN pull_request_comments c ON c.discussion_id = d.id
          WHERE d.pull_request_id = i.pull_request_id AND ${shows('c.body')})
        UNION ALL (SELECT FROM discussions d JOIN pull_request_comments c ON c.discussion_id = d.id
          JOIN comment_edits e ON e.comment_id = c.id
          WHERE d.pull_request_id = i.pull_request_id AND ${shows('e.body')})
        UNION ALL (SELECT FROM pending_comments n WHERE n.pull_request_id = i.pull_request_id AND ${shows('n.body')})
        UNION ALL (SELECT FROM pull_request_verdicts v WHERE v.pull_request_id = i.pull_request_id AND ${shows('v.note')})
        UNION ALL (SELECT FROM pull_requests p WHERE p.id = i.pull_request_id AND ${shows('p.description')})
        UNION ALL (SELECT FROM plan_comments c WHERE c.plan_id = i.plan_id AND ${shows('c.body')})
        UNION ALL (SELECT FROM plan_versions v WHERE v.plan_id = i.plan_id AND ${shows('v.content')})
        LIMIT 1) AS shown
    ), kept AS (
      UPDATE images SET used_at = ${now} WHERE id IN (SELECT id FROM used)
    ), deleted AS (
      DELETE FROM images WHERE id IN (SELECT id FROM due EXCEPT SELECT id FROM used)
    )
    SELECT count(*)::int AS looked FROM due`.execute(db);
  return rows[0]!.looked;
}
