/** Statuses of commits: set by CI with a key, by people and by agents, at once and again, and who sees them. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runInProcess } from '../../../../test/helpers/processes/command-in-process.ts';
import { addRepository, type TestRepository } from '../../../../test/helpers/rows/code.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect } from '../../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../../test/mcp/tool-calls.ts';
import { signInAgent } from '../../../../test/oauth/agent.ts';
import { STATUS_LIMITS } from '../../statuses/index.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, db, globex } = service;
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
let repository: TestRepository;
let head: string;
let id: string;

beforeAll(async () => {
  repository = await addRepository(service, { 'a.txt': 'one\n' }, { fullName: 'acme/built' });
  const root = await repository.git('rev-parse', 'main');
  await repository.commit({ 'a.txt': 'two\n' }, { branch: 'feature', from: root });
  await repository.refresh();
  head = await repository.git('rev-parse', 'feature');
  const body = { repository: repository.fullName, head: 'feature', title: 'Two' };
  id = (await service.request('POST', '/api/v2/pull-requests', { as: withSession(acme.member), body })).body
    .id;
});

const set = (body: object, person: Person = acme.member) =>
  service.request('POST', '/api/v2/commit-statuses', {
    as: withSession(person),
    body: { repository: 'acme/built', commit: head, name: 'ci/test', state: 'success', ...body },
  });
const read = async () =>
  (await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(acme.viewer) })).body;
const named = async (name: string) =>
  (await read()).statuses.find((status: { name: string }) => status.name === name);
const events = async (): Promise<{ data: unknown }[]> =>
  (
    await service.request('GET', `/api/v2/pull-requests/${id}/activity`, { as: withSession(acme.viewer) })
  ).body.events.filter(({ kind }: { kind: string }) => kind === 'pull_request_statuses_changed');

describe('a status', () => {
  it('is set by CI with a key from the command line, and shown with who set it, once however often it is sent', async () => {
    const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: acme.member.key };
    const run = (...words: string[]) =>
      runInProcess(['status', 'set', '--name', 'ci/build', ...words], { env });
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(repository.folder);
    const words = ['--repository', 'acme/built', '--commit', 'feature', '--state'];
    expect(await run(...words, 'pending')).toMatchObject({ code: 0 });
    expect((await read()).statusSummary).toBe('pending');
    const failed = ['failure', '--url', 'https://ci.example/7', '--description', `No ${TOKEN}`];
    const done = await run(...words, ...failed);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('ci/build is failure at') });
    const before = await events();
    await run(...words, ...failed);
    expect(await events()).toEqual(before);
    expect(await run(...words, 'great')).toMatchObject({ code: 3 });
    expect(await run('--commit', 'nowhere', '--state', 'error')).toMatchObject({ code: 2 });
    cwd.mockRestore();
    expect(before.map(({ data }) => data)).toMatchObject([
      { headCommit: head, statuses: [{ name: 'ci/build', state: 'failure' }], total: 1 },
      { statuses: [{ name: 'ci/build', state: 'pending' }] },
    ]);
    const status = await named('ci/build');
    expect(status).toMatchObject({
      state: 'failure',
      url: 'https://ci.example/7',
      setBy: { with: 'key', id: acme.member.userId, name: acme.member.name, keyName: expect.any(String) },
    });
    expect(status.description).toMatch(/^No /);
    expect(status.description).not.toContain(TOKEN);
    const listed = await service.request('GET', '/api/v2/pull-requests', { as: withSession(acme.viewer) });
    expect(listed.body.pullRequests).toMatchObject([{ id, statusSummary: 'failure' }]);
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const review = await callTool(client, 'get_branch_discussions', {
      repository: 'acme/built',
      branch: 'feature',
    });
    expect(review.structured.pullRequest.statuses).toEqual([
      { name: 'ci/build', state: 'failure', url: 'https://ci.example/7' },
    ]);
  });

  it('of an agent’s sign-in says so, and replaces none that a key or a person set', async () => {
    const { tokens } = await signInAgent(service, acme.member);
    const agent = await connect(service.url, { authorization: `Bearer ${tokens.access_token}` });
    const given = { repository: 'acme/built', commit: head, state: 'success' };
    expect(await failTool(agent, 'set_status', { ...given, name: 'ci/build' })).toContain("can't replace it");
    expect((await named('ci/build')).state).toBe('failure');
    const { structured } = await callTool(agent, 'set_status', { ...given, name: 'agent/lint' });
    expect(structured).toMatchObject({ commit: head, state: 'success', pullRequestCount: 1 });
    expect((await named('agent/lint')).setBy).toMatchObject({ with: 'oauth', keyName: null });
    expect((await set({ name: 'agent/lint', state: 'error' })).status).toBe(200);
    expect((await named('agent/lint')).setBy).toMatchObject({ with: 'session', id: acme.member.userId });
  });

  it('needs a pushed commit, a repository of plain git that the caller sees, and valid fields', async () => {
    const unknown = await set({ commit: 'd'.repeat(40) });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'ref_not_found']);
    expect(unknown.body.detail).toContain('push it first');
    for (const [body, path] of [
      [{ commit: head.slice(0, 8) }, 'commit'],
      [{ name: 'x'.repeat(STATUS_LIMITS.nameCharacters + 1) }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ state: 'skipped' }, 'state'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: 'https://user:password@ci.example' }, 'url'],
    ] as const)
      expect((await set(body)).body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
    expect((await set({}, acme.viewer)).status).toBe(403);
    expect((await set({}, globex.owner)).status).toBe(404);
    const visibility = (value: string) =>
      service.request('PATCH', `/api/v2/repositories/${repository.id}`, {
        as: withSession(acme.admin),
        body: { visibility: value },
      });
    expect((await visibility('members')).status).toBe(200);
    expect((await set({}, acme.member)).status).toBe(404);
    await visibility('organization');
  });

  it('is the last of many written at once; a commit takes no more names than the limit', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => set({ name: 'ci/race', description: `run ${index}` })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const newest = (await events())[0]!;
    expect(newest.data).toMatchObject({ statuses: [{ name: 'ci/race' }] });
    const [known] = await Promise.all([read()]);
    const free = STATUS_LIMITS.maxNames - known.statuses.length;
    await db
      .insertInto('commit_statuses')
      .values(
        Array.from({ length: free - 1 }, (_, index) => ({
          ...{ id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, organization_id: acme.id },
          ...{ repository_id: repository.id, commit: head, name: `n${index}`, state: 'success' as const },
          ...{ description: '', url: null, set_with: 'key' as const, user_id: acme.member.userId },
          ...{ key_name: null, account_login: null, updated_at: new Date() },
        })),
      )
      .execute();
    const last = await Promise.all([set({ name: 'last/one' }), set({ name: 'last/two' })]);
    expect(last.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read()).statuses).toHaveLength(STATUS_LIMITS.maxNames);
    expect((await set({ name: 'ci/race', state: 'failure' })).status).toBe(200);
  });

  it('stays with its commit: a new head has none', async () => {
    const statuses = (await read()).statuses.length;
    expect(statuses).toBeGreaterThan(0);
    await db
      .updateTable('pull_requests')
      .set({ head_commit: 'e'.repeat(40) })
      .where('id', '=', id)
      .execute();
    expect(await read()).toMatchObject({ statuses: [], statusSummary: null });
    const count = (await events()).length;
    expect((await set({ name: 'ci/race', state: 'success' })).body.pullRequests).toBe(0);
    expect(await events()).toHaveLength(count);
  });
});
