/** Queries for pull requests that people may watch, and for who gets to know of one. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { visibleTo } from '../repositories/index.ts';

export interface DuePullRequest {
  id: string;
  organizationId: string;
  repositoryId: string;
  head: string;
  /** Null if the branches share no history. */
  mergeBase: string | null;
  /** Those that are older than the head, and than the time when the pull request was opened or became ready. */
  watches: { id: string; paths: string[] }[];
}

/**
 * Open ones with a head that was not compared yet. Owners are read and asked before, so that whoever is asked for a review is not told twice;
 * reading them leaves out repositories that nobody watches.
 */
export async function selectDue(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<DuePullRequest[]> {
  const { rows } = await sql<DuePullRequest>`
    SELECT p.id, p.organization_id AS "organizationId", p.repository_id AS "repositoryId", p.head_commit AS head,
      p.merge_base AS "mergeBase", coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', w.id, 'paths', w.paths)) FROM watches w
        WHERE w.repository_id = p.repository_id AND w.since <= greatest(p.reviewers_asked_at, (
          SELECT seen_at FROM pull_request_heads h WHERE h.pull_request_id = p.id AND h.position = p.head_count))), '[]') AS watches
    FROM pull_requests p
    WHERE p.state = 'open' AND p.owners_head = p.head_commit AND p.watched_head IS DISTINCT FROM p.head_commit
      AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
    ORDER BY p.id LIMIT ${limit}`.execute(db);
  return rows;
}

export interface Recipient {
  userId: string;
  /** Otherwise a team of theirs watches. */
  isOwn: boolean;
}

/**
 * Active members who can see the repository, other than the author: not those who muted the pull request, who are asked for a review, or
 * whose inbox has something about it already.
 */
export async function selectRecipients(
  db: Db,
  pullRequestId: string,
  watchIds: string[],
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    SELECT person.user_id AS "userId", bool_or(person.is_own) AS "isOwn"
    FROM pull_requests p JOIN repositories r ON r.id = p.repository_id
    LEFT JOIN host_accounts author ON author.id = p.author_account_id
    CROSS JOIN LATERAL (
      SELECT w.user_id, true AS is_own FROM watches w WHERE w.id = ANY(${watchIds}::uuid[]) AND w.user_id IS NOT NULL
      UNION ALL SELECT tm.user_id, false FROM watches w JOIN team_members tm ON tm.team_id = w.team_id
        WHERE w.id = ANY(${watchIds}::uuid[])) AS person
    JOIN memberships m ON m.organization_id = p.organization_id AND m.user_id = person.user_id AND m.deactivated_at IS NULL
    WHERE p.id = ${pullRequestId}
      AND person.user_id IS DISTINCT FROM coalesce(p.author_user_id, author.user_id)
      AND ${visibleTo(sql`person.user_id`)}
      AND NOT EXISTS (SELECT FROM pull_request_mutes q WHERE q.user_id = person.user_id AND q.pull_request_id = p.id)
      AND NOT EXISTS (SELECT FROM inbox_items i WHERE i.user_id = person.user_id AND i.subject_id = p.id)
      AND NOT EXISTS (SELECT FROM pull_request_review_requests q LEFT JOIN host_accounts b ON b.id = q.account_id
        WHERE q.pull_request_id = p.id AND (coalesce(q.user_id, b.user_id) = person.user_id
          OR EXISTS (SELECT FROM team_members asked WHERE asked.team_id = q.team_id AND asked.user_id = person.user_id)))
    GROUP BY person.user_id ORDER BY person.user_id`.execute(db);
  return rows;
}

/** The newest event that an inbox item can be about; undefined if it was imported, or its events were deleted. */
export async function selectNewestEvent(db: Db, pullRequestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('number')
    .where('subject_id', '=', pullRequestId)
    .where('kind', 'in', ['pull_request_opened', 'pull_request_state_changed', 'pull_request_pushed'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.number;
}
