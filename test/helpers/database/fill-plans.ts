/** Fills a database with many plans and all that belongs to them. Some have far more of it than others, so that a scan is noticed. */
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';
import { finishFilling, numberRows, startFilling } from './fill-quickly.ts';

const ROWS = 40_000;
const ORGANIZATIONS = 1000;

/** IDs to query for, from among the rows. */
export interface FilledPlans {
  /** A plan version without repositories. */
  unlisted: string;
  known: string;
  organizationId: string;
  /** A tenth of all comments, events and inbox items belong to this plan and to `user`, so that a scan of those is noticed. */
  busyPlan: string;
  plan: string;
  user: string;
  webhook: string;
  organizationOfWebhook: string;
}

/** The newest rows are from `now`. */
export function fillPlans(connection: Connection, now: Date): Promise<FilledPlans> {
  return withConnection(connection, async (client) => {
    const fill = (text: string) => client.query(text.replaceAll('NOW', `timestamptz '${now.toISOString()}'`));
    await startFilling(client);
    const one = await numberRows(client, ROWS);
    await fill(
      `INSERT INTO organizations SELECT id, 'Organization ' || n, NOW FROM numbered WHERE n <= ${ORGANIZATIONS}`,
    );
    await fill(
      `INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User ' || n, 'x', NOW, NOW FROM numbered`,
    );
    await fill(`INSERT INTO memberships SELECT o.id, u.id, 'member', NOW FROM numbered u
      JOIN numbered o ON o.n = u.n % ${ORGANIZATIONS} + 1`);
    // Half of all plans belong to one organization.
    await fill(`INSERT INTO plans SELECT p.id, o.id, p.id, (ARRAY['pending', 'approved', 'implemented', 'closed', 'deleted'])[p.n % 5 + 1],
        'Plan ' || p.n, CASE WHEN p.n % 500 = 0 THEN 'cursor' ELSE 'codex' END, u.id, NOW - p.n * interval '1 minute', NOW - p.n * interval '1 minute', p.id, 1, 1, 20000, 10000
      FROM numbered p JOIN numbered o ON o.n = CASE WHEN p.n % 2 = 0 THEN 1 ELSE p.n % ${ORGANIZATIONS} + 1 END
      JOIN numbered u ON u.n = p.n / 100 * 100 + 1`);
    await fill(`INSERT INTO plan_versions SELECT p.id, p.id, p.organization_id, 1, p.title, 'Content', false, p.created_by, 'key', 'codex',
      NULL, NULL, NULL, p.created_at, NOW FROM plans p`);
    await fill(`INSERT INTO plan_version_repositories (version_id, position, plan_id, organization_id, repository_id, name)
      SELECT p.id, 0, p.id, p.organization_id, NULL, 'acme/r' || n / 50 FROM plans p JOIN numbered USING (id)`);
    await fill(
      `INSERT INTO plan_files SELECT p.id, p.organization_id, 'src/f' || n / 20 || '.ts' FROM plans p JOIN numbered USING (id)`,
    );
    await fill(`INSERT INTO plan_words SELECT p.id, p.organization_id, 0, array_to_tsvector(ARRAY['plan', 'word' || n])
      FROM plans p JOIN numbered USING (id)`);
    await fill(`INSERT INTO repositories (id, organization_id, name, created_at)
      SELECT r.id, o.id, 'owner' || r.n || '/r' || r.n % 8000, NOW FROM numbered r JOIN numbered o ON o.n = r.n % ${ORGANIZATIONS} + 1`);
    await fill(
      `INSERT INTO repository_members SELECT r.id, n.id, r.organization_id FROM repositories r JOIN numbered n ON n.n <= 2`,
    );
    await fill(`INSERT INTO plan_comments (id, plan_id, organization_id, version_id, parent_id, thread_id, author_id, author_kind, body, anchor, created_at)
      SELECT c.id, p.id, p.organization_id, p.id, NULL, CASE WHEN c.n % 10 = 0 THEN f.id ELSE c.id END, u.id, 'key', 'Body',
        CASE WHEN c.n % 100 = 1 THEN 'Content' END, NOW - c.n * interval '1 second'
      FROM numbered c JOIN numbered f ON f.n = 10 JOIN numbered u ON u.n = c.n
      JOIN plans p ON p.id = CASE WHEN c.n % 10 < 2 THEN (SELECT id FROM numbered WHERE n = 10) ELSE c.id END`);
    await fill(`INSERT INTO events (subject_kind, subject_id, number, organization_id, kind, actor_kind, actor_user_id, data, created_at)
      SELECT 'plan', p.id, e.n, p.organization_id, 'comment_added', 'key', p.created_by, '{}', NOW
      FROM numbered e JOIN plans p ON p.id = CASE WHEN e.n % 10 = 0 THEN (SELECT id FROM numbered WHERE n = 10) ELSE e.id END`);
    await fill(`INSERT INTO inbox_items SELECT gen_random_uuid(), e.organization_id, CASE WHEN n.n % 10 = 0 THEN (SELECT id FROM numbered WHERE n = 1) ELSE n.id END,
      e.subject_id, e.number, 'comment', NOW, CASE WHEN n.n % 3 = 0 THEN NULL ELSE NOW END, 'plan' FROM events e JOIN numbered n ON n.n = e.number`);
    await fill(`INSERT INTO plan_reviews SELECT n.id, p.id, p.organization_id, p.id, p.created_by, 'approved', NULL, NOW, NULL
      FROM numbered n JOIN plans p USING (id)`);
    await fill(
      `INSERT INTO plan_review_requests SELECT p.id, p.created_by, p.organization_id, p.created_by, NOW FROM plans p`,
    );
    await fill(`INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state,
        author_kind, author_name, head_branch, base_branch, head_count, labels, created_at, updated_at, last_event,
        discussion_count, open_discussion_count, comment_count)
      SELECT id, organization_id, id, 7, 'git', 'T', '', 'open', 'person', 'A', 'h', 'main', 1, '{}', NOW, NOW, 1, 0, 0, 0
      FROM repositories`);
    await fill(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, author_kind, author_name, body, created_at, sending)
      SELECT id, id, organization_id, 'person', 'A', 'x', NOW, 'none' FROM pull_requests`);
    await fill(`INSERT INTO pull_request_verdicts (id, pull_request_id, organization_id, name, verdict, created_at, sending)
      SELECT id, id, organization_id, 'A', 'approved', NOW, 'none' FROM pull_requests`);
    await fill(
      `INSERT INTO plan_pull_requests SELECT p.id, p.id, p.organization_id, NULL, NULL, 7, p.created_by, NOW FROM plans p`,
    );
    await fill(`INSERT INTO plan_muted_threads SELECT c.author_id, c.id, c.plan_id, c.organization_id, NOW FROM plan_comments c
      JOIN numbered n ON n.id = c.id WHERE n.n % 10 > 1`);
    await fill(`INSERT INTO mail_settings SELECT m.organization_id, m.user_id, 'now', 'now', 'now', 'now', 'daily', NOW
      FROM memberships m`);
    await fill(`INSERT INTO mails (id, organization_id, user_id, digest, item_ids, state, attempts, created_at, due_at, claimed_until)
      SELECT n.id, o.id, n.id, n.n % 2 = 0, ARRAY[n.id], CASE WHEN n.n > 39990 THEN 'sending' WHEN n.n > 39950 THEN 'pending' ELSE 'sent' END,
        CASE WHEN n.n > 39950 THEN 0 ELSE 1 END, NOW - n.n * interval '10 seconds', NOW, NOW
      FROM numbered n JOIN numbered o ON o.n = n.n % ${ORGANIZATIONS} + 1`);
    await fill(`INSERT INTO webhooks (id, organization_id, url, secret, event_kinds, enabled, created_by, created_at, updated_at, deleted_at) SELECT n.id, o.id, 'https://example.com', 'x', '{}', true, n.id, NOW, NOW, NULL
      FROM numbered n JOIN numbered o ON o.n = n.n % ${ORGANIZATIONS} + 1 WHERE n.n <= 8000`);
    await fill(`INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_kind, payload, state, attempts, created_at, queued_at, next_attempt_at, attempt_log)
      SELECT n.id, o.id, w.id, 'comment_added', '{}', CASE WHEN n.n > 39950 THEN 'pending' ELSE 'succeeded' END, 0,
        now() - n.n * interval '10 seconds', CASE WHEN n.n <= 39980 THEN now() END, CASE WHEN n.n > 39950 THEN now() END, '[]'
      FROM numbered n JOIN numbered w ON w.n = CASE WHEN n.n % 10 = 0 THEN 1 ELSE n.n % 8000 + 1 END
      JOIN numbered o ON o.n = w.n % ${ORGANIZATIONS} + 1`);
    await fill(
      `INSERT INTO planner_sessions SELECT o.id, n.id, n.id, NULL, NOW, NOW FROM numbered n JOIN numbered o ON o.n = 1`,
    );
    await fill(
      `INSERT INTO planner_events SELECT n.id, o.id, n.id, n.id, 'x', 'acme/api', NULL, '{}', NOW FROM numbered n JOIN numbered o ON o.n = 1`,
    );
    await fill(
      `DELETE FROM plan_version_repositories v USING numbered n WHERE n.id = v.version_id AND n.n = 14`,
    );
    await fill(
      `UPDATE plans SET changes_requested_at = NOW FROM numbered n WHERE n.id = plans.id AND n.n % 100 = 0`,
    );
    await finishFilling(client);
    const { rows: webhooks } = await client.query<{ organization_id: string }>(
      'SELECT organization_id FROM webhooks WHERE id = $1',
      [await one(1)],
    );
    return {
      unlisted: await one(14),
      known: await one(2),
      organizationId: await one(1),
      busyPlan: await one(10),
      plan: await one(12),
      user: await one(1),
      webhook: await one(1),
      organizationOfWebhook: webhooks[0]!.organization_id,
    };
  });
}
