/** Queries for the check `Countersign: approved` of pull requests on code hosts. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { ApprovalCheck } from './approval-check.ts';

/** Plans, members and rules are read again this often, whatever happens. */
const AGAIN_MINUTES = 5;

/** Pull requests with events since their check was evaluated, and those for which something else may have changed. */
export async function selectDueApprovalChecks(
  db: Db,
  limit: number,
): Promise<{ id: string; organization_id: string }[]> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    SELECT p.id, p.organization_id FROM pull_requests p
      JOIN code_host_repositories r ON r.repository_id = p.repository_id
      LEFT JOIN approval_checks c ON c.pull_request_id = p.id
    WHERE p.origin = 'host' AND p.state IN ('open', 'draft') AND p.head_commit IS NOT NULL
      AND (c.state IS NOT NULL OR p.organization_id IN (SELECT organization_id FROM merge_rules))
      AND (c.evaluated_event IS DISTINCT FROM p.last_event
        OR c.evaluated_at < clock_timestamp() - make_interval(mins => ${AGAIN_MINUTES})
        OR c.evaluated_at < (SELECT max(m.updated_at) FROM merge_rules m WHERE m.organization_id = p.organization_id)
        OR EXISTS (SELECT FROM plan_pull_requests l JOIN plans plan ON plan.id = l.plan_id
          WHERE l.organization_id = p.organization_id AND l.repository_id = p.repository_id AND l.number = p.number
            AND plan.updated_at > c.evaluated_at)
        OR EXISTS (SELECT FROM commit_statuses s WHERE s.repository_id = p.repository_id AND s.commit = p.head_commit
          AND s.updated_at > c.evaluated_at))
    ORDER BY c.evaluated_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

export async function selectApprovalCheck(db: Db, pullRequestId: string) {
  return db
    .selectFrom('approval_checks')
    .select(['state', 'commit', 'title', 'text', 'sending'])
    .where('pull_request_id', '=', pullRequestId)
    .executeTakeFirst();
}

/** Waits to be sent if it says something else than before. Without a check, nothing is sent. */
export async function upsertApprovalCheck(
  db: Db,
  pullRequest: { id: string; organization_id: string; last_event: string; head_commit: string | null },
  check: ApprovalCheck | null,
  evaluatedAt: Date,
): Promise<void> {
  const { state = null, text = '', title = '' } = check ?? {};
  await sql`INSERT INTO approval_checks AS c (pull_request_id, organization_id, evaluated_event, evaluated_at, state, commit,
      title, text, sending)
    VALUES (${pullRequest.id}, ${pullRequest.organization_id}, ${pullRequest.last_event}, ${evaluatedAt}, ${state},
      ${pullRequest.head_commit ?? ''}, ${title}, ${text}, ${check ? 'waiting' : 'none'})
    ON CONFLICT (pull_request_id) DO UPDATE SET evaluated_event = excluded.evaluated_event,
      evaluated_at = excluded.evaluated_at, state = excluded.state, commit = excluded.commit, title = excluded.title,
      text = excluded.text,
      sending = CASE WHEN (c.state, c.commit, c.title, c.text) IS NOT DISTINCT FROM
        (excluded.state, excluded.commit, excluded.title, excluded.text) THEN c.sending ELSE excluded.sending END
    WHERE excluded.evaluated_event >= c.evaluated_event`.execute(db);
}

/** Unless it says something else since: then it is sent again. */
export async function markApprovalCheckSent(
  db: Db,
  pullRequestId: string,
  sent: { state: string | null; commit: string; title: string; text: string },
  problem: string | null,
): Promise<void> {
  await sql`UPDATE approval_checks SET sending = ${problem === null ? 'sent' : 'failed'}, sending_problem = ${problem}
    WHERE pull_request_id = ${pullRequestId} AND (state, commit, title, text) IS NOT DISTINCT FROM
      (${sent.state}::text, ${sent.commit}::text, ${sent.title}::text, ${sent.text}::text)`.execute(db);
}
