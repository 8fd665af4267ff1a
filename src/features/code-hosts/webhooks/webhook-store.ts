/** Queries that webhooks of code hosts lead to: they only mark what is to be read again, many webhooks with one statement. */
import { sql } from 'kysely';
import type { HostKind } from '../../../engines/code-hosts/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { errorCode } from '../../../platform/core/errors/start-failure.ts';
import { type Db, DEADLOCK, FOREIGN_KEY_VIOLATION, repeatConflicts } from '../../../platform/db/index.ts';
import { askForRefreshOf } from '../../repositories/index.ts';
import { statusesDueAt } from '../sync/statuses-due-store.ts';
import { PRIORITY } from '../sync/sync-store.ts';

/** One thing that a verified webhook says has changed. */
export interface WebhookNote {
  codeHostId: string;
  /** `none`: a webhook arrived, and says nothing that matters here. */
  kind: 'pull_request' | 'push' | 'statuses' | 'access' | 'repositories' | 'none';
  /** The host's ID and name of the repository; null where the payload has none. */
  hostRepositoryId: string | null;
  fullName: string | null;
  /** Number of the pull request. */
  number: number | null;
  /** The commit that statuses are about. */
  commit: string | null;
}

/** Code hosts wait 10 seconds for an answer. */
const LOCK_TIMEOUT = '3s';

/** Not scoped to an organization, because the callers are not known yet. */
export async function selectHostsToVerify(
  db: Db,
  codeHostIds: string[],
): Promise<{ id: string; kind: HostKind; webhook_secret: Buffer }[]> {
  const { rows } = await sql<{ id: string; kind: HostKind; webhook_secret: Buffer }>`
    SELECT id, kind, webhook_secret FROM code_hosts
    WHERE id = ANY(${codeHostIds}::uuid[]) AND webhook_secret IS NOT NULL`.execute(db);
  return rows;
}

/**
 * Marks what verified webhooks say has changed. What is marked and has not begun since stays as it is, so many webhooks about one thing
 * cost little. Repositories are found by the host's ID, and one that has another name there leads to reading the list of repositories, unless
 * that was done just now. Repositories that are not connected are ignored. Returns the hosts for which something is now to be done.
 * Rows that stay locked make it unavailable.
 */
export function noteWebhookChanges(db: Db, notes: WebhookNote[]): Promise<Set<string>> {
  // The host or a repository may be disconnected meanwhile: first in the way, then gone.
  const mark = repeatConflicts(() => markChanges(db, notes), [DEADLOCK, FOREIGN_KEY_VIOLATION]);
  return mark.catch((error: unknown) => {
    if (errorCode(error) === LOCK_NOT_AVAILABLE)
      throw new Problem('unavailable', 'The code host is being changed.', {
        retryAfterSeconds: 5,
        cause: error,
      });
    throw error;
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

async function markChanges(db: Db, notes: WebhookNote[]): Promise<Set<string>> {
  const { rows } = await sql<{
    code_host_id: string;
  }>`WITH sent AS MATERIALIZED (SELECT s.* FROM set_config('lock_timeout', ${LOCK_TIMEOUT}, true), unnest(${notes.map((one) => one.codeHostId)}::uuid[],
      ${notes.map((one) => one.kind)}::text[], ${notes.map((one) => one.hostRepositoryId)}::text[],
      ${notes.map((one) => one.fullName)}::text[], ${notes.map((one) => one.number)}::int[],
      ${notes.map((one) => one.commit)}::text[]) AS s (code_host_id, kind, host_repository_id, full_name, number, commit)),
    named AS MATERIALIZED (
      SELECT r.repository_id, r.organization_id, r.code_host_id, r.webhook_seen_at, s.kind, s.number, s.commit,
        r.folded_full_name <> lower(s.full_name) AS is_renamed
      FROM sent s JOIN code_host_repositories r ON r.code_host_id = s.code_host_id AND r.host_repository_id = s.host_repository_id
      UNION ALL
      SELECT r.repository_id, r.organization_id, r.code_host_id, r.webhook_seen_at, s.kind, s.number, s.commit, false
      FROM sent s JOIN code_host_repositories r ON r.code_host_id = s.code_host_id AND r.folded_full_name = lower(s.full_name)
      WHERE s.host_repository_id IS NULL),
    of_hosts AS (SELECT s.code_host_id, bool_or(s.kind = 'repositories') AS repositories,
        bool_or(s.kind = 'access' AND s.full_name IS NULL) AS access,
        EXISTS (SELECT 1 FROM named n WHERE n.code_host_id = s.code_host_id AND n.is_renamed) AS renamed
      FROM sent s GROUP BY s.code_host_id),
    marked_hosts AS (UPDATE code_hosts h SET webhook_seen_at = clock_timestamp(),
        repositories_asked_at = CASE WHEN o.repositories OR o.renamed THEN clock_timestamp() ELSE h.repositories_asked_at END,
        access_asked_at = CASE WHEN o.access THEN clock_timestamp() ELSE h.access_asked_at END
      FROM of_hosts o WHERE h.id = o.code_host_id AND h.id = ANY(${notes.map((one) => one.codeHostId)}::uuid[])
        AND (o.repositories OR o.access
        OR (o.renamed AND coalesce(h.repositories_listed_at < clock_timestamp() - interval '1 minute', true))
        OR coalesce(h.webhook_seen_at < clock_timestamp() - interval '1 minute', true))
      RETURNING h.id),
    marked_repositories AS (UPDATE code_host_repositories r SET webhook_seen_at = clock_timestamp(),
        access_asked_at = CASE WHEN n.access THEN clock_timestamp() ELSE r.access_asked_at END
      FROM (SELECT repository_id, bool_or(kind = 'access') AS access, min(webhook_seen_at) AS seen_at FROM named
        GROUP BY repository_id ORDER BY repository_id) AS n
      WHERE r.repository_id = n.repository_id
        AND (n.access OR coalesce(n.seen_at < clock_timestamp() - interval '1 minute', true))
      RETURNING r.code_host_id),
    fetched AS (${askForRefreshOf(sql`SELECT DISTINCT repository_id FROM named WHERE kind = 'push' ORDER BY repository_id`)}),
    asked AS (INSERT INTO pull_request_syncs AS s (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT n.repository_id, n.number, n.organization_id, n.code_host_id, ${PRIORITY.asked}, clock_timestamp(), clock_timestamp()
    FROM (SELECT DISTINCT repository_id, number, organization_id, code_host_id FROM named WHERE kind = 'pull_request') AS n
    ORDER BY n.repository_id, n.number
    ON CONFLICT (repository_id, number) DO UPDATE
      SET asked_at = clock_timestamp(), priority = ${PRIORITY.asked}, due_at = least(s.due_at, clock_timestamp())
      WHERE NOT (s.priority = ${PRIORITY.asked} AND s.due_at IS NOT NULL AND s.due_at <= clock_timestamp()
        AND (s.started_at IS NULL OR s.asked_at > s.started_at))
      RETURNING s.code_host_id),
    -- Those of one row are asked once; what a pull request's own event asks at the same time reads the statuses too.
    reported AS (UPDATE pull_request_syncs s SET statuses_asked_at = clock_timestamp(),
        due_at = least(s.due_at, ${statusesDueAt(sql`s.started_at`)})
      FROM (SELECT DISTINCT p.repository_id, p.number FROM named n JOIN pull_requests p
          ON p.repository_id = n.repository_id AND p.head_commit = n.commit AND p.state IN ('open', 'draft')
        WHERE n.kind = 'statuses' AND NOT EXISTS (SELECT FROM named a WHERE a.kind = 'pull_request'
          AND a.repository_id = p.repository_id AND a.number = p.number)
        ORDER BY p.repository_id, p.number) AS c
      WHERE s.repository_id = c.repository_id AND s.number = c.number
        AND NOT coalesce(s.statuses_asked_at > s.started_at, false)
      RETURNING s.code_host_id)
    SELECT id AS code_host_id FROM marked_hosts UNION SELECT code_host_id FROM marked_repositories
    UNION SELECT code_host_id FROM fetched UNION SELECT code_host_id FROM asked
    UNION SELECT code_host_id FROM reported`.execute(db);
  return new Set(rows.map((row) => row.code_host_id));
}
