/** Queries for whether pull requests can be merged, and for what conflicts. */
import { sql } from 'kysely';
import type { ConflictedFile } from '../../../platform/core/ports/code-differences.ts';
import type { Db } from '../../../platform/db/index.ts';

/** At once; a check that was queued so long ago was lost. */
const MAX_CLAIMED = 5000;
const LOST_AFTER_MINUTES = 15;

/** As the partial index says it. */
const IS_DUE = sql<boolean>`origin = 'git' AND state IN ('open', 'draft') AND base_commit IS NOT NULL
  AND (merge_checked_head IS DISTINCT FROM head_commit OR merge_checked_base IS DISTINCT FROM base_commit)`;

/** Marks pull requests of plain git with a new head or base that nobody else has marked, and returns their repositories. */
export async function claimUncheckedMerges(
  db: Db,
): Promise<{ repositoryId: string; organizationId: string }[]> {
  const { rows } = await sql<{ repositoryId: string; organizationId: string }>`
    WITH claimed AS (UPDATE pull_requests p SET merge_queued_at = clock_timestamp()
      WHERE p.id = ANY(ARRAY(SELECT id FROM pull_requests
        WHERE ${IS_DUE} AND (merge_queued_at IS NULL
          OR merge_queued_at < clock_timestamp() - make_interval(mins => ${LOST_AFTER_MINUTES}))
        ORDER BY id LIMIT ${MAX_CLAIMED} FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING p.repository_id, p.organization_id)
    SELECT DISTINCT repository_id AS "repositoryId", organization_id AS "organizationId" FROM claimed`.execute(
    db,
  );
  return rows;
}

/** In order of their IDs. */
export function selectUncheckedMerges(db: Db, repositoryId: string, page: { after: string; limit: number }) {
  return db
    .selectFrom('pull_requests')
    .select(['id', 'head_commit', 'base_commit', 'merge_base', 'merge_state'])
    .where('repository_id', '=', repositoryId)
    .where(IS_DUE)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

export type UncheckedMerge = Awaited<ReturnType<typeof selectUncheckedMerges>>[number];

/** All at once, for those that conflict neither before nor now; those that moved since stay unchecked. */
export async function updateUncheckedMerges(
  db: Db,
  checked: { id: string; head: string; base: string; state: 'clean' | 'unknown' }[],
): Promise<void> {
  if (checked.length === 0) return;
  await sql`UPDATE pull_requests p SET merge_state = c.state, merge_checked_head = c.head, merge_checked_base = c.base,
      merge_queued_at = NULL
    FROM unnest(${checked.map(({ id }) => id)}::uuid[], ${checked.map(({ head }) => head)}::text[],
      ${checked.map(({ base }) => base)}::text[], ${checked.map(({ state }) => state)}::text[])
      AS c (id, head, base, state)
    WHERE p.id = ANY(ARRAY(SELECT id FROM pull_requests
        WHERE id = ANY(${checked.map(({ id }) => id)}::uuid[]) ORDER BY id FOR NO KEY UPDATE))
      AND p.id = c.id AND p.head_commit = c.head AND p.base_commit = c.base
      AND p.merge_state IS DISTINCT FROM 'conflicts'`.execute(db);
}

/** Without `conflicts`, there are none. */
export async function replaceConflicts(
  db: Db,
  pullRequest: { id: string; organization_id: string },
  conflicts: { total: number; files: ConflictedFile[] } | null,
): Promise<void> {
  if (conflicts === null) {
    await db.deleteFrom('pull_request_conflicts').where('pull_request_id', '=', pullRequest.id).execute();
    return;
  }
  const values = { file_count: conflicts.total, files: JSON.stringify(conflicts.files) };
  await db
    .insertInto('pull_request_conflicts')
    .values({ pull_request_id: pullRequest.id, organization_id: pullRequest.organization_id, ...values })
    .onConflict((conflict) => conflict.column('pull_request_id').doUpdateSet(values))
    .execute();
}
