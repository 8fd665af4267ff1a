/** Queries for pushes of the service to head branches and reverts. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

export interface OwnPush {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  userId: string | null;
  kind: 'update' | 'revert' | 'delete' | 'restore';
  branch: string;
  /** Null for a branch that doesn't exist. */
  from: string | null;
  to: string | null;
  at: Date;
}

/** Before it is sent, so that a hook on the git server knows it. */
export async function insertOwnPush(db: Db, push: OwnPush): Promise<void> {
  await db
    .insertInto('own_pushes')
    .values({
      id: push.id,
      organization_id: push.organizationId,
      repository_id: push.repositoryId,
      pull_request_id: push.pullRequestId,
      user_id: push.userId,
      kind: push.kind,
      branch: push.branch,
      from_commit: push.from,
      to_commit: push.to,
      made_at: push.at,
    })
    .execute();
}

export async function deleteOwnPush(db: Db, id: string): Promise<void> {
  await db.deleteFrom('own_pushes').where('id', '=', id).execute();
}

/** For a push that makes no commit: recorded only while it is sent, so that nobody else can repeat it later. */
export async function duringOwnPush<Result>(
  db: Db,
  push: OwnPush,
  send: () => Promise<Result>,
): Promise<Result> {
  await insertOwnPush(db, push);
  try {
    return await send();
  } finally {
    await deleteOwnPush(db, push.id);
  }
}

/** The updates of these branches. */
export function selectOwnPushes(db: Db, repositoryId: string, branches: string[]) {
  return db
    .selectFrom('own_pushes')
    .select(['branch', 'from_commit', 'to_commit'])
    .distinct()
    .where('repository_id', '=', repositoryId)
    .where('branch', 'in', branches)
    .execute();
}

/** Who pushed this commit here to this head branch, and which base branch it brings in. */
export async function selectUpdater(
  db: Db,
  { branch, commit, repositoryId }: { repositoryId: string; branch: string; commit: string },
): Promise<{ user_id: string | null; base_branch: string } | undefined> {
  return await db
    .selectFrom('own_pushes as o')
    .innerJoin('pull_requests as p', 'p.id', 'o.pull_request_id')
    .select(['o.user_id', 'p.base_branch'])
    .where('o.repository_id', '=', repositoryId)
    .where('o.branch', '=', branch)
    .where('o.kind', '=', 'update')
    .where('o.to_commit', '=', commit)
    .executeTakeFirst();
}

/** Whether this commit was made here as a revert of the pull request, and is not merged yet. */
export async function isOwnRevert(
  db: Db,
  { branch, pullRequestId, tip }: { branch: string; pullRequestId: string; tip: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('own_pushes')
    .select('id')
    .where('pull_request_id', '=', pullRequestId)
    .where('kind', '=', 'revert')
    .where('branch', '=', branch)
    .where('to_commit', '=', tip)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('pull_requests as p')
            .select('p.id')
            .where('p.reverts_id', '=', pullRequestId)
            .where('p.head_branch', '=', branch)
            .where('p.state', '=', 'merged'),
        ),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** How many pushes that restore its head branch are being sent, or were interrupted. */
export async function deleteRestores(db: Db, pullRequestId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('own_pushes')
    .where('pull_request_id', '=', pullRequestId)
    .where('kind', '=', 'restore')
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends the pushes that delete its head branch and are being sent, or were interrupted: says who made them. */
export async function deleteDeletions(
  db: Db,
  pullRequestId: string,
): Promise<{ id: string; user_id: string | null }[]> {
  return await db
    .deleteFrom('own_pushes')
    .where('pull_request_id', '=', pullRequestId)
    .where('kind', '=', 'delete')
    .returning(['id', 'user_id'])
    .execute();
}

const newestChange = (pullRequestId: string) => sql<string | null>`(SELECT e.kind FROM events e
  WHERE e.subject_id = ${pullRequestId} AND e.kind IN ('pull_request_branch_deleted', 'pull_request_branch_restored')
  ORDER BY e.number DESC LIMIT 1)`;

/** Whether the newest thing that was done to the branch here restored it, or is about to. */
export async function isRestored(db: Db, pullRequestId: string): Promise<boolean> {
  const { rows } = await sql<{ is_restored: boolean }>`
    SELECT EXISTS (SELECT FROM own_pushes WHERE pull_request_id = ${pullRequestId} AND kind = 'restore')
      OR coalesce(${newestChange(pullRequestId)} = 'pull_request_branch_restored', false) AS is_restored`.execute(
    db,
  );
  return rows[0]!.is_restored;
}

/**
 * Whether the head branch doesn't exist, is at its newest head, or moved: as it was fetched, or as it was left here if a fetch is due since.
 * Undefined while that is unknown.
 */
export async function selectHeadBranchState(
  db: Db,
  of: { repositoryId: string; pullRequestId: string; branch: string; commit: string },
): Promise<'gone' | 'kept' | 'moved' | undefined> {
  const { rows } = await sql<{ state: 'gone' | 'kept' | 'moved' }>`
    SELECT coalesce(
      CASE WHEN r.refs_as_of < r.refresh_asked_at THEN CASE ${newestChange(of.pullRequestId)}
        WHEN 'pull_request_branch_deleted' THEN 'gone' WHEN 'pull_request_branch_restored' THEN 'kept' END END,
      (SELECT CASE WHEN f.commit = ${of.commit} THEN 'kept' ELSE 'moved' END FROM repository_refs f
        WHERE f.repository_id = r.id AND f.kind = 'branch' AND f.name = ${of.branch}),
      'gone') AS state
    FROM repositories r WHERE r.id = ${of.repositoryId} AND r.state = 'ready'`.execute(db);
  return rows[0]?.state;
}
