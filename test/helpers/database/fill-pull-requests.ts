/** Fills a database with many pull requests and all that belongs to them, most of it in one organization. */
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';
import { finishFilling, numberRows, startFilling } from './fill-quickly.ts';

const ROWS = 20_000;

/** IDs to query for, from among the rows. */
export interface FilledPullRequests {
  organizationId: string;
  /** A repository with many pull requests. */
  busy: string;
  /** A repository with few. */
  quiet: string;
  pullRequest: string;
  user: string;
}

/** Adds two reviewer trials with these IDs. The first ID is also that of the code host of all repositories. */
export function fillPullRequests(
  connection: Connection,
  trialIds: [string, string],
): Promise<FilledPullRequests> {
  return withConnection(connection, async (client) => {
    await startFilling(client);
    const one = await numberRows(client, ROWS);
    await client.query(`INSERT INTO organizations SELECT id, 'O' || n, now() FROM numbered WHERE n <= 100`);
    await client.query(
      `INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User ' || n, 'x', now(), now() FROM numbered`,
    );
    await client.query(`INSERT INTO former_emails SELECT id, 'former.' || email FROM users`);
    await client.query(`INSERT INTO memberships SELECT o.id, u.id, 'member', now() FROM numbered u
      JOIN numbered o ON o.n = u.n % 100 + 1`);
    await client.query(`INSERT INTO code_hosts SELECT id, id, 'gitea', 'https://example.com', NULL, now(), now()
      FROM numbered WHERE n <= 5000`);
    await client.query(`INSERT INTO host_accounts (id, organization_id, code_host_id, host_account_id, login, name, is_bot, user_id)
      SELECT a.id, o.id, o.id, a.n, 'login', 'Name', false, CASE WHEN a.n % 2 = 0 THEN a.id END
      FROM numbered a JOIN numbered o ON o.n = a.n % 100 + 1`);
    await client.query(`INSERT INTO repositories (id, organization_id, name, created_at, visibility, state)
      SELECT r.id, o.id, 'owner/r' || r.n, now(), CASE WHEN r.n % 3 = 0 THEN 'members' ELSE 'organization' END, 'ready'
      FROM numbered r JOIN numbered o ON o.n = CASE WHEN r.n % 2 = 0 THEN 1 ELSE r.n % 100 + 1 END WHERE r.n <= 2000`);
    await client.query(`INSERT INTO repository_members SELECT r.id, m.user_id, r.organization_id FROM repositories r
      JOIN LATERAL (SELECT user_id FROM memberships m WHERE m.organization_id = r.organization_id LIMIT 3) m ON true`);
    await client.query(`INSERT INTO repository_review_settings (repository_id, organization_id, user_ids, team_ids)
      SELECT id, organization_id, '{}', '{}' FROM repositories`);
    // One in 50 is open; half of the open ones are of plain git, and nearly all of their branches are where they were.
    await client.query(`INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state,
        author_kind, author_user_id, author_account_id, author_name, head_branch, base_branch, head_commit, base_commit,
        head_count, labels, created_at, updated_at, last_event, discussion_count, open_discussion_count, comment_count)
      SELECT p.id, r.organization_id, r.id, p.n, CASE WHEN p.n % 100 < 50 THEN 'host' ELSE 'git' END, 'Title ' || p.n, '',
        CASE p.n % 50 WHEN 0 THEN 'open' WHEN 1 THEN 'closed' ELSE 'merged' END, 'person',
        CASE WHEN p.n % 2 = 0 THEN u.id END, CASE WHEN p.n % 2 = 1 THEN u.id END, 'Name', 'b' || p.n % 401, 'main',
        repeat(CASE WHEN p.n % 10000 = 50 THEN 'b' ELSE 'a' END, 40), repeat('a', 40),
        1, '{}', now() - p.n * interval '1 minute', now() - p.n * interval '1 minute', 1, 0, 0, 0
      FROM numbered p JOIN numbered u ON u.n = p.n / 100 * 100 + 1
      JOIN numbered o ON o.n = CASE WHEN p.n % 8 = 0 THEN 2 ELSE p.n % 1999 + 2 END JOIN repositories r ON r.id = o.id`);
    await client.query(`INSERT INTO repository_refs
      SELECT DISTINCT repository_id, 'branch', unnest(ARRAY['main', head_branch]), organization_id, repeat('a', 40) FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_heads SELECT id, 1, organization_id, repeat('a', 40), NULL, NULL, false, now()
      FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_review_requests SELECT p.id, p.id, p.organization_id, u.id, NULL, 'x', now()
      FROM pull_requests p JOIN numbered u ON u.n = p.number / 50 * 50 + 1 WHERE p.number % 5 = 0`);
    await client.query(`INSERT INTO pull_request_review_requests SELECT gen_random_uuid(), p.id, p.organization_id, NULL, u.id, 'x', now()
      FROM pull_requests p JOIN numbered u ON u.n = p.number / 50 * 50 + 1 WHERE p.number % 5 = 1`);
    await client.query(`INSERT INTO teams (id, organization_id, name, created_at)
      SELECT gen_random_uuid(), o.id, 'team-' || n, now() FROM organizations o, generate_series(1, 20) n`);
    await client.query(`INSERT INTO team_members SELECT t.id, m.user_id, t.organization_id, now()
      FROM teams t JOIN memberships m ON m.organization_id = t.organization_id
      WHERE hashtext(t.id::text || m.user_id) % 10 = 0`);
    await client.query(`INSERT INTO pull_request_review_requests (id, pull_request_id, organization_id, team_id, name, requested_at)
      SELECT gen_random_uuid(), p.id, p.organization_id, t.id, 'x', now()
      FROM pull_requests p JOIN teams t ON t.organization_id = p.organization_id AND t.name = 'team-' || p.number % 20 + 1
      WHERE p.number % 5 = 2`);
    await client.query(`INSERT INTO watches (id, organization_id, repository_id, user_id, paths, since)
      SELECT gen_random_uuid(), r.organization_id, r.id, m.user_id, '{}', now() - interval '1 day' FROM repositories r
      JOIN LATERAL (SELECT user_id FROM memberships m WHERE m.organization_id = r.organization_id LIMIT 3) m ON true`);
    await client.query(`UPDATE pull_requests SET owners_head = head_commit,
      watched_head = CASE WHEN number % 5000 <> 0 THEN head_commit END WHERE state = 'open'`);
    await client.query(`INSERT INTO pull_request_owners (pull_request_id, organization_id, dialect, owned, problems)
      SELECT id, organization_id, 'github', '[]', '[]' FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_verdicts (id, pull_request_id, organization_id, user_id, name, verdict, created_at, sending)
      SELECT id, id, organization_id, NULL, 'x', 'approved', now(), 'none' FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, author_kind, author_name, body, created_at, sending)
      SELECT id, id, organization_id, 'person', 'x', 'x', now(), 'none' FROM pull_requests`);
    // One in 10,000 has a head that was not compared with its discussions and base yet.
    await client.query(`UPDATE pull_requests SET judged_head = head_commit,
      merge_state = 'clean', merge_checked_head = head_commit, merge_checked_base = base_commit,
      owners_head = head_commit, owners_base = base_commit WHERE number % 10000 <> 50`);
    await client.query(`INSERT INTO discussions (id, organization_id, repository_id, pull_request_id, host_thread_id, file, side,
        start_line, end_line, commit, commented_code, author_kind, author_account_id, author_name, created_at, updated_at, status,
        status_cause, status_at, judged_from, sending)
      SELECT id, organization_id, repository_id, id, number, 'a.ts', 'new', 1, 1, repeat('a', 40), 'x', 'person', id, 'x', now(), now(),
        'open', 'opened', now(), 1, 'none' FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_comments (id, pull_request_id, organization_id, discussion_id, author_kind,
        author_user_id, author_name, body, created_at, sending)
      SELECT gen_random_uuid(), id, organization_id, id, 'person', id, 'x', 'x', now(), 'none' FROM pull_requests`);
    await client.query(`INSERT INTO discussion_positions SELECT id, repeat('a', 40), organization_id, 'exact', 'a.ts', 1, 1
      FROM pull_requests`);
    await client.query(`INSERT INTO pending_comments SELECT p.id, p.organization_id, p.id, u.id, NULL, false, 'a.ts', 'new', 1, 1,
        NULL, '', 'x', now(), now() FROM pull_requests p JOIN numbered u ON u.n = 1`);
    await client.query(`INSERT INTO pull_request_viewed_files SELECT u.id, p.id, 'a', p.organization_id, 'b', now()
      FROM pull_requests p JOIN numbered u ON u.n = 1`);
    await client.query(
      `INSERT INTO pull_request_conflicts SELECT id, organization_id, 1, '[]' FROM pull_requests`,
    );
    await client.query(`INSERT INTO commit_statuses SELECT id, organization_id, repository_id, md5(number::text), 'ci',
      'success', '', NULL, 'key', author_user_id, NULL, NULL, now() FROM pull_requests WHERE author_user_id IS NOT NULL`);
    // One in 10,000 is being merged.
    await client.query(`INSERT INTO pull_request_merges (id, organization_id, repository_id, pull_request_id, state, method,
        base_branch, base_commit, head_commit, merge_commit, tree, approver_ids, bypassed, delete_branch, started_at, look_at)
      SELECT id, organization_id, repository_id, id, CASE WHEN number % 10000 = 0 THEN 'pushing' ELSE 'failed' END, 'merge',
        'main', 'a', 'b', id::text, 'c', '{}', '{}', false, now(), now() FROM pull_requests`);
    // One in 1,000 waits to be merged, and was looked at just now.
    await client.query(`INSERT INTO waiting_merges (id, pull_request_id, organization_id, user_id, head_commit, base_branch, method,
        delete_branch, since, looked_event, looked_commits, looked_at)
      SELECT p.id, p.id, p.organization_id, m.user_id, p.head_commit, p.base_branch, 'merge', false, now(), p.last_event,
        concat(p.base_commit, ' ', p.owners_head, ' ', p.owners_base), now()
      FROM pull_requests p CROSS JOIN LATERAL (SELECT user_id FROM memberships WHERE organization_id = p.organization_id
        LIMIT 1) AS m WHERE p.number % 1000 = 0`);
    await client.query(
      `INSERT INTO comment_edits SELECT id, 0, organization_id, 'x', now(), now() FROM pull_requests`,
    );
    await client.query(
      `INSERT INTO deleted_comments SELECT id, organization_id, id, NULL, now(), now(), NULL FROM pull_requests`,
    );
    // One in 10,000 still has a comment on its host that was deleted here.
    await client.query(`INSERT INTO comment_removals SELECT id, organization_id, id, 'conversation:1', 0, now()
      FROM pull_requests WHERE number % 10000 = 50`);
    await client.query(`INSERT INTO comment_reactions SELECT c.id, '+1', u.id, c.organization_id, now()
      FROM pull_request_comments c JOIN numbered u ON u.n = 1`);
    await client.query(`INSERT INTO images SELECT id, organization_id, id, NULL, NULL, 'image/gif', 'GIF89a', 6, now(), now()
      FROM pull_requests WHERE number % 10 = 0`);
    await client.query(`INSERT INTO image_uses SELECT i.id, 'pull_requests', p.id, 0, i.organization_id, p.id, NULL
      FROM images i JOIN LATERAL (SELECT id FROM pull_requests p WHERE p.organization_id = i.organization_id LIMIT 2) p ON true`);
    await client.query(`INSERT INTO suggestion_commits SELECT id, organization_id, repository_id, id, author_user_id, head_branch,
        'a', id::text, ARRAY[id], ARRAY[0], now(), now(), ARRAY[author_user_id] FROM pull_requests`);
    await client.query(`INSERT INTO own_pushes SELECT id, organization_id, repository_id, id, author_user_id, 'update', head_branch, 'a',
        id::text, now() FROM pull_requests`);
    await client.query(`INSERT INTO pull_request_last_seen_heads SELECT u.id, p.id, p.organization_id, repeat('a', 40), now()
      FROM pull_requests p JOIN numbered u ON u.n = 1`);
    // One in 100 has a label that few have.
    await client.query(`UPDATE pull_requests SET labels = CASE WHEN number % 100 = 0 THEN '{often,rare}'::text[] ELSE '{often}' END
      WHERE number % 2 = 0`);
    await client.query(`INSERT INTO pull_request_assignees SELECT p.id, u.id, p.organization_id, now()
      FROM pull_requests p JOIN numbered u ON u.n = p.number / 50 * 50 + 1 WHERE p.number % 5 = 0`);
    await client.query(`INSERT INTO pull_request_mutes SELECT u.id, p.id, p.organization_id, now()
      FROM pull_requests p JOIN numbered u ON u.n = 1`);
    await client.query(`INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at,
        updated_at, version, content_since, last_event, comment_count)
      SELECT p.id, p.organization_id, p.id, 'approved', 'T', 'x', p.id, now(), now(), 1, 1, 1, 0 FROM pull_requests p`);
    await client.query(`INSERT INTO plan_pull_requests SELECT id, id, organization_id, repository_id, 'x', number, id, now()
      FROM pull_requests`);
    await client.query(`INSERT INTO plan_files SELECT id, organization_id, 'src/a.ts' FROM plans`);
    // One in 10,000 is due for a review; all have been reviewed, with one finding each.
    await client.query(`UPDATE pull_requests SET merge_base = repeat('a', 40),
      review_trigger = CASE WHEN number % 10000 = 50 THEN 'pushed' END`);
    await client.query(`INSERT INTO reviewers (id, organization_id, built_in, title, enabled, active_version, newest_version, created_at, updated_at)
      SELECT id, id, 'secrets', 'Secrets', true, 1, 1, now(), now() FROM numbered WHERE n <= 5000`);
    await client.query(`INSERT INTO review_runs SELECT id, organization_id, repository_id, id, 'opened', NULL, repeat('a', 40),
      repeat('a', 40), 'done', NULL, 1, 1, 0, '[]', '[]', now(), now() FROM pull_requests`);
    await client.query(`INSERT INTO review_candidates SELECT id, 0, organization_id, id, organization_id, 'c', CASE WHEN number % 100 = 1 THEN 'secret' ELSE 'other' END, 's', 't', 's', 'f',
      'head', 1, 'q', '[]', NULL, md5(number::text), 'finding', NULL, id FROM pull_requests`);
    await client.query(`INSERT INTO finding_decisions SELECT id, organization_id, repository_id, id, id, md5(number::text), 'repository',
      'wrong', NULL, id, now(), 'c' || number % 200, 'rule', 's', 'f', 'q' FROM pull_requests`);
    await client.query(
      `INSERT INTO review_trials SELECT id, organization_id, organization_id, 1, NULL, id, 'done', now(), now(), now() FROM pull_requests`,
    );
    await client.query(`INSERT INTO code_host_repositories (repository_id, organization_id, code_host_id, host_repository_id, full_name, is_private, connected_at)
      SELECT id, organization_id, '${trialIds[0]}', name, name, false, now() FROM repositories`);
    await client.query(
      `INSERT INTO reviewer_scopes SELECT id, 1, 0, organization_id, NULL, '{}' FROM pull_requests`,
    );
    await client.query(
      `INSERT INTO review_trials SELECT t.id, p.organization_id, p.organization_id, 1, NULL, p.id, 'done', now(), now(), now()
        FROM (SELECT * FROM pull_requests LIMIT 1) p, unnest('{${trialIds.join()}}'::uuid[]) AS t (id)`,
    );
    await client.query(
      `INSERT INTO review_trial_pull_requests SELECT id, 1, organization_id, repository_id, id, NULL, NULL, '[]' FROM pull_requests`,
    );
    await client.query(`INSERT INTO review_reports SELECT id, organization_id, repeat('a', 40), 'success', 't', 't', NULL, NULL, 'sent'
      FROM pull_requests`);
    // One agent's review of each, with one finding and one verdict.
    await client.query(`INSERT INTO agent_reviews SELECT id, organization_id, repository_id, id, id, id, '{}', repeat('a', 40),
      repeat('a', 40), NULL, '{a}', '{}', 1, 0, '[]', now(), now(), NULL FROM pull_requests`);
    await client.query(
      `INSERT INTO agent_findings SELECT id, id, organization_id, 'k', 'accepted', NULL, '{}', now() FROM pull_requests`,
    );
    await client.query(
      `INSERT INTO finding_verdicts SELECT id, id, organization_id, 'confirmed', 'r', now() FROM pull_requests`,
    );
    await finishFilling(client);
    return {
      organizationId: await one(1),
      busy: await one(2),
      quiet: await one(5),
      pullRequest: await one(80),
      user: await one(101),
    };
  });
}
