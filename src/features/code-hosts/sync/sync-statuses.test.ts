/** Statuses of commits that fake hosts have: read with the pull request and after webhooks, shown, and required by a merge rule. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../../../test/code-hosts/connected.ts';
import { startGiteaFake } from '../../../../test/code-hosts/gitea-fake.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db } = service;
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const HEAD = 'a'.repeat(40);
const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
const { fake, model } = host;
const ada = model.account('ada');
const grace = model.account('grace');
const { id: repositoryId, there } = await host.repository('acme/api');
const pullRequest = model.openPullRequest(there, { author: ada, commit: HEAD });
let id: string;

const set = (name: string, state: string, more: object = { app: 'actions' }) =>
  model.setStatus(there, { commit: HEAD, name, state, ...more });
async function deliver() {
  for (const delivery of fake.deliveries.splice(0)) expect(await host.send(delivery)).toBe(204);
}
async function report() {
  await deliver();
  await host.becomeDueForStatuses();
  fake.requests.length = 0;
  await host.work();
}
const read = async (path = '') =>
  (await service.request('GET', `/api/v2/pull-requests/${id}${path}`, { as: withSession(acme.admin) })).body;
const shown = async () =>
  (await read()).statuses.map(
    (status: { name: string; state: string; setBy: { name: string | null } }) =>
      `${status.name} ${status.state} ${status.setBy.name}`,
  );
const events = async () =>
  (await read('/activity')).events
    .filter(({ kind }: { kind: string }) => kind === 'pull_request_statuses_changed')
    .map(({ data }: { data: object }) => data);

beforeAll(async () => {
  set('ci/lint', 'success', { by: ada, title: `No ${TOKEN}`, url: 'https://ci.example/1' });
  set('Countersign', 'success', {});
  await deliver();
  await host.work();
  const row = db.selectFrom('pull_requests').select('id').where('repository_id', '=', repositoryId);
  id = (await row.executeTakeFirstOrThrow()).id;
});
afterAll(async () => {
  await fake.close();
  expect(fake.problems).toEqual([]);
});

describe('statuses of a code host', () => {
  it('are there with the pull request, by whom the host names, without ours, tokens and unsafe addresses', async () => {
    set('unsafe', 'success', { by: ada, url: 'javascript:alert(1)' });
    await report();
    const { statuses, statusSummary } = await read();
    expect(statusSummary).toBe('success');
    expect(statuses).toMatchObject([
      { name: 'ci/lint', url: 'https://ci.example/1', setBy: { with: 'host', id: null, name: 'ada' } },
      { name: 'unsafe', url: null },
    ]);
    expect(statuses[0].description).toMatch(/^No /);
    expect(statuses[0].description).not.toContain(TOKEN);
  });

  it('are read alone after a webhook about them, and what did not change is no event', async () => {
    set('test', 'pending');
    set('test', 'failure');
    set('unsafe', 'skipped', { by: ada });
    there.statuses = there.statuses.filter(({ name }) => name !== 'unsafe');
    await report();
    expect(fake.requests.map(({ path }) => path.split('/').at(-1)).sort()).toEqual([
      'check-runs',
      'statuses',
    ]);
    expect(await shown()).toEqual(['ci/lint success ada', 'test failure actions[bot]']);
    const before = await events();
    expect(before[0]).toEqual({
      ...{ headCommit: HEAD, statuses: [{ name: 'test', state: 'failure' }], total: 1, removed: 1 },
    });
    set('test', 'failure');
    await report();
    expect(fake.requests).toHaveLength(2);
    expect(await events()).toEqual(before);
  });

  it('that come in a burst are read once in a while, and everything is read when something else happened', async () => {
    for (let index = 0; index < 20; index += 1) set(`job/${index}`, 'success');
    await deliver();
    fake.requests.length = 0;
    await host.work();
    expect(fake.requests).toEqual([]);
    model.change(pullRequest, { title: 'Better' });
    await deliver();
    await host.work();
    expect(fake.requests.length).toBeGreaterThan(2);
    expect((await read()).title).toBe('Better');
    expect(await shown()).toHaveLength(22);
    there.statuses = there.statuses.filter(({ name }) => !name.startsWith('job/'));
    set('test', 'failure');
    await report();
    expect(await shown()).toHaveLength(2);
  });

  it('meet a merge rule only if they are set by whom it names, also beside others of that name', async () => {
    const body = {
      pattern: 'main',
      approvals: 0,
      statuses: [{ name: 'test', hostAccounts: ['Actions[bot]'] }],
    };
    const saved = await service.request('PUT', '/api/v2/merge-rules', { as: withSession(acme.admin), body });
    expect(saved.status).toBe(200);
    const requirement = async () => {
      const { requirements } = (await read()).mergeRequirements;
      return requirements.find(({ kind }: { kind: string }) => kind === 'status');
    };
    expect(await requirement()).toMatchObject({ isMet: false, title: 'test failed' });
    there.statuses = [];
    set('test', 'success', { by: grace });
    await report();
    expect(await requirement()).toMatchObject({
      ...{ isMet: false, title: 'test was set by someone who may not set it' },
      detail: 'grace set it. Only Actions[bot] can set it.',
    });
    set('test', 'pending');
    await report();
    expect(await shown()).toEqual(['test (actions[bot]) pending actions[bot]', 'test (grace) success grace']);
    expect(await requirement()).toMatchObject({ isMet: false, title: 'test is pending' });
    set('test', 'success');
    await report();
    expect(await requirement()).toMatchObject({ isMet: true, title: 'test is successful' });
    await host.becomeDue();
    await host.work();
    expect(there.statuses.find(({ name }) => name === 'Countersign: approved')).toMatchObject({
      state: 'success',
    });
    expect(await shown()).toHaveLength(2);
  });

  it('that the credential may not read are said on the page of the host, and count as not set', async () => {
    const github = fake as Awaited<ReturnType<typeof startGitHubFake>>;
    github.forbidden.push('checks');
    await host.becomeDue();
    await host.work();
    github.forbidden.length = 0;
    expect(await shown()).toEqual(['test success grace']);
    const page = await service.request('GET', `/api/v2/code-hosts/${host.id}`, {
      as: withSession(acme.admin),
    });
    expect(page.body.checks).toContainEqual(
      expect.objectContaining({
        name: 'statuses',
        message: expect.stringContaining("can't read check runs"),
      }),
    );
  });
});

it('are asked for again while some are pending on hosts that send no webhooks about them', async () => {
  const gitea = await connectHost(service, acme, 'gitea', (other) => startGiteaFake(other));
  const { id: ownId, there: place } = await gitea.repository('acme/forge');
  const someone = gitea.model.account('linus');
  gitea.model.openPullRequest(place, { author: someone, commit: HEAD });
  gitea.model.setStatus(place, { commit: HEAD, name: 'woodpecker', state: 'pending', by: someone });
  await gitea.work();
  service.clock.advance(20 * 60_000);
  await gitea.becomeDue();
  await gitea.work();
  const due = async () => {
    const row = await db
      .selectFrom('pull_request_syncs')
      .select(['due_at', 'full_due_at', 'started_at'])
      .where('repository_id', '=', ownId)
      .executeTakeFirstOrThrow();
    const started = row.started_at!.getTime();
    return [row.due_at, row.full_due_at].map((at) => Math.round((at!.getTime() - started) / 60_000));
  };
  // Its commits are not in our copy, so that everything is read again when the head is as old again.
  expect(await due()).toEqual([2, 20]);
  gitea.model.setStatus(place, { commit: HEAD, name: 'woodpecker', state: 'success', by: someone });
  await gitea.becomeDueForStatuses();
  await gitea.work();
  const { body } = await service.request('GET', '/api/v2/pull-requests', { as: withSession(acme.admin) });
  expect(
    body.pullRequests.find((one: { repository: { id: string } }) => one.repository.id === ownId),
  ).toMatchObject({
    statusSummary: 'success',
  });
  await gitea.fake.close();
});
