/** P15's sides: the whole service with many discussions, and one branch whose pull request has 200 of them with 2,000 comments. */
import { operations } from '../../src/operations.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';

const rows = Number(process.env.ROWS);
const service = await startService(operations);
const { organizationId, userId } = service.owner;
const [repositoryId, pullRequestId] = [uuidv7(), uuidv7()];

const PULL_REQUEST = `(id, organization_id, repository_id, number, origin, title, description, state, author_kind, author_name,
  head_branch, base_branch, head_count, labels, created_at, updated_at, last_event, discussion_count, open_discussion_count, comment_count)`;
const DISCUSSION = `(id, organization_id, repository_id, pull_request_id, file, side, start_line, end_line, commented_code, author_kind,
  author_user_id, author_name, created_at, updated_at, status, status_cause, status_at, judged_from, sending)`;
const COMMENT = `(id, pull_request_id, organization_id, discussion_id, author_kind, author_user_id, author_name, body, created_at, sending)`;

await withConnection(service.connection, async (client) => {
  await client.query('SET session_replication_role = replica'); // Foreign keys are not checked row by row.
  await client.query(`INSERT INTO repositories (id, organization_id, name, created_at)
    VALUES ('${repositoryId}', '${organizationId}', 'acme/measured', now())`);
  const fill = async (id: string, branch: string, number: number) =>
    client.query(`INSERT INTO pull_requests ${PULL_REQUEST}
      VALUES ('${id}', '${organizationId}', '${repositoryId}', ${number}, 'git', 'Measured', '', 'open', 'person', 'A', '${branch}', 'main',
        1, '{}', now(), now(), 1, 200, 200, 2000)`);
  await fill(pullRequestId, 'measured', 1);
  // The others have 200 each.
  const others = Math.ceil(rows / 200);
  await client.query(`INSERT INTO pull_requests ${PULL_REQUEST}
    SELECT gen_random_uuid(), '${organizationId}', '${repositoryId}', n + 1, 'git', 'Other', '', 'merged', 'person', 'A', 'branch-' || n, 'main',
      1, '{}', now(), now(), 1, 200, 0, 200 FROM generate_series(1, ${others}) n`);
  const discussions = (from: string, count: string) =>
    client.query(`INSERT INTO discussions ${DISCUSSION}
      SELECT gen_random_uuid(), '${organizationId}', '${repositoryId}', p.id, 'src/file-' || n || '.ts', 'new', n, n + 2,
        'const a = 1;', 'person', '${userId}', 'A', now() - n * interval '1 second', now(), 'open', 'opened', now(), 1, 'none'
      FROM ${from} p, generate_series(1, ${count}) n`);
  await discussions('pull_requests', '200');
  await client.query(`INSERT INTO pull_request_comments ${COMMENT}
    SELECT gen_random_uuid(), d.pull_request_id, '${organizationId}', d.id, 'person', '${userId}', 'A', repeat('Is that so? ', 10),
      now() - n * interval '1 second', 'none'
    FROM discussions d, generate_series(1, 10) n WHERE d.pull_request_id = '${pullRequestId}' OR n = 1`);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
});
service.announce({ pullRequestId, connection: JSON.stringify(service.connection) });
