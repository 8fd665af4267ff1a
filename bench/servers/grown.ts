/** P14's sides: the whole service with the given number of plans, comments and events, and the plan that requests go to. */
import { randomUUID } from 'node:crypto';
import { operations } from '../../src/operations.ts';
import { hashOf, newToken } from '../../src/platform/core/text/secret-token.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';

const rows = Number(process.env.ROWS);
const service = await startService(operations);
const { db, key, owner, url } = service;
const { organizationId, userId } = owner;

const post = async (path: string, body: unknown) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : ((await response.json()) as Record<string, string>);
};
const makePlan = async () => {
  const seriesKey = randomUUID();
  const content = '# A plan\n\nThe sentence that everybody talks about.\n\n- `src/a.ts`\n';
  const plan = { seriesKey, content, agentVendor: 'codex', repoNames: ['acme/measured'] };
  return (await post('/api/v2/plans', plan))!;
};
const busy = await makePlan();
const quiet = await makePlan();
for (let index = 0; index < 20; index += 1) {
  await post(`/api/v2/plans/${quiet.seriesId}/comments`, { body: 'Is that so?', versionId: quiet.versionId });
}
await post('/api/v2/mcp-sessions/events', { sessionId: busy.seriesId, eventType: 'planner_session_started' });

// Outside the pool, which cancels long statements.
await withConnection(service.connection, async (client) => {
  await client.query('SET session_replication_role = replica'); // Foreign keys are not checked row by row.
  await client.query(`
  WITH made AS (
    INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at, updated_at,
      version_id, version, content_since, last_event, comment_count)
    SELECT made.id, '${organizationId}', made.id, (ARRAY['pending', 'approved', 'implemented', 'closed'])[n % 4 + 1],
      'Plan ' || n, 'codex', '${userId}', now() - n * interval '1 second', now() - n * interval '1 second', made.id, 1, 1, 1, 0
    FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${rows}) n) made
    RETURNING id, created_at, title
  ), versions AS (
    INSERT INTO plan_versions (id, plan_id, organization_id, version, title, content, unchanged, author_id, author_kind,
      agent_vendor, created_at, compared_at)
    SELECT id, id, '${organizationId}', 1, title, '# ' || title || repeat(' words', 20), false, '${userId}', 'key',
      'codex', created_at, created_at
    FROM made
    RETURNING id, plan_id, title
  ), events AS (
    INSERT INTO events (subject_kind, subject_id, number, organization_id, kind, actor_kind, actor_user_id, data, created_at)
    SELECT 'plan', id, 1, '${organizationId}', 'plan_created', 'key', '${userId}', '{}', created_at FROM made
  ), words AS (
    INSERT INTO plan_words (plan_id, organization_id, part, words)
    SELECT plan_id, '${organizationId}', 0, array_to_tsvector(ARRAY['plan', 'words', regexp_replace(title, '\\D', '', 'g')])
    FROM versions
  )
  INSERT INTO plan_version_repositories (version_id, position, plan_id, organization_id, name)
  SELECT id, 0, plan_id, '${organizationId}', 'acme/r' || (random() * 1000)::int FROM versions`);
  // A tenth of all comments and events belong to the measured plan.
  await client.query(`
  INSERT INTO plan_comments (id, plan_id, organization_id, version_id, thread_id, author_id, author_kind, body, created_at)
  SELECT c.id, p.id, '${organizationId}', p.version_id, c.id, '${userId}', 'key', 'Comment ' || c.n, now() - c.n * interval '1 second'
  FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${rows}) n) c
  CROSS JOIN (SELECT array_agg(id) AS ids FROM (SELECT id FROM plans WHERE title <> 'A plan' LIMIT 997) AS few) others
  JOIN plans p ON p.id = CASE WHEN c.n % 10 = 0 THEN (SELECT id FROM plans WHERE series_id = '${busy.seriesId}')
    ELSE others.ids[c.n % 997 + 1] END`);
  await client.query(`
  INSERT INTO planner_events (id, organization_id, session_id, user_id, event_type, repository, created_at)
  SELECT gen_random_uuid(), '${organizationId}', '${busy.seriesId}', '${userId}', 'planner_tool_called', 'acme/r' || n % 50,
    now() - n * interval '1 second'
  FROM generate_series(1, ${rows}) n`);
  await client.query(`VACUUM ANALYZE`);
  await client.query(`CHECKPOINT`);
});

const token = newToken();
const now = new Date();
await db
  .insertInto('sessions')
  .values({
    id: uuidv7(),
    token_hash: hashOf(token),
    organization_id: organizationId,
    user_id: userId,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + 86_400_000),
    user_agent: null,
    address: '127.0.0.1',
  })
  .execute();
service.announce({
  token,
  busySeries: busy.seriesId!,
  busyVersion: busy.versionId!,
  quietSeries: quiet.seriesId!,
});
