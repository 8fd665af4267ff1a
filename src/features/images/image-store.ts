/** Queries for images. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';
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

/**
 * If a text that the reader can read shows it, or if no text has shown it yet and it is the reader's own. Its address can be
 * written into any text, also by somebody who can't see it: the pull request that it was uploaded for must be one of the reader's too.
 */
export async function selectImage(
  db: Db,
  reader: Reader,
  imageId: string,
): Promise<{ media_type: ImageType; content: Buffer } | undefined> {
  const { organizationId, userId } = reader;
  const { rows } = await sql<{ media_type: ImageType; content: Buffer }>`
    SELECT i.media_type, i.content FROM images i
    WHERE i.organization_id = ${organizationId} AND i.id = ${imageId} AND NOT EXISTS (
      SELECT FROM pull_requests h WHERE h.id = i.pull_request_id
        AND NOT EXISTS (${visibleRepositories(db, reader).whereRef('r.id', '=', sql.ref('h.repository_id')).select('r.id')})
    ) AND (
      (NOT i.was_shown AND i.user_id = ${userId})
      OR EXISTS (SELECT FROM image_uses u JOIN plans p ON p.id = u.plan_id
        WHERE u.image_id = i.id AND p.status <> 'deleted')
      OR EXISTS (SELECT FROM image_uses u JOIN pull_requests p ON p.id = u.pull_request_id
        JOIN (${visibleRepositories(db, reader).select('r.id')}) AS r ON r.id = p.repository_id
        LEFT JOIN pending_comments n ON n.id = u.source_id
        WHERE u.image_id = i.id AND (u.kind <> 'pending_comments' OR n.user_id = ${userId})))`.execute(db);
  return rows[0];
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

/** Those that weren't looked at since then. A text that is about to show one of them waits until it is kept or deleted. */
export async function lockImagesToLookAt(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('used_at', '<', before)
    .orderBy('used_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

/** In a statement after the one that locks them, so that it sees the texts that were written before. */
export async function deleteUnusedImages(db: Db, imageIds: string[], now: Date): Promise<void> {
  const isUsed = sql`EXISTS (SELECT FROM image_uses u WHERE u.image_id = i.id)`;
  await sql`
    WITH kept AS (UPDATE images i SET used_at = ${now} WHERE id = ANY(${imageIds}::uuid[]) AND ${isUsed})
    DELETE FROM images i WHERE id = ANY(${imageIds}::uuid[]) AND NOT ${isUsed}`.execute(db);
}
