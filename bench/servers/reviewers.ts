/** P19's own side: the whole service with 200 reviewers and many discussions that they opened. */
import { operations } from '../../src/operations.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';

const REVIEWERS = 200;
const REPOSITORIES = 100;
const PULL_REQUESTS = 50 * REPOSITORIES;
const rows = Number(process.env.ROWS);
const service = await startService(operations);
const { organizationId } = service.owner;

await withConnection(service.connection, async (client) => {
  await client.query('SET session_replication_role = replica'); // Foreign keys are not checked row by row.
  const repositories = Array.from({ length: REPOSITORIES }, () => uuidv7());
  await client.query(
    `INSERT INTO repositories (id, organization_id, name, created_at)
      SELECT id, $1, 'acme/r' || n, now() FROM unnest($2::uuid[]) WITH ORDINALITY AS r (id, n)`,
    [organizationId, repositories],
  );
  await client.query(
    `INSERT INTO pull_requests (id, organization_id, repository_id, number, origin, title, description, state, author_kind, author_name,
        head_branch, base_branch, head_count, labels, created_at, updated_at, last_event, discussion_count, open_discussion_count, comment_count)
      SELECT gen_random_uuid(), $1, id, n, 'git', 'P', '', 'open', 'person', 'A', 'b' || n, 'main', 1, '{}', now(), now(), 1, 0, 0, 0
      FROM unnest($2::uuid[]) AS r (id), generate_series(1, ${PULL_REQUESTS / REPOSITORIES}) n`,
    [organizationId, repositories],
  );
  await client.query(
    `INSERT INTO reviewers (id, organization_id, title, enabled, active_version, newest_version, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'Reviewer ' || n, true, 1, 1, now(), now() FROM generate_series(1, $2::int) n`,
    [organizationId, REVIEWERS - 10],
  );
  await client.query(`INSERT INTO reviewer_versions
    SELECT id, 1, organization_id, title, 'Looks closely.', 'instructions', 'x', NULL, now() FROM reviewers WHERE built_in IS NULL`);
  await client.query(`INSERT INTO reviewer_scopes
    SELECT id, 1, 0, organization_id, NULL, '{}' FROM reviewers WHERE built_in IS NULL`);
  await client.query(
    `INSERT INTO discussions (id, organization_id, repository_id, pull_request_id, file, side, start_line, end_line, commented_code,
        author_kind, author_name, created_at, updated_at, status, status_cause, status_at, judged_from, sending, reviewer_id)
      SELECT gen_random_uuid(), $1, p.repository_id, p.id, 'src/file-' || g.i || '.ts', 'new', 1, 2, 'const a = 1;',
        'reviewer', 'R', now() - g.i * interval '1 second', now(), 'open', 'opened', now(), 1, 'none', v.id
      FROM generate_series(0, $2::int - 1) AS g (i)
      JOIN (SELECT id, repository_id, row_number() OVER () - 1 AS n FROM pull_requests) p ON p.n = g.i % ${PULL_REQUESTS}
      JOIN (SELECT id, row_number() OVER () - 1 AS n FROM reviewers WHERE organization_id = $1) v ON v.n = g.i % ${REVIEWERS}`,
    [organizationId, rows],
  );
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
});
service.announce({ organizationId, connection: JSON.stringify(service.connection) });
