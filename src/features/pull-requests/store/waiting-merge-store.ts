/** Queries for merges that wait until nothing is missing. There are few at a time: each ends with its merge, or is turned off. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { visibleTo } from '../../repositories/index.ts';
import type { MergeMethod } from '../contract.ts';
import type { PullRequestRow } from './pull-request-store.ts';

/** Plans, roles and removed rules are read again this often, whatever happens. */
const AGAIN_MINUTES = 5;
/** A job that was queued so long ago was lost. */
const LOST_AFTER_MINUTES = 15;
const MAX_CLAIMED = 500;

export interface NewWaitingMerge {
  id: string;
  pullRequestId: string;
  organizationId: string;
  userId: string;
  head: string;
  baseBranch: string;
  method: MergeMethod;
  message: string | null;
  deleteBranch: boolean;
  at: Date;
}

/** Replaces an earlier one. The pull request must be locked. */
export async function upsertWaitingMerge(db: Db, merge: NewWaitingMerge): Promise<void> {
  const values = {
    id: merge.id,
    organization_id: merge.organizationId,
    user_id: merge.userId,
    head_commit: merge.head,
    base_branch: merge.baseBranch,
    method: merge.method,
    message: merge.message,
    delete_branch: merge.deleteBranch,
    since: merge.at,
    looked_event: null,
    looked_commits: null,
    looked_at: null,
    queued_at: null,
    retry_at: null,
  };
  await db
    .insertInto('waiting_merges')
    .values({ pull_request_id: merge.pullRequestId, ...values })
    .onConflict((conflict) => conflict.column('pull_request_id').doUpdateSet(values))
    .execute();
}

/** With the name of the person. */
export function selectWaitingMerge(db: Db, pullRequestId: string) {
  return db
    .selectFrom('waiting_merges as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .selectAll('w')
    .select('u.name as user_name')
    .where('w.pull_request_id', '=', pullRequestId)
    .executeTakeFirst();
}

export type WaitingMergeRow = NonNullable<Awaited<ReturnType<typeof selectWaitingMerge>>>;

/** Returns whose it was. The pull request must be locked. */
export async function deleteWaitingMerge(db: Db, pullRequestId: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('waiting_merges')
    .where('pull_request_id', '=', pullRequestId)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Marks those for which something changed since they were looked at, unless nobody but time can help. */
export async function claimWaitingMerges(
  db: Db,
): Promise<{ pullRequestId: string; organizationId: string; repositoryId: string }[]> {
  const { rows } = await sql<{ pullRequestId: string; organizationId: string; repositoryId: string }>`
    WITH due AS (SELECT w.id, p.repository_id FROM waiting_merges w JOIN pull_requests p ON p.id = w.pull_request_id
      LEFT JOIN LATERAL (SELECT m.role FROM memberships m WHERE m.organization_id = w.organization_id
        AND m.user_id = w.user_id AND m.deactivated_at IS NULL LIMIT 1) AS member ON true
      CROSS JOIN LATERAL (SELECT p.merge_state IS NOT NULL AND p.merge_checked_head = p.head_commit
        AND p.merge_checked_base = p.base_commit AS is_known) AS mergeability
      WHERE (w.queued_at IS NULL OR w.queued_at < clock_timestamp() - make_interval(mins => ${LOST_AFTER_MINUTES}))
        AND (w.retry_at IS NULL OR w.retry_at <= clock_timestamp())
        AND (p.head_commit IS DISTINCT FROM w.head_commit OR p.base_branch <> w.base_branch
          OR member.role IS NULL
          OR (is_known AND p.merge_state = 'conflicts')
          OR (is_known AND p.merge_state = 'clean' AND p.state = 'open'
            AND (w.looked_event IS DISTINCT FROM p.last_event OR w.looked_commits IS DISTINCT FROM
                concat(p.base_commit, ' ', p.owners_head, ' ', p.owners_base)
              OR w.looked_at < clock_timestamp() - make_interval(mins => ${AGAIN_MINUTES})
              OR w.looked_at < (SELECT max(rule.updated_at) FROM merge_rules rule
                WHERE rule.organization_id = w.organization_id)
              OR EXISTS (SELECT FROM plan_pull_requests l JOIN plans plan ON plan.id = l.plan_id
                WHERE l.organization_id = p.organization_id AND l.repository_id = p.repository_id AND l.number = p.number
                  AND plan.updated_at > w.looked_at))))
      ORDER BY w.since LIMIT ${MAX_CLAIMED} FOR NO KEY UPDATE OF w SKIP LOCKED)
    UPDATE waiting_merges w SET queued_at = clock_timestamp() FROM due WHERE w.id = due.id
    RETURNING w.pull_request_id AS "pullRequestId", w.organization_id AS "organizationId",
      due.repository_id AS "repositoryId"`.execute(db);
  return rows;
}

/** Changes since the pull request was read make it due again. */
export async function markLooked(
  db: Db,
  id: string,
  pullRequest: Pick<PullRequestRow, 'base_commit' | 'last_event' | 'owners_base' | 'owners_head'>,
  at: Date,
): Promise<void> {
  const { base_commit, last_event, owners_base, owners_head } = pullRequest;
  await db
    .updateTable('waiting_merges')
    .set({
      looked_event: last_event,
      looked_commits: [base_commit, owners_head, owners_base].map((commit) => commit ?? '').join(' '),
      looked_at: at,
      queued_at: null,
    })
    .where('id', '=', id)
    .execute();
}

export async function postponeWaitingMerge(db: Db, pullRequestId: string, seconds: number): Promise<void> {
  await sql`UPDATE waiting_merges SET queued_at = NULL,
      retry_at = clock_timestamp() + make_interval(secs => ${seconds})
    WHERE pull_request_id = ${pullRequestId}`.execute(db);
}

/** Approvals of the head that is replaced count for this one too. */
export async function moveWaitingMerge(db: Db, id: string, head: string): Promise<void> {
  await db.updateTable('waiting_merges').set({ head_commit: head }).where('id', '=', id).execute();
}

/** The present role of an active member who sees the repository; undefined for others. */
export async function selectMergerRole(
  db: Db,
  { organizationId, repositoryId, userId }: { organizationId: string; repositoryId: string; userId: string },
) {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('repositories as r', 'r.organization_id', 'm.organization_id')
    .select('m.role')
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .where('m.deactivated_at', 'is', null)
    .where('r.id', '=', repositoryId)
    .where(visibleTo(sql.ref('m.user_id')))
    .executeTakeFirst();
  return row?.role;
}
