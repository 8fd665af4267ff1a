/** Plans and their linked pull requests: what the plan shows, and when an approved plan becomes implemented. */
import { describe, expect, it } from 'vitest';
import { act, makeColleague, postPlan } from '../../../../test/helpers/rows/plans.ts';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import type { PullRequestState } from '../contract.ts';
import { BY_SERVICE, withPullRequestAs } from '../index.ts';

const service = await startTestService();
const { acme, clock, db } = service;
const { member, owner, viewer } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const secret = await makeRepositoryRow(service, acme.id, { name: 'acme/secret', members: [member] });

async function approvedPlan(): Promise<string> {
  const { body } = await postPlan(service, member, { content: '# Plan\n\nChange `src/a.ts`.' });
  await act(service, owner, body, 'approve', { versionId: body.versionId });
  return body.seriesId;
}
const link = (seriesId: string, prNumber: number, repoId: string) =>
  service.request('POST', `/api/v2/plans/${seriesId}/pull-requests`, {
    as: withKey(member),
    body: { prNumber, repoId },
  });
const readPlan = async (seriesId: string, person = member) =>
  (await service.request('GET', `/api/v2/plans/${seriesId}`, { as: withSession(person) })).body;
const move = (id: string, to: PullRequestState, announce: (topic: string) => void = () => undefined) =>
  withPullRequestAs(
    { db, announce },
    { ...BY_SERVICE, organizationId: acme.id },
    id,
    clock.now(),
    async (change) => change.setState(to),
  );

describe('a linked pull request', () => {
  it('shows its title, state and page, or its page on the code host', async () => {
    const plan = await approvedPlan();
    const here = await makePullRequest(service, api, { title: 'Here' });
    const there = await makePullRequest(service, api, {
      origin: 'host',
      url: 'https://git.example/acme/api/2',
    });
    const { body } = await link(plan, here.number, api.id);
    expect(body.pullRequests).toMatchObject([
      {
        pullRequestId: here.id,
        title: 'Here',
        state: 'open',
        url: `${service.url}/pull-requests/${here.id}`,
      },
    ]);
    await link(plan, there.number, api.id);
    await service.request('POST', `/api/v2/plans/${plan}/pull-requests`, {
      as: withKey(member),
      body: { prNumber: 4711, repoName: 'acme/elsewhere' },
    });
    expect((await readPlan(plan)).pullRequests.slice(1)).toMatchObject([
      { state: 'open', url: 'https://git.example/acme/api/2' },
      { prNumber: 4711, pullRequestId: null, title: null, state: null, url: null },
    ]);
  });

  it('must be one that the repository has, if it has any; nothing is said about repositories that are not seen', async () => {
    const full = await makeRepositoryRow(service, acme.id, { name: 'acme/full' });
    for (const number of [2, 7, 8, 9, 30, 31]) await makePullRequest(service, full, { number });
    const { body: plan } = await postPlan(service, member, { repoNames: ['acme/full'] });
    const { body, status } = await link(plan.seriesId, 12, full.id);
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'prNumber', message: 'is not a pull request of acme/full; the nearest are #2, #7, #8, #9' }],
    ]);
    const byPlan = await service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, {
      as: withKey(member),
      body: { prNumber: 12 },
    });
    expect(byPlan.status).toBe(400);
    for (const repoName of ['Full', ' acme/full ', 'acme/full.git', '/acme//full/']) {
      const named = await service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, {
        as: withKey(member),
        body: { prNumber: 12, repoName },
      });
      expect([repoName, named.status]).toEqual([repoName, 400]);
    }
    expect((await readPlan(plan.seriesId)).status).toBe('pending');
    expect((await link(plan.seriesId, 30, full.id)).status).toBe(200);
    const empty = await makeRepositoryRow(service, acme.id, { name: 'acme/empty' });
    expect((await link(plan.seriesId, 12, empty.id)).status).toBe(200);
    const { body: other } = await postPlan(service, member, { repoNames: ['acme/secret'] });
    await makePullRequest(service, secret);
    const unseen = await service.request('POST', `/api/v2/plans/${other.seriesId}/pull-requests`, {
      as: withKey(await makeColleague(service)),
      body: { prNumber: 4711 },
    });
    expect(unseen.status).toBe(200);
  });

  it('is only a number for people who cannot see its repository', async () => {
    const plan = await approvedPlan();
    const hidden = await makePullRequest(service, secret, { title: 'Hidden' });
    await link(plan, hidden.number, secret.id);
    expect((await readPlan(plan, member)).pullRequests).toMatchObject([{ title: 'Hidden' }]);
    expect((await readPlan(plan, viewer)).pullRequests).toMatchObject([
      { title: null, state: null, url: null },
    ]);
  });

  it('belongs to a repository that is added later, by its name or the last part of it', async () => {
    const plans = [await approvedPlan(), await approvedPlan(), await approvedPlan()];
    for (const [index, repoName] of ['acme/later', 'LATER', 'other/later'].entries())
      await service.request('POST', `/api/v2/plans/${plans[index]}/pull-requests`, {
        as: withKey(member),
        body: { prNumber: 1, repoName },
      });
    const added = await service.request('POST', '/api/v2/repositories', {
      as: withSession(acme.admin),
      body: { url: 'https://1.1.1.1/acme/later.git', name: 'acme/later' },
    });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const links = await Promise.all(plans.map(async (plan) => (await readPlan(plan)).pullRequests[0]));
    expect(links.map(({ repoId, repoName }) => [repoId, repoName])).toEqual([
      [added.body.id, 'acme/later'],
      [added.body.id, 'acme/later'],
      [null, 'other/later'],
    ]);
  });

  it('lists the plan with the files that it names', async () => {
    const plan = await approvedPlan();
    const { id, number } = await makePullRequest(service, api);
    await link(plan, number, api.id);
    const { body } = await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(viewer) });
    expect(body.plans).toEqual([
      { seriesId: plan, title: 'Plan', status: 'approved', reviewState: 'approved', files: ['src/a.ts'] },
    ]);
  });
});

describe('an approved plan', () => {
  const linked = async (count: number) => {
    const plan = await approvedPlan();
    const made = [];
    for (let index = 0; index < count; index += 1) {
      const pullRequest = await makePullRequest(service, api);
      await link(plan, pullRequest.number, api.id);
      made.push(pullRequest.id);
    }
    return { plan, ids: made };
  };

  it('is implemented when its last open pull request is merged, with an event, and announced', async () => {
    const { ids, plan } = await linked(2);
    await link(plan, 4711, api.id);
    await move(ids[0]!, 'merged');
    expect((await readPlan(plan)).status).toBe('approved');
    const topics: string[] = [];
    await move(ids[1]!, 'merged', (topic) => void topics.push(topic));
    expect((await readPlan(plan)).status).toBe('implemented');
    expect(topics).toHaveLength(2);
    const { body } = await service.request('GET', `/api/v2/plans/${plan}/activity?limit=1`, {
      as: withSession(member),
    });
    expect(body.events[0]).toMatchObject({
      kind: 'status_changed',
      actor: { kind: 'service' },
      data: { from: 'approved', to: 'implemented', reason: 'pull_request_merged' },
    });
  });

  it('is implemented when the last open one is closed after another was merged', async () => {
    const { ids, plan } = await linked(2);
    await move(ids[0]!, 'merged');
    await move(ids[1]!, 'closed');
    expect((await readPlan(plan)).status).toBe('implemented');
  });

  it('stays approved when all were closed, and while one is a draft', async () => {
    const closed = await linked(1);
    await move(closed.ids[0]!, 'closed');
    expect((await readPlan(closed.plan)).status).toBe('approved');
    const drafted = await linked(2);
    await move(drafted.ids[0]!, 'draft');
    await move(drafted.ids[1]!, 'merged');
    expect((await readPlan(drafted.plan)).status).toBe('approved');
  });

  it('is implemented when two are merged at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ids, plan } = await linked(2);
      await Promise.all(ids.map((id) => move(id, 'merged')));
      expect((await readPlan(plan)).status).toBe('implemented');
    }
  });

  it('is implemented when its pull request becomes known as merged', async () => {
    const plan = await approvedPlan();
    const fresh = await makeRepositoryRow(service, acme.id, { name: 'acme/fresh' });
    await link(plan, 4000, fresh.id);
    await makePullRequest(service, fresh, { number: 4000, state: 'merged' });
    expect((await readPlan(plan)).status).toBe('implemented');
  });

  it('is the only one that changes: a closed plan stays closed', async () => {
    const { ids, plan } = await linked(1);
    await act(service, member, { seriesId: plan }, 'close');
    await move(ids[0]!, 'merged');
    expect((await readPlan(plan)).status).toBe('closed');
  });
});
