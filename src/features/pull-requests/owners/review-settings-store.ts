/** Queries for whom a repository asks for reviews of its pull requests. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export function selectReviewSettings(db: Db, repositoryId: string) {
  return db
    .selectFrom('repositories as r')
    .leftJoin('repository_review_settings as s', 's.repository_id', 'r.id')
    .select([
      's.ask_owners',
      sql<boolean>`r.code_host_id IS NULL`.as('is_plain_git'),
      sql<string[]>`coalesce(s.user_ids, '{}')`.as('user_ids'),
      sql<string[]>`coalesce(s.team_ids, '{}')`.as('team_ids'),
    ])
    .where('r.id', '=', repositoryId)
    .executeTakeFirstOrThrow();
}

export async function upsertReviewSettings(
  db: Db,
  repository: { id: string; organizationId: string },
  settings: { ask_owners: boolean | null; user_ids: string[]; team_ids: string[] },
): Promise<void> {
  await db
    .insertInto('repository_review_settings')
    .values({ repository_id: repository.id, organization_id: repository.organizationId, ...settings })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(settings))
    .execute();
}

/** The members and teams that were asked or have answered with a verdict. */
export async function selectKnownReviewers(
  db: Db,
  pullRequestId: string,
): Promise<{ userIds: string[]; answeredIds: string[]; teamIds: string[] }> {
  const { rows } = await sql<{ asked_ids: string[]; answered_ids: string[]; team_ids: string[] }>`
    SELECT ARRAY(SELECT coalesce(q.user_id, a.user_id) FROM pull_request_review_requests q
        LEFT JOIN host_accounts a ON a.id = q.account_id
        WHERE q.pull_request_id = ${pullRequestId} AND coalesce(q.user_id, a.user_id) IS NOT NULL) AS asked_ids,
      ARRAY(SELECT coalesce(v.user_id, a.user_id) FROM pull_request_verdicts v
        LEFT JOIN host_accounts a ON a.id = v.account_id
        WHERE v.pull_request_id = ${pullRequestId} AND v.verdict <> 'commented'
          AND coalesce(v.user_id, a.user_id) IS NOT NULL) AS answered_ids,
      ARRAY(SELECT q.team_id FROM pull_request_review_requests q
        WHERE q.pull_request_id = ${pullRequestId} AND q.team_id IS NOT NULL) AS team_ids`.execute(db);
  const { answered_ids: answeredIds, asked_ids, team_ids: teamIds } = rows[0]!;
  return { userIds: [...asked_ids, ...answeredIds], answeredIds, teamIds };
}

/** Serializes changes of the settings of one repository. */
export async function holdReviewSettings(db: Db, repositoryId: string): Promise<void> {
  await db.selectFrom('repositories').select('id').where('id', '=', repositoryId).forNoKeyUpdate().execute();
}

/** The members whose last verdict approves the newest head for the present base. */
export async function selectApprovers(
  db: Db,
  pullRequest: { id: string; head_commit: string | null; base_branch: string },
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT user_id FROM (
      SELECT DISTINCT ON (coalesce(v.user_id, a.user_id)) coalesce(v.user_id, a.user_id) AS user_id,
        v.verdict, v.commit, v.base_branch
      FROM pull_request_verdicts v LEFT JOIN host_accounts a ON a.id = v.account_id
      WHERE v.pull_request_id = ${pullRequest.id} AND v.dismissed_at IS NULL AND v.verdict <> 'commented'
        AND coalesce(v.user_id, a.user_id) IS NOT NULL
      ORDER BY coalesce(v.user_id, a.user_id), v.created_at DESC, v.id DESC) AS newest
    WHERE verdict = 'approved' AND (commit IS NULL OR commit = ${pullRequest.head_commit})
      AND (base_branch IS NULL OR base_branch = ${pullRequest.base_branch})`.execute(db);
  return rows.map(({ user_id }) => user_id);
}
