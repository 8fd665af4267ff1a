/** Queries for the plans, people and comments that deliveries describe. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

const COMMENT_CHARACTERS = 2000;

export interface NotifiedPlan {
  seriesId: string;
  title: string;
  status: string;
}

/** The beginning of a comment and its author. */
export interface NotifiedComment {
  body: string;
  bodyTruncated: boolean;
  author: { id: string; name: string };
}

export async function selectEventPlans(db: Db, planIds: string[]): Promise<Map<string, NotifiedPlan>> {
  const rows = await db
    .selectFrom('plans')
    .select(['id', 'series_id', 'title', 'status'])
    .where('id', '=', sql<string>`ANY(${planIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { seriesId: row.series_id, title: row.title, status: row.status }]),
  );
}

export async function selectEventNames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`ANY(${userIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function selectEventComments(
  db: Db,
  commentIds: string[],
): Promise<Map<string, NotifiedComment>> {
  if (commentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select([
      'c.id',
      sql<string>`left(c.body, ${COMMENT_CHARACTERS}::integer)`.as('body'),
      sql<boolean>`char_length(c.body) > ${COMMENT_CHARACTERS}`.as('truncated'),
      'u.id as author_id',
      'u.name as author_name',
    ])
    .where('c.id', '=', sql<string>`ANY(${commentIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        body: row.body,
        bodyTruncated: row.truncated,
        author: { id: row.author_id, name: row.author_name },
      },
    ]),
  );
}
