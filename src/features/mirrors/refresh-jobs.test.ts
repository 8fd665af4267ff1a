/** Repositories through the queue of a whole service: added, pushed to, refreshed and removed. */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type FixtureRepository, makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { type GitServer, startGitServer } from '../../../test/helpers/servers/git-server.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';

const service = await startTestService({
  settings: { ALLOW_PRIVATE_ADDRESSES: 'true', ALLOW_LOCAL_REPOSITORIES: 'true' },
  worker: true,
});
const { acme, db, mirrors } = service;
const fixtures: FixtureRepository[] = [];
const servers: GitServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(fixtures.map((fixture) => fixture.remove()));
});

const call = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/repositories${path}`, { as: withSession(acme.admin), body });
async function origin(name: string): Promise<FixtureRepository> {
  const fixture = await makeRepository({ 'a.txt': 'a\n' }, { name });
  fixtures.push(fixture);
  return fixture;
}
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 40_000, interval: 50 });
const get = async (id: string) => (await call('GET', `/${id}`)).body;
const ready = (id: string, commit: string) =>
  eventually(async () =>
    expect(await get(id)).toMatchObject({ state: 'ready', headCommit: commit, activity: null }),
  );

describe('a repository', () => {
  it('is cloned when added, fetched on push or request, and deleted when removed', async () => {
    const fixture = await origin('acme/whole.git');
    const server = await startGitServer({ folder: fixture.parent, username: 'ada', password: 'a-token' });
    servers.push(server);
    const { body } = await call('POST', '', {
      url: `${server.url}/acme/whole.git`,
      credential: { kind: 'password', username: 'ada', password: 'a-token' },
    });
    expect(body).toMatchObject({ name: 'acme/whole', state: 'waiting' });
    const { id } = body;
    await ready(id, await fixture.git('rev-parse', 'main'));
    const { body: push } = await call('POST', `/${id}/push-url`);
    const second = await fixture.commit({ 'b.txt': 'b\n' });
    expect((await service.request('POST', push.url.slice(service.url.length), { body: {} })).status).toBe(
      204,
    );
    await ready(id, second);
    const third = await fixture.commit({ 'c.txt': 'c\n' });
    await call('POST', `/${id}/refresh`);
    await ready(id, third);
    expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(true);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    await eventually(() => expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(false));
    expect(service.logLines.join('')).not.toContain('a-token');
  });

  it('is fetched again when it is due, by one job even with several workers', async () => {
    const fixture = await origin('acme/timed.git');
    const { body } = await call('POST', '', { url: fixture.folder });
    await ready(body.id, await fixture.git('rev-parse', 'main'));
    const next = await fixture.commit({ 'b.txt': 'b\n' });
    await sql`UPDATE repositories SET next_refresh_at = clock_timestamp() WHERE id = ${body.id}`.execute(db);
    await ready(body.id, next);
    const { rows } = await sql<{ jobs: number; group_id: string }>`SELECT count(*)::int AS jobs, group_id
      FROM pgboss.job WHERE name = 'refresh-repository' AND data->>'repositoryId' = ${body.id}
      GROUP BY group_id`.execute(db);
    // A few of each organization at a time.
    expect(rows).toEqual([{ jobs: 2, group_id: acme.id }]);
  });

  it('whose job was lost is queued again', async () => {
    const fixture = await origin('acme/lost.git');
    const { body } = await call('POST', '', { url: fixture.folder });
    await ready(body.id, await fixture.git('rev-parse', 'main'));
    const next = await fixture.commit({ 'b.txt': 'b\n' });
    await sql`UPDATE repositories SET next_refresh_at = clock_timestamp(),
      refresh_queued_at = clock_timestamp() - interval '1 hour' WHERE id = ${body.id}`.execute(db);
    await ready(body.id, next);
  });

  it('that cannot be fetched shows why, and when it will be retried', async () => {
    const { body } = await call('POST', '', { url: 'http://127.0.0.1:1/acme/nothing.git' });
    await eventually(async () => {
      const repository = await get(body.id);
      expect(repository).toMatchObject({ state: 'failed', activity: null });
      expect(repository.problem.message).toContain('could not be reached');
      expect(Date.parse(repository.problem.nextTryAt)).toBeGreaterThan(Date.parse(repository.problem.at));
    });
  });
});

describe('plans posted before their repository was added', () => {
  const post = async (repoNames: string[], who = acme.member) => {
    const { body, status } = await service.request('POST', '/api/v2/plans', {
      as: { key: who.key },
      body: {
        seriesKey: crypto.randomUUID(),
        content: '# Plan\n\nChange `src/a.ts`.',
        agentVendor: 'codex',
        repoNames,
      },
    });
    expect(status).toBe(201);
    return body.seriesId;
  };
  const plan = async (seriesId: string, who = acme.owner) =>
    (await service.request('GET', `/api/v2/plans/${seriesId}`, { as: withSession(who) })).body;

  it('are linked to it once it is cloned, and show how far it has moved on', async () => {
    const fixture = await makeRepository(
      { 'src/a.ts': 'one\n', 'src/b.ts': 'one\n' },
      { name: 'acme/later.git' },
    );
    fixtures.push(fixture);
    const then = await fixture.git('rev-parse', 'main');
    const plans = [
      await post(['Acme/Later']),
      await post(['later']),
      await post(['later', 'acme/later']),
      await post(['other/later']),
    ];
    const { body } = await call('POST', '', { url: fixture.folder });
    await ready(body.id, then);
    const linked = {
      repoId: body.id,
      repoName: 'acme/later',
      headThen: then,
      headNow: then,
      state: 'current',
      changedFiles: [],
    };
    expect((await plan(plans[0]!)).freshness).toEqual([linked]);
    expect((await plan(plans[1]!)).freshness).toEqual([linked]);
    expect(
      (await plan(plans[2]!)).freshness.filter((each: { repoId: unknown }) => each.repoId !== null),
    ).toEqual([linked]);
    expect((await plan(plans[3]!)).freshness).toMatchObject([
      { repoId: null, repoName: 'other/later', state: 'unknown' },
    ]);
    const now = await fixture.commit({ 'src/a.ts': 'two\n', 'src/b.ts': 'two\n' });
    await call('POST', `/${body.id}/refresh`);
    await ready(body.id, now);
    expect((await plan(plans[0]!)).freshness).toEqual([
      { ...linked, headNow: now, state: 'behind', changedFiles: ['src/a.ts'] },
    ]);
  });

  it('reveal nothing about a repository that their author or a reader cannot see', async () => {
    const fixture = await makeRepository({ 'src/a.ts': 'one\n' }, { name: 'acme/closed.git' });
    fixtures.push(fixture);
    const byMember = await post(['closed']);
    const byOwner = await post(['closed'], acme.owner);
    const { body } = await call('POST', '', { url: fixture.folder, visibility: 'members' });
    await ready(body.id, await fixture.git('rev-parse', 'main'));
    expect((await plan(byMember)).repos).toEqual([{ repoId: null, repoName: 'closed' }]);
    expect((await plan(byOwner)).repos).toEqual([{ repoId: body.id, repoName: 'acme/closed' }]);
    expect((await plan(byOwner)).freshness).toMatchObject([{ state: 'current' }]);
    expect((await plan(byOwner, acme.viewer)).freshness).toMatchObject([
      { state: 'unknown', headThen: null, headNow: null, changedFiles: null },
    ]);
    const versionAs = async (who: typeof acme.owner) =>
      (
        await service.request('GET', `/api/v2/plans/${byOwner}/versions/1`, { as: withSession(who) })
      ).body.repos.map((each: { headCommit: string | null }) => each.headCommit);
    expect(await versionAs(acme.owner)).toEqual([await fixture.git('rev-parse', 'main')]);
    expect(await versionAs(acme.viewer)).toEqual([null]);
    // A plan posted now doesn't reveal it to the member either, by name or by id.
    expect((await plan(await post(['closed']))).repos).toEqual([{ repoId: null, repoName: 'closed' }]);
    const byId = await service.request('POST', '/api/v2/plans', {
      as: { key: acme.member.key },
      body: { seriesKey: crypto.randomUUID(), content: 'x', agentVendor: 'codex', repoIds: [body.id] },
    });
    expect([byId.status, byId.body.errors[0].path]).toEqual([400, 'repoIds[0]']);
  });

  it('stay unlinked when two repositories end in the name', async () => {
    const seriesId = await post(['twin']);
    await db
      .insertInto('repositories')
      .values({ id: uuidv7(), organization_id: acme.id, name: 'b/twin', created_at: new Date() })
      .execute();
    const fixture = await origin('a/twin.git');
    const { body } = await call('POST', '', { url: fixture.folder });
    await ready(body.id, await fixture.git('rev-parse', 'main'));
    expect((await plan(seriesId)).repos).toEqual([{ repoId: null, repoName: 'twin' }]);
  });
});
