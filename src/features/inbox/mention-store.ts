/** Queries for texts that can mention people, and for who was mentioned in them already. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { deleteInBatches } from '../../platform/db/index.ts';
import { visibleTo } from '../repositories/index.ts';

export interface WrittenText {
  id: string;
  body: string;
}

/** By people and agents: reviewers and bots quote what others wrote, and a code host notifies those whom texts there mention. */
const HERE = sql<boolean>`author_kind IN ('person', 'agent')`;

export async function selectCommentTexts(db: Db, ids: string[]): Promise<WrittenText[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<WrittenText>`
    SELECT id, body FROM pull_request_comments
      WHERE id = ANY(${ids}::uuid[]) AND ${HERE} AND NOT (host_comment_id IS NOT NULL AND sending = 'none')
    UNION ALL SELECT id, note FROM pull_request_verdicts
      WHERE id = ANY(${ids}::uuid[]) AND note IS NOT NULL AND NOT (host_review_id IS NOT NULL AND sending = 'none')
    UNION ALL SELECT id, body FROM plan_comments WHERE id = ANY(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Without those of code hosts, which notify people themselves, and those that a review wrote. */
export async function selectDescriptions(db: Db, pullRequestIds: string[]): Promise<WrittenText[]> {
  if (pullRequestIds.length === 0) return [];
  return db
    .selectFrom('pull_requests')
    .select(['id', 'description as body'])
    .where('id', '=', sql<string>`ANY(${pullRequestIds}::uuid[])`)
    .where('origin', '=', 'git')
    .where(HERE)
    .where(sql<boolean>`description IS DISTINCT FROM generated_description`)
    .execute();
}

export async function selectVersionTexts(db: Db, versionIds: string[]): Promise<WrittenText[]> {
  if (versionIds.length === 0) return [];
  return db
    .selectFrom('plan_versions')
    .select(['id', 'content as body'])
    .where('id', '=', sql<string>`ANY(${versionIds}::uuid[])`)
    .execute();
}

/** Those who were not mentioned in these texts before. */
export async function insertMentions(
  db: Db,
  mentions: { sourceId: string; userId: string; organizationId: string }[],
  at: Date,
): Promise<{ source_id: string; user_id: string }[]> {
  if (mentions.length === 0) return [];
  const { rows } = await sql<{ source_id: string; user_id: string }>`
    INSERT INTO mentions (source_id, user_id, organization_id, mentioned_at)
    SELECT DISTINCT source_id, user_id, organization_id, ${at}::timestamptz
    FROM unnest(${mentions.map(({ sourceId }) => sourceId)}::uuid[], ${mentions.map(({ userId }) => userId)}::uuid[],
      ${mentions.map(({ organizationId }) => organizationId)}::uuid[]) AS m (source_id, user_id, organization_id)
    ORDER BY source_id, user_id
    ON CONFLICT (source_id, user_id) DO NOTHING RETURNING source_id, user_id`.execute(db);
  return rows;
}

export function deleteOldMentions(db: Db, before: Date): Promise<void> {
  return deleteInBatches(
    db,
    (limit) => sql`DELETE FROM mentions WHERE (source_id, user_id) IN (
      SELECT source_id, user_id FROM mentions WHERE mentioned_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}

/** As `pullRequestId userId`: who can see the repository. */
export async function selectReaders(
  db: Db,
  pairs: { pullRequestId: string; userId: string }[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await sql<{ pair: string }>`
    SELECT DISTINCT p.id || ' ' || person.user_id AS pair
    FROM unnest(${pairs.map((pair) => pair.pullRequestId)}::uuid[], ${pairs.map((pair) => pair.userId)}::uuid[])
      AS person (pull_request_id, user_id)
    JOIN pull_requests p ON p.id = person.pull_request_id
    JOIN repositories r ON r.id = p.repository_id
    WHERE ${visibleTo(sql`person.user_id`)}`.execute(db);
  return new Set(rows.map(({ pair }) => pair));
}
