/** Queries for what we have of a pull request of a code host, to compare it with the host. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export async function selectPullRequestId(
  db: Db,
  repositoryId: string,
  number: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id;
}

export function selectHead(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_requests as p')
    .leftJoin('pull_request_heads as h', (join) =>
      join.onRef('h.pull_request_id', '=', 'p.id').onRef('h.position', '=', 'p.head_count'),
    )
    .select([
      'p.state',
      'p.head_commit',
      'p.merge_base',
      'p.base_commit',
      'h.forced',
      'h.position',
      'h.seen_at',
    ])
    .where('p.id', '=', pullRequestId)
    .executeTakeFirst();
}

export function selectStoredDiscussions(db: Db, pullRequestId: string) {
  return db
    .selectFrom('discussions')
    .select([
      'id',
      'host_thread_id',
      'file',
      'side',
      'start_line',
      'end_line',
      'commit',
      'commented_code',
      'status',
      'status_cause',
      'host_resolved',
      'sending',
      'created_at',
    ])
    .where('pull_request_id', '=', pullRequestId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type StoredDiscussion = Awaited<ReturnType<typeof selectStoredDiscussions>>[number];

/** Oldest first, those of discussions and of the general conversation. */
export function selectStoredComments(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_comments as c')
    .leftJoin('users as u', 'u.id', 'c.author_user_id')
    .select(['c.id', 'c.discussion_id', 'c.host_comment_id', 'c.author_kind', 'c.body', 'c.sending', 'c.url'])
    .select('c.verdict_id')
    .select(sql<string>`coalesce(u.name, c.author_name)`.as('author_name'))
    .where('c.pull_request_id', '=', pullRequestId)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute();
}

/** The host's keys of the first comments of open findings. */
export async function selectOpenFindingComments(
  db: Db,
  repositoryId: string,
  number: number,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('pull_requests as p')
    .innerJoin('discussions as d', 'd.pull_request_id', 'p.id')
    .innerJoin('pull_request_comments as c', 'c.discussion_id', 'd.id')
    .select('c.host_comment_id')
    .where('p.repository_id', '=', repositoryId)
    .where('p.number', '=', number)
    .where('d.status', '=', 'open')
    .where('d.reviewer_id', 'is not', null)
    .where('c.author_kind', '=', 'reviewer')
    .execute();
  return new Set(rows.flatMap(({ host_comment_id }) => host_comment_id ?? []));
}

export type StoredComment = Awaited<ReturnType<typeof selectStoredComments>>[number];

export function selectStoredVerdicts(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_verdicts as v')
    .leftJoin('users as u', 'u.id', 'v.user_id')
    .select(['v.id', 'v.host_review_id', 'v.verdict', 'v.note', 'v.commit', 'v.dismissed_at', 'v.sending'])
    .select('v.user_id')
    .select(sql<string>`coalesce(u.name, v.name)`.as('author_name'))
    .where('v.pull_request_id', '=', pullRequestId)
    .orderBy('v.created_at')
    .orderBy('v.id')
    .execute();
}

export type StoredVerdict = Awaited<ReturnType<typeof selectStoredVerdicts>>[number];

export interface StoredState {
  /** The pull request's ID. */
  id: string;
  headCommit: string | null;
  discussions: StoredDiscussion[];
  comments: StoredComment[];
  verdicts: StoredVerdict[];
}

export async function selectStoredState(
  db: Db,
  pullRequest: { id: string; headCommit: string | null },
): Promise<StoredState> {
  const { headCommit, id } = pullRequest;
  return {
    id,
    headCommit,
    discussions: await selectStoredDiscussions(db, id),
    comments: await selectStoredComments(db, id),
    verdicts: await selectStoredVerdicts(db, id),
  };
}

/** Requests that the host made; those made here have a member, or a team without its name there. */
export function selectHostRequests(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_review_requests')
    .select(['id', 'account_id', 'team_id', 'host_team', 'name'])
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', 'is', null)
    .where(sql<boolean>`(team_id IS NULL OR host_team IS NOT NULL)`)
    .execute();
}

/** How many discussions and comments it has now. */
export async function countParts(db: Db, pullRequestId: string) {
  const { rows } = await sql<{
    discussion_count: number;
    open_discussion_count: number;
    comment_count: number;
  }>`SELECT (SELECT count(*)::int FROM discussions WHERE pull_request_id = ${pullRequestId}) AS discussion_count,
    (SELECT count(*)::int FROM discussions WHERE pull_request_id = ${pullRequestId} AND status = 'open') AS open_discussion_count,
    (SELECT count(*)::int FROM pull_request_comments WHERE pull_request_id = ${pullRequestId}) AS comment_count`.execute(
    db,
  );
  return rows[0]!;
}

/** Shown on the page of the host. */
export async function writeStatusesProblem(
  db: Db,
  repositoryId: string,
  problem: string | null,
): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({ statuses_problem: problem })
    .where('repository_id', '=', repositoryId)
    .where(sql<boolean>`statuses_problem IS DISTINCT FROM ${problem}`)
    .execute();
}

/** Accounts and teams of members who approved this head here, or requested changes, and did not take it back. */
export async function selectAnswered(
  db: Db,
  { head_commit, id }: { id: string; head_commit: string | null },
): Promise<{ accountIds: Set<string>; teamIds: Set<string> }> {
  const { rows } = await sql<{ account_ids: string[]; team_ids: string[] }>`
    WITH answered AS (SELECT DISTINCT user_id, organization_id FROM pull_request_verdicts
      WHERE pull_request_id = ${id} AND commit = ${head_commit} AND user_id IS NOT NULL AND dismissed_at IS NULL
        AND verdict <> 'commented')
    SELECT ARRAY(SELECT a.id FROM answered JOIN host_accounts a USING (organization_id, user_id)) AS account_ids,
      ARRAY(SELECT m.team_id FROM answered JOIN team_members m USING (organization_id, user_id)) AS team_ids`.execute(
    db,
  );
  const { account_ids, team_ids } = rows[0]!;
  return { accountIds: new Set(account_ids), teamIds: new Set(team_ids) };
}
