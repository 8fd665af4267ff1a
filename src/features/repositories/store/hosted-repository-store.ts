/** Queries for repositories of a connected code host, which says who sees them, how they are called and when they changed. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** Null: it is no longer on a connected host. */
export async function setCodeHost(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
  codeHostId: string | null,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ code_host_id: codeHostId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The host's repositories stay as an admin would have added them: visible to whom they were. Returns how many there are. */
export async function releaseFromCodeHost(
  db: Db,
  organizationId: string,
  codeHostId: string,
): Promise<number> {
  const released = await db
    .updateTable('repositories')
    .set({ visibility_from: 'admin', code_host_id: null })
    .where('organization_id', '=', organizationId)
    .where('code_host_id', '=', codeHostId)
    .returning('id')
    .execute();
  return released.length;
}

/** It was renamed or moved on the host. The name here follows unless it was changed or is taken. */
export async function followRename(
  db: Db,
  repositoryId: string,
  { from, to, url }: { from: string; to: string; url: string },
): Promise<void> {
  await sql`UPDATE repositories r SET url = ${url},
      name = CASE WHEN r.name = ${from} AND NOT EXISTS (SELECT 1 FROM repositories o
        WHERE o.organization_id = r.organization_id AND o.folded_name = lower(${to}) AND o.id <> r.id)
        THEN ${to} ELSE r.name END
    WHERE r.id = ${repositoryId}`.execute(db);
}

/** Whether the host or an admin decides from now on who sees it, and who sees it until the next decision. */
export async function setVisibility(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
  decided: { from: 'host' | 'admin'; visibility: 'organization' | 'members' },
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ visibility_from: decided.from, visibility: decided.visibility })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * Shows these repositories to the members whose linked account can read them, and public ones to everyone. Those whose
 * visibility an admin chose stay as they are. Locks the repositories, so that the newest knowledge is written last.
 */
export async function applyReaders(db: Db, repositoryIds: string[]): Promise<void> {
  if (repositoryIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`UPDATE repositories r
    SET visibility = CASE WHEN h.is_private THEN 'members' ELSE 'organization' END
    FROM code_host_repositories h
    WHERE h.repository_id = r.id AND r.visibility_from = 'host' AND r.id = ANY(${repositoryIds}::uuid[])
    RETURNING r.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`DELETE FROM repository_members m WHERE m.repository_id = ANY(${ids}::uuid[]) AND NOT EXISTS (
    SELECT 1 FROM code_host_readers d JOIN host_accounts a ON a.id = d.account_id
    WHERE d.repository_id = m.repository_id AND a.user_id = m.user_id)`.execute(db);
  await sql`INSERT INTO repository_members (repository_id, user_id, organization_id)
    SELECT DISTINCT d.repository_id, a.user_id, d.organization_id
    FROM code_host_readers d JOIN host_accounts a ON a.id = d.account_id
    JOIN memberships s ON s.organization_id = d.organization_id AND s.user_id = a.user_id
    WHERE d.repository_id = ANY(${ids}::uuid[])
    ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * Part of a statement: makes the repositories of `pushed` (its `repository_id`) due, unless they are due already, and returns their
 * `code_host_id`.
 */
export function askForRefreshOf(pushed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`UPDATE repositories r SET refresh_asked_at = clock_timestamp(), next_refresh_at = clock_timestamp()
      FROM (${pushed}) AS n
      WHERE r.id = n.repository_id AND r.url IS NOT NULL
        AND NOT (r.next_refresh_at <= clock_timestamp() AND r.refresh_asked_at IS NOT NULL
          AND (r.refresh_started_at IS NULL OR r.refresh_asked_at > r.refresh_started_at))
      RETURNING r.code_host_id`;
}
