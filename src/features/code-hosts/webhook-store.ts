/** The query that a webhook of a code host leads to: it only marks what is to be read again, with one statement. */
import { sql } from 'kysely';
import type { WebhookChange } from '../../engines/code-hosts/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { PRIORITY } from './sync-store.ts';

/**
 * Marks what a verified webhook says has changed. What is marked and has not begun since stays as it is, so many webhooks about one
 * thing cost little. Repositories that are not connected are ignored.
 */
export async function noteWebhookChange(db: Db, codeHostId: string, change: WebhookChange): Promise<void> {
  if (change.kind === 'repositories' || (change.kind === 'access' && change.repository === null)) {
    const column = change.kind === 'repositories' ? 'repositories_asked_at' : 'access_asked_at';
    await db
      .updateTable('code_hosts')
      .set({ [column]: sql<Date>`clock_timestamp()` })
      .where('id', '=', codeHostId)
      .execute();
    return;
  }
  const { kind } = change;
  await sql`WITH named AS (SELECT repository_id, organization_id, code_host_id, webhook_seen_at FROM code_host_repositories
      WHERE code_host_id = ${codeHostId} AND folded_full_name = lower(${change.repository})),
    noted AS (UPDATE code_host_repositories r SET webhook_seen_at = clock_timestamp(),
        access_asked_at = CASE WHEN ${kind === 'access'} THEN clock_timestamp() ELSE access_asked_at END
      FROM named n WHERE r.repository_id = n.repository_id
        AND (${kind === 'access'} OR n.webhook_seen_at IS NULL OR n.webhook_seen_at < clock_timestamp() - interval '1 minute')),
    fetched AS (UPDATE repositories r SET refresh_asked_at = clock_timestamp(), next_refresh_at = clock_timestamp()
      FROM named n WHERE ${kind === 'push'} AND r.id = n.repository_id AND r.url IS NOT NULL
        AND NOT (r.next_refresh_at <= clock_timestamp() AND r.refresh_asked_at IS NOT NULL
          AND (r.refresh_started_at IS NULL OR r.refresh_asked_at > r.refresh_started_at)))
    INSERT INTO pull_request_syncs AS s (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT n.repository_id, ${kind === 'pull_request' ? change.number : 1}::int, n.organization_id, n.code_host_id,
      ${PRIORITY.asked}, clock_timestamp(), clock_timestamp()
    FROM named n WHERE ${kind === 'pull_request'}
    ON CONFLICT (repository_id, number) DO UPDATE
      SET asked_at = clock_timestamp(), priority = ${PRIORITY.asked}, due_at = least(s.due_at, clock_timestamp())
      WHERE NOT (s.priority = ${PRIORITY.asked} AND s.due_at IS NOT NULL AND s.due_at <= clock_timestamp()
        AND (s.started_at IS NULL OR s.asked_at > s.started_at))`.execute(db);
}
