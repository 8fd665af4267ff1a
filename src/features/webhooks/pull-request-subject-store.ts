/** Queries for the pull requests and comments that deliveries describe. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { authorMember, authorName } from '../pull-requests/index.ts';
import type { NotifiedComment } from './event-subject-store.ts';

const COMMENT_CHARACTERS = 2000;

export interface NotifiedPullRequest {
  id: string;
  number: number;
  /** The full name of its repository. */
  repository: string;
  title: string;
  state: string;
}

export async function selectEventPullRequests(
  db: Db,
  ids: string[],
): Promise<Map<string, NotifiedPullRequest>> {
  const rows = await db
    .selectFrom('pull_requests as p')
    .innerJoin('repositories as r', 'r.id', 'p.repository_id')
    .select(['p.id', 'p.number', 'r.name as repository', 'p.title', 'p.state'])
    .where('p.id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The repository of each pull request, and whether every member can see it. */
export async function selectEventRepositories(
  db: Db,
  ids: string[],
): Promise<Map<string, { repositoryId: string; isOpen: boolean }>> {
  const rows = await db
    .selectFrom('pull_requests as p')
    .innerJoin('repositories as r', 'r.id', 'p.repository_id')
    .select(['p.id', 'r.id as repository_id', 'r.visibility'])
    .where('p.id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { repositoryId: row.repository_id, isOpen: row.visibility === 'organization' },
    ]),
  );
}

/** Comments of people who are no members have the name that the code host shows. */
export async function selectPullRequestComments(
  db: Db,
  commentIds: string[],
): Promise<Map<string, Omit<NotifiedComment, 'author'> & { author: { id: string | null; name: string } }>> {
  if (commentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('pull_request_comments as c')
    .leftJoin('host_accounts as a', 'a.id', 'c.author_account_id')
    .leftJoin('users as u', (join) => join.on('u.id', '=', authorMember('c')))
    .select([
      'c.id',
      sql<string>`left(c.body, ${COMMENT_CHARACTERS}::integer)`.as('body'),
      sql<boolean>`char_length(c.body) > ${COMMENT_CHARACTERS}`.as('truncated'),
      'u.id as author_id',
      authorName('c').as('author_name'),
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

/** Who is asked for a review now: teams, members and accounts of the code host. */
export async function selectRequestedNames(db: Db, ids: string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; names: string[] }>`
    SELECT q.pull_request_id AS id, array_agg(coalesce(t.name, u.name, q.name) ORDER BY t.name, u.name, q.name) AS names
    FROM pull_request_review_requests q
    LEFT JOIN teams t ON t.id = q.team_id LEFT JOIN host_accounts a ON a.id = q.account_id
    LEFT JOIN users u ON u.id = coalesce(q.user_id, a.user_id)
    WHERE q.pull_request_id = ANY(${ids}::uuid[]) GROUP BY q.pull_request_id`.execute(db);
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/** The name of whoever opened each, as a list of one. */
export async function selectAuthors(db: Db, ids: string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT p.id, coalesce(u.name, p.author_name) AS name FROM pull_requests p
    LEFT JOIN host_accounts a ON a.id = p.author_account_id
    LEFT JOIN users u ON u.id = coalesce(p.author_user_id, a.user_id)
    WHERE p.id = ANY(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, [name]]));
}

export async function selectNamesOfTeams(db: Db, teamIds: string[]): Promise<Map<string, string>> {
  if (teamIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`ANY(${teamIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
