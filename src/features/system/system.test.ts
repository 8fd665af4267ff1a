/** The System page over HTTP: admins see the installation and their own organization's jobs, and nothing of other organizations. */
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { checkSystem } from './check-system.ts';
import { getSystem } from './get-system.ts';
import { listFailedJobs } from './list-failed-jobs.ts';
import { runJobsAgain } from './run-jobs-again.ts';

const service = await startTestService({ worker: true });
const { acme, db, globex } = service;
const admin = withSession(acme.admin);
const at = service.clock.now();
await vi.waitFor(async () => {
  const { rows } = await sql`SELECT 1 FROM pgboss.queue WHERE name = 'check-code-host'`.execute(db);
  expect(rows).toHaveLength(1);
}, 20_000);

/** One repository, code host and delivery for each organization. */
async function seed(organizationId: string, userId: string, name: string) {
  const [repositoryId, codeHostId, webhookId, deliveryId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const shared = { organization_id: organizationId, created_at: at };
  await db
    .insertInto('repositories')
    .values({ id: repositoryId, name, ...shared })
    .execute();
  const host = {
    id: codeHostId,
    kind: 'gitea' as const,
    url: `https://${name}.example`,
    updated_at: at,
    ...shared,
  };
  const problem = { state: 'unreachable' as const, problem: `${name} is down` };
  await db
    .insertInto('code_hosts')
    .values({ ...host, ...problem })
    .execute();
  await db
    .insertInto('webhooks')
    .values({
      id: webhookId,
      url: 'https://hook.example',
      event_kinds: [],
      enabled: true,
      created_by: userId,
      updated_at: at,
      ...shared,
    })
    .execute();
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: deliveryId,
      webhook_id: webhookId,
      event_kind: 'x',
      payload: '{}',
      state: 'failed',
      attempts: 9,
      attempt_log: '[]',
      ...shared,
    })
    .execute();
  return { repositoryId, codeHostId, deliveryId, organizationId };
}
const ours = await seed(acme.id, acme.admin.userId, 'payments');
const theirs = await seed(globex.id, globex.admin.userId, 'globex-secret');

/** A job whose last run failed, and which is not due for a day. */
async function fail(kind: string, data: Record<string, string>, state: 'retry' | 'failed' = 'retry') {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO pgboss.job (name, data, state, start_after, started_on, retry_limit, retry_count, output, policy)
    VALUES (${kind}, ${JSON.stringify(data)}::jsonb, ${state}::pgboss.job_state, now() + interval '1 day', now(), 1000, 3,
      '{"message": "no luck"}', 'standard') RETURNING id`.execute(db);
  return rows[0]!.id;
}
const failed = async (as = admin) => (await service.call(listFailedJobs, {}, as)).body;
const again = async (input: object, as = admin) => (await service.call(runJobsAgain, { ...input }, as)).body;
const stateOf = async (id: string) => {
  const { rows } = await sql<{ state: string; due: boolean }>`
    SELECT state::text, start_after <= now() AS due FROM pgboss.job WHERE id = ${id}`.execute(db);
  return rows[0];
};
beforeEach(async () => {
  await sql`DELETE FROM pgboss.job`.execute(db);
});

it('shows versions, sizes, the nodes that are alive, and the queue', async () => {
  await fail('deliver-webhook', { deliveryId: theirs.deliveryId });
  const { body, status } = await service.call(getSystem, {}, admin);
  expect(status).toBe(200);
  expect(body.versions).toEqual({
    countersign: expect.stringMatching(/^\d+\.\d+/),
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+/),
    git: expect.stringMatching(/^\d+\.\d+/),
    ripgrep: expect.stringMatching(/^\d+\.\d+/),
  });
  expect(body.sizes).toEqual({
    databaseBytes: expect.any(Number),
    mirrorBytes: 0,
    mirrorsCounted: true,
    diskFreeBytes: expect.any(Number),
  });
  expect(body.nodes).toEqual([
    {
      host: expect.toSatisfy((host: string) => host !== '' && hostname().startsWith(host)),
      roles: ['web', 'worker'],
      version: body.versions.countersign,
      since: expect.any(String),
    },
  ]);
  expect(body.queues).toEqual([
    { kind: 'deliver-webhook', waiting: 1, running: 0, failing: 0, lagSeconds: 0 },
  ]);
  expect(body.backup).toBeNull();
});

it('checks what doctor checks, and names nothing of another organization', async () => {
  const { body } = await service.call(checkSystem, {}, admin);
  const named = Object.fromEntries(
    body.checks.map((check: { name: string }) => [check.name, { ...check, name: undefined }]),
  );
  expect(named.Database.state).toBe('good');
  expect(named.ripgrep.state).toBe('good');
  expect(named.Address).toEqual({ state: 'good', detail: service.url, next: null });
  expect(named['Code hosts']).toEqual({
    state: 'bad',
    detail: 'https://payments.example: payments is down',
    next: 'See Settings → Code hosts.',
  });
  expect(named.Webhooks.detail).toBe('1 delivery of 1 webhook failed in the last 24 hours');
  expect(named.Model).toMatchObject({ state: 'skipped', detail: 'not set up' });
  expect(JSON.stringify(body)).not.toContain('globex');
});

describe('failed jobs', () => {
  const KINDS = [
    ['review-pull-request', 'organizationId'],
    ['refresh-repository', 'repositoryId'],
    ['check-code-host', 'codeHostId'],
    ['deliver-webhook', 'deliveryId'],
  ] as const;

  it('are those of the organization and of the installation, never those of another or of nobody', async () => {
    const seen = [await fail('sync-repository', {})];
    const hidden: string[] = [];
    for (const [kind, name] of KINDS) {
      seen.push(await fail(kind, { [name]: ours[name] }));
      hidden.push(await fail(kind, { [name]: theirs[name] }), await fail(kind, { [name]: uuidv7() }));
    }
    const { jobs, more } = await failed();
    expect(jobs.map(({ id }: { id: string }) => id).toSorted()).toEqual(seen.toSorted());
    expect(more).toBe(false);
    expect(jobs.find(({ kind }: { kind: string }) => kind === 'refresh-repository')).toEqual({
      id: seen[2],
      kind: 'refresh-repository',
      state: 'retrying',
      attempts: 4,
      lastRunAt: expect.any(String),
      nextRunAt: expect.any(String),
      error: 'no luck',
      repository: 'payments',
    });
    for (const [kind] of KINDS) await again({ kind });
    for (const id of hidden)
      expect([await again({ kind: KINDS[0][0], id }), await stateOf(id)]).toEqual([
        { count: 0 },
        { state: 'retry', due: false },
      ]);
  });

  it('run once when two admins click at the same time, which is recorded once', async () => {
    const id = await fail('deliver-webhook', { deliveryId: ours.deliveryId }, 'failed');
    const other = await fail('deliver-webhook', { deliveryId: ours.deliveryId });
    const counts = await Promise.all(
      [admin, withSession(acme.owner)].map((as) => again({ kind: 'deliver-webhook', id }, as)),
    );
    expect(counts.map(({ count }) => count).toSorted()).toEqual([0, 1]);
    expect(await stateOf(other)).toEqual({ state: 'retry', due: false });
    const records = await db
      .selectFrom('audit_events')
      .select(['organization_id', 'subject_id', 'subject_name', 'detail'])
      .where('action', '=', 'job.run_again')
      .where('subject_id', '=', id)
      .execute();
    expect(records).toEqual([
      { organization_id: acme.id, subject_id: id, subject_name: 'deliver-webhook', detail: { count: 1 } },
    ]);
    // The worker runs it: the delivery is done already, so the job completes.
    await vi.waitFor(async () => expect((await stateOf(id))!.state).toBe('completed'), 20_000);
  });

  it('are for admins', async () => {
    const { status } = await service.call(runJobsAgain, { kind: 'x' }, withSession(acme.member));
    expect(status).toBe(403);
  });
});
