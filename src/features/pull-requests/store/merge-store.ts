/** Queries for the attempts to merge pull requests here. */
import { sql } from 'kysely';
import { DELETED_ADDRESSES } from '../../../platform/core/text/deleted-address.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { MergeFailure, MergeMethod } from '../contract.ts';

/** How long nobody else looks at the origin; renewed while the process that pushes lives. */
const ALIVE_SECONDS = 20;
const LOOK_AGAIN_SECONDS = 30;

export interface MergeToRecord {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  method: MergeMethod;
  userId: string;
  baseBranch: string;
  base: string;
  head: string;
  commit: string;
  tree: string;
  rule: unknown;
  bypassed: string[];
  bypassReason: string | null;
  deleteBranch: boolean;
  at: Date;
}

/** The pull request must be locked. */
export async function insertMerge(db: Db, merge: MergeToRecord): Promise<void> {
  await db
    .insertInto('pull_request_merges')
    .values({
      id: merge.id,
      organization_id: merge.organizationId,
      repository_id: merge.repositoryId,
      pull_request_id: merge.pullRequestId,
      state: 'pushing',
      method: merge.method,
      user_id: merge.userId,
      base_branch: merge.baseBranch,
      base_commit: merge.base,
      head_commit: merge.head,
      merge_commit: merge.commit,
      tree: merge.tree,
      rule: merge.rule === null ? null : JSON.stringify(merge.rule),
      approver_ids: sql<string[]>`ARRAY(
        SELECT DISTINCT v.user_id FROM pull_request_verdicts v
        WHERE v.pull_request_id = ${merge.pullRequestId} AND v.verdict = 'approved' AND v.dismissed_at IS NULL
          AND v.user_id IS NOT NULL AND (v.commit = ${merge.head} OR v.kept_for_head = ${merge.head})
        ORDER BY v.user_id)`,
      bypassed: merge.bypassed,
      bypass_reason: merge.bypassReason,
      delete_branch: merge.deleteBranch,
      started_at: merge.at,
      look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${ALIVE_SECONDS})`,
      finished_at: null,
      failure: null,
      problem: null,
    })
    .execute();
}

export async function renewMerge(db: Db, id: string): Promise<void> {
  await db
    .updateTable('pull_request_merges')
    .set({ look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${ALIVE_SECONDS})` })
    .where('id', '=', id)
    .where('state', '=', 'pushing')
    .execute();
}

/** Whether a merge of it is being pushed: until that is known, nothing else decides about it. */
export async function isBeingMerged(db: Db, pullRequestId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pull_request_merges')
    .select('id')
    .where('pull_request_id', '=', pullRequestId)
    .where('state', '=', 'pushing')
    .executeTakeFirst();
  return row !== undefined;
}

/** The pull request must be locked. Undefined if it was finished already. */
export function lockPushingMerge(db: Db, id: string) {
  return db
    .selectFrom('pull_request_merges')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'pushing')
    .forUpdate()
    .executeTakeFirst();
}

export async function finishMergeRow(
  db: Db,
  id: string,
  end: { state: 'merged' | 'failed'; failure: MergeFailure | null; problem: string | null; at: Date },
): Promise<void> {
  await db
    .updateTable('pull_request_merges')
    .set({ state: end.state, failure: end.failure, problem: end.problem, finished_at: end.at })
    .where('id', '=', id)
    .execute();
}

/** Those whose process is gone, or that couldn't say what came of the push. Nobody else takes them for a while. */
export function takeInterruptedMerges(db: Db, limit: number) {
  return db
    .updateTable('pull_request_merges')
    .set({ look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${LOOK_AGAIN_SECONDS})` })
    .where('id', 'in', (due) =>
      due
        .selectFrom('pull_request_merges')
        .select('id')
        .where('state', '=', 'pushing')
        .where('look_at', '<=', sql<Date>`clock_timestamp()`)
        .orderBy('look_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

export type MergeRow = Awaited<ReturnType<typeof takeInterruptedMerges>>[number];

/** The newest attempt, with who made it. */
export function selectNewestMerge(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_merges as q')
    .innerJoin('users as u', 'u.id', 'q.user_id')
    .select([
      'q.id',
      'q.state',
      'q.method',
      'q.user_id',
      'u.name as user_name',
      'q.base_commit',
      'q.head_commit',
      'q.merge_commit',
      'q.bypassed',
      'q.bypass_reason',
      'q.failure',
      'q.problem',
      'q.started_at',
      'q.finished_at',
    ])
    .where('q.pull_request_id', '=', pullRequestId)
    .orderBy('q.started_at', 'desc')
    .orderBy('q.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The attempt that merged it; undefined if it was merged elsewhere. */
export function selectFinishedMerge(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_merges')
    .select(['base_commit', 'merge_commit'])
    .where('pull_request_id', '=', pullRequestId)
    .where('state', '=', 'merged')
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The name and address for commits; undefined for a deleted account. */
export function selectSigner(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('email', 'not like', DELETED_ADDRESSES)
    .executeTakeFirst();
}

/** Another open pull request from or into this branch. */
export function selectUserOfBranch(
  db: Db,
  { branch, exceptId, repositoryId }: { repositoryId: string; branch: string; exceptId: string },
) {
  return db
    .selectFrom('pull_requests')
    .select(['number', 'base_branch'])
    .where('repository_id', '=', repositoryId)
    .where('state', 'in', ['open', 'draft'])
    .where('id', '<>', exceptId)
    .where((either) =>
      either.or([
        either('base_branch', '=', branch),
        either.and([either('head_branch', '=', branch), either('head_repository', 'is', null)]),
      ]),
    )
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
}

/** The updates of branches that merges here made, or are making now, with these new heads. */
export function selectMergesTo(db: Db, repositoryId: string, commits: string[]) {
  return db
    .selectFrom('pull_request_merges')
    .select(['base_branch', 'base_commit', 'merge_commit'])
    .where('repository_id', '=', repositoryId)
    .where('merge_commit', '=', sql<string>`ANY(${commits}::text[])`)
    .where('state', 'in', ['pushing', 'merged'])
    .execute();
}
