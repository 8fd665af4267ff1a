/** Queries for the people who are involved in a pull request. Accounts of code hosts count as the members they are linked to. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { visibleTo } from '../repositories/index.ts';

/** Only the authors of this many recent comments count as participants. */
const RECENT = 200;

/** For each pull request: who opened it, who reviewed it or was asked to, and the owners of its organization. */
export async function selectPullRequestPeople(
  db: Db,
  ids: string[],
): Promise<Map<string, { authorId: string | null; reviewerIds: string[]; ownerIds: string[] }>> {
  const { rows } = await sql<{
    id: string;
    author_id: string | null;
    reviewer_ids: string[];
    owner_ids: string[];
  }>`
    SELECT p.id, coalesce(p.author_user_id, a.user_id) AS author_id,
      ARRAY(
        SELECT coalesce(q.user_id, b.user_id) FROM pull_request_review_requests q
          LEFT JOIN host_accounts b ON b.id = q.account_id
          WHERE q.pull_request_id = p.id AND coalesce(q.user_id, b.user_id) IS NOT NULL
        UNION SELECT coalesce(v.user_id, b.user_id) FROM pull_request_verdicts v
          LEFT JOIN host_accounts b ON b.id = v.account_id
          WHERE v.pull_request_id = p.id AND coalesce(v.user_id, b.user_id) IS NOT NULL) AS reviewer_ids,
      ARRAY(SELECT m.user_id FROM memberships m
        WHERE m.organization_id = p.organization_id AND m.role = 'owner' AND m.deactivated_at IS NULL) AS owner_ids
    FROM pull_requests p LEFT JOIN host_accounts a ON a.id = p.author_account_id
    WHERE p.id = ANY(${ids}::uuid[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      { authorId: row.author_id, reviewerIds: row.reviewer_ids, ownerIds: row.owner_ids },
    ]),
  );
}

/** For each comment: who recently wrote before it in its discussion or, without one, in the general conversation. */
export async function selectCommentThreads(db: Db, commentIds: string[]): Promise<Map<string, string[]>> {
  if (commentIds.length === 0) return new Map();
  const earlier = (condition: ReturnType<typeof sql>) => sql`
    SELECT b.author_user_id, b.author_account_id FROM pull_request_comments b
    WHERE ${condition} AND (b.created_at, b.id) < (c.created_at, c.id)
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${sql.lit(RECENT)}`;
  const { rows } = await sql<{ id: string; author_ids: string[] }>`
    SELECT c.id, ARRAY(
      SELECT DISTINCT coalesce(e.author_user_id, a.user_id)
      FROM ((${earlier(sql`c.discussion_id IS NOT NULL AND b.discussion_id = c.discussion_id`)})
        UNION ALL (${earlier(
          sql`c.discussion_id IS NULL AND b.discussion_id IS NULL AND b.pull_request_id = c.pull_request_id`,
        )})) AS e
      LEFT JOIN host_accounts a ON a.id = e.author_account_id
      WHERE coalesce(e.author_user_id, a.user_id) IS NOT NULL) AS author_ids
    FROM pull_request_comments c WHERE c.id = ANY(${commentIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.author_ids]));
}

/** The people who can see the repository of the pull request, and whether they muted it, by `pullRequestId userId`. */
export async function selectPeopleWithAccess(
  db: Db,
  pairs: { pullRequestId: string; userId: string }[],
): Promise<Map<string, { muted: boolean }>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await sql<{ pair: string; muted: boolean }>`
    SELECT DISTINCT p.id || ' ' || person.user_id AS pair, EXISTS (SELECT FROM pull_request_mutes m
      WHERE m.user_id = person.user_id AND m.pull_request_id = p.id) AS muted
    FROM unnest(${pairs.map((pair) => pair.pullRequestId)}::uuid[], ${pairs.map((pair) => pair.userId)}::uuid[])
      AS person (pull_request_id, user_id)
    JOIN pull_requests p ON p.id = person.pull_request_id
    JOIN repositories r ON r.id = p.repository_id
    WHERE ${visibleTo(sql`person.user_id`)}`.execute(db);
  return new Map(rows.map(({ muted, pair }) => [pair, { muted }]));
}
