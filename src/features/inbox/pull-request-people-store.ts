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
): Promise<
  Map<
    string,
    {
      authorId: string | null;
      reviewerIds: string[];
      ownerIds: string[];
      requestedIds: string[];
      requestedTeamMemberIds: string[];
      isDraft: boolean;
    }
  >
> {
  const { rows } = await sql<{
    id: string;
    author_id: string | null;
    reviewer_ids: string[];
    owner_ids: string[];
    requested_ids: string[];
    requested_team_member_ids: string[];
    is_draft: boolean;
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
        WHERE m.organization_id = p.organization_id AND m.role = 'owner' AND m.deactivated_at IS NULL) AS owner_ids,
      ARRAY(SELECT coalesce(q.user_id, b.user_id) FROM pull_request_review_requests q
        LEFT JOIN host_accounts b ON b.id = q.account_id
        WHERE q.pull_request_id = p.id AND coalesce(q.user_id, b.user_id) IS NOT NULL) AS requested_ids,
      ARRAY(SELECT tm.user_id FROM pull_request_review_requests q JOIN team_members tm ON tm.team_id = q.team_id
        WHERE q.pull_request_id = p.id) AS requested_team_member_ids,
      p.state = 'draft' AS is_draft
    FROM pull_requests p LEFT JOIN host_accounts a ON a.id = p.author_account_id
    WHERE p.id = ANY(${ids}::uuid[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...{ authorId: row.author_id, reviewerIds: row.reviewer_ids, ownerIds: row.owner_ids },
        ...{ requestedIds: row.requested_ids, requestedTeamMemberIds: row.requested_team_member_ids },
        ...{ isDraft: row.is_draft },
      },
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

/** The members who opened the pull requests, by the ID of the discussion; only where a secret was found. */
export async function selectAuthorsOfSecrets(db: Db, discussionIds: string[]): Promise<Map<string, string>> {
  if (discussionIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; user_id: string }>`
    SELECT DISTINCT d.id, coalesce(p.author_user_id, a.user_id) AS user_id
    FROM review_candidates f JOIN discussions d ON d.id = f.discussion_id
      JOIN pull_requests p ON p.id = d.pull_request_id
      LEFT JOIN host_accounts a ON a.id = p.author_account_id
    WHERE f.discussion_id = ANY(${discussionIds}::uuid[]) AND f.claim = 'secret'
      AND coalesce(p.author_user_id, a.user_id) IS NOT NULL`.execute(db);
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

export interface LaterEvent {
  isRequest: boolean;
  /** The state before, of a change of state. */
  from: string | null;
  userIds: string[];
  teamIds: string[];
}

/** The review requests and changes of state after each event, oldest first, by `subjectId number`. */
export async function selectLaterRequests(
  db: Db,
  events: { subjectId: string; number: string }[],
): Promise<Map<string, LaterEvent[]>> {
  if (events.length === 0) return new Map();
  const { rows } = await sql<LaterEvent & { key: string }>`
    SELECT g.id || ' ' || g.number AS key, e.kind = 'pull_request_review_requested' AS "isRequest", e.data->>'from' AS "from",
      coalesce(e.data->'userIds', '[]') AS "userIds", coalesce(e.data->'teamIds', '[]') AS "teamIds"
    FROM unnest(${events.map(({ subjectId }) => subjectId)}::uuid[], ${events.map(({ number }) => number)}::bigint[]) AS g (id, number)
    JOIN events e ON e.subject_id = g.id AND e.number > g.number
    WHERE e.kind IN ('pull_request_review_requested', 'pull_request_state_changed')
    ORDER BY e.subject_id, e.number`.execute(db);
  return Map.groupBy(rows, ({ key }) => key);
}
