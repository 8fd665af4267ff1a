/** Plans for a repository that only some members can see: to the others, its name and ID appear nowhere. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeColleague, type PostedPlan, postPlan } from '../../../../test/helpers/rows/plans.ts';
import { makeRepositoryRow } from '../../../../test/helpers/rows/repository-rows.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect } from '../../../../test/mcp/clients.ts';
import { callTool } from '../../../../test/mcp/tool-calls.ts';
import { operations } from '../../../operations.ts';

const service = await startTestService();
const { acme } = service;
const UNSEEN = "a repository that you can't see";
const NAME = 'acme/ocelot';
const PR = 4711;

/** Sees the repository; `outsider` does not. */
const insider = acme.member;
const outsider = await makeColleague(service);
let repositoryId: string;
let plan: PostedPlan;
const get = async (path: string, as = withSession(outsider)) =>
  (await service.request('GET', `/api/v2/${path}`, { as })).body;
const link = (person: typeof insider, of: PostedPlan, body: object) =>
  service.request('POST', `/api/v2/plans/${of.seriesId}/pull-requests`, { as: withKey(person), body });
const report = (person: typeof insider, repository: string) =>
  service.request('POST', '/api/v2/mcp-sessions/events', {
    as: withKey(person),
    body: { sessionId: plan.seriesId, eventType: 'planner_session_started', repository },
  });

beforeAll(async () => {
  ({ id: repositoryId } = await makeRepositoryRow(service, acme.id, { name: NAME, members: [insider] }));
  const content = '# Plan\n\nChange `src/a.ts`\n';
  plan = (await postPlan(service, insider, { content, repoNames: [NAME] })).body;
  await postPlan(service, insider, { content, repoNames: [NAME] });
  await link(insider, plan, { prNumber: PR, repoName: NAME });
  await report(insider, NAME);
});

/** Fails if a reply names the repository. */
function expectUnnamed(reply: unknown): void {
  expect(JSON.stringify(reply)).not.toMatch(new RegExp(`ocelot|${repositoryId}`, 'i'));
}

describe('a member who can’t see the repository', () => {
  const values: Record<string, string> = { version: '1' };
  const readable = operations.flatMap(({ accepts, http, name }) =>
    accepts.includes('session') &&
    http.method === 'GET' &&
    !http.eventStream &&
    name !== 'wait-for-plan-changes'
      ? [[name, http.path] as const]
      : [],
  );

  it('finds it in no reply of an operation that reads', async () => {
    Object.assign(values, { seriesId: plan.seriesId, sessionId: plan.seriesId });
    const asked: string[] = [];
    for (const [name, path] of readable) {
      const filled = path.replaceAll(/:(\w+)/g, (whole, field: string) => values[field] ?? whole);
      if (filled.includes(':')) continue;
      asked.push(name);
      const query = name === 'compare-plan-versions' ? '?from=1&to=1' : '';
      const { body, status } = await service.request('GET', filled + query, { as: withSession(outsider) });
      expect(status, name).toBeLessThan(500);
      expectUnnamed([name, body]);
    }
    expect(asked).toEqual(
      expect.arrayContaining([
        ...['get-plan', 'list-plans', 'get-plan-version', 'list-plan-activity', 'list-overlapping-plans'],
        ...['get-planner-session', 'list-inbox', 'compare-plan-versions'],
      ]),
    );
  });

  it('reads the same words in its place everywhere', async () => {
    const hidden = { repoId: null, repoName: UNSEEN };
    const read = await get(`plans/${plan.seriesId}`);
    expect(read).toMatchObject({
      repos: [hidden],
      repoNames: [UNSEEN],
      repoIds: [],
      pullRequests: [{ ...hidden, prNumber: PR, url: null, title: null }],
      freshness: [hidden],
      session: { repositories: [UNSEEN] },
    });
    expect((await get('plans')).plans[0].repos).toEqual([hidden]);
    expect((await get(`plans/${plan.seriesId}/versions/1`)).repos).toMatchObject([hidden]);
    const linked = (events: { kind: string }[]) => events.find(({ kind }) => kind === 'pull_request_linked');
    const activity = await get(`plans/${plan.seriesId}/activity`);
    expect(linked(activity.events)).toMatchObject({ data: { ...hidden, prNumber: PR } });
    const changes = await get(`plans/${plan.seriesId}/changes?since=0&waitSeconds=0`);
    expect(linked(changes.events)).toMatchObject({ data: hidden });
    const [overlap] = (await get(`plans/${plan.seriesId}/overlap`)).plans;
    expect(overlap).toMatchObject({
      sharedRepositories: [UNSEEN],
      repos: [hidden],
      sharedFiles: ['src/a.ts'],
    });
  });

  it('does not receive it in the live stream', async () => {
    const gone = new AbortController();
    const { body } = await fetch(`${service.url}/api/v2/plans/${plan.seriesId}/events?since=0`, {
      headers: { cookie: `countersign=${outsider.token}` },
      signal: gone.signal,
    });
    let text = '';
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (/event: pull_request_linked\n.*\n\n/s.test(text)) break;
    }
    gone.abort();
    expect(text).toContain(UNSEEN);
    expectUnnamed(text);
  });

  it('does not receive it over MCP', async () => {
    const client = await connect(service.url, { 'x-api-key': outsider.key });
    const { seriesId: planId } = plan;
    const replies = [
      await callTool(client, 'get_plan', { planId }),
      await callTool(client, 'wait_for_review', { planId, since: 0, timeoutSeconds: 0 }),
      await client.readResource({ uri: `countersign://plans/${planId}` }),
    ];
    expect(replies[0]).toMatchObject({
      structured: { repositories: [{ name: UNSEEN }], pullRequests: [{ repository: UNSEEN }] },
    });
    expectUnnamed(replies);
  });

  it('finds no plan by its name, in full or in part', async () => {
    for (const name of [NAME, 'ocelot']) {
      expect((await get(`plans?repository=${encodeURIComponent(name)}`)).plans).toEqual([]);
      const seen = await get(`plans?repository=${encodeURIComponent(name)}`, withSession(insider));
      expect(seen.plans).toHaveLength(2);
    }
  });

  it('cannot tell by posting a name whether it is the right one', async () => {
    const answerTo = async (name: string) => {
      const own = (await postPlan(service, outsider, { content: '# Mine\n\n`src/a.ts`', repoNames: [name] }))
        .body;
      const linked = (await link(outsider, own, { prNumber: 1, repoName: name })).body;
      const toOther = (await link(outsider, plan, { prNumber: 2, repoName: name })).body;
      const again = await postPlan(service, outsider, {
        seriesKey: plan.seriesId,
        content: '# Plan\n\nChange `src/a.ts`\n',
        repoNames: [name],
        skipIfUnchanged: true,
      });
      await report(outsider, name);
      const { session } = await get(`plans/${plan.seriesId}`);
      expect(session.repositories).toContain(name);
      const overlap = (await get(`plans/${own.seriesId}/overlap`)).plans;
      return { linked, toOther, posted: again.body.alreadyPosted, overlap: overlap.length };
    };
    const right = await answerTo(NAME);
    await service.request('DELETE', `/api/v2/plans/${right.linked.seriesId}`, { as: withSession(outsider) });
    const wrong = await answerTo('acme/nobody');
    const shape = ({ linked, overlap, posted, toOther }: typeof right, name: string) => ({
      own: [linked.repos, linked.pullRequests].flat().map((each) => [each.repoId, each.repoName === name]),
      other: toOther.pullRequests
        .filter(({ prNumber }: { prNumber: number }) => prNumber === 2)
        .map((each: { repoId: unknown; repoName: string }) => [
          each.repoId,
          each.repoName === name || each.repoName,
        ]),
      ...{ posted, overlap },
    });
    expect(shape(right, NAME).own).toEqual([
      [null, true],
      [null, true],
    ]);
    expect(shape(right, NAME)).toEqual({ ...shape(wrong, 'acme/nobody'), other: [[null, true]] });
    expect(right.posted).toBe(false);
  });

  it('keeps it in the plan by sending back the words in its place', async () => {
    const secret = (await postPlan(service, insider, { repoNames: [NAME] })).body;
    const next = { seriesKey: secret.seriesId, content: '# Other', repoNames: [UNSEEN, 'acme/open'] };
    const { body } = await postPlan(service, outsider, next);
    expect(body).toMatchObject({ repoNames: [UNSEEN, 'acme/open'] });
    expect((await get(`plans/${secret.seriesId}`, withSession(insider))).repoNames).toEqual([
      NAME,
      'acme/open',
    ]);
  });
});

describe('everyone else', () => {
  it.each([
    ['a member who can see it', insider],
    ['an admin', acme.admin],
  ])('%s reads its name', async (_who, person) => {
    const read = await get(`plans/${plan.seriesId}`, withSession(person));
    expect(read.session.repositories).toContain(NAME);
    const { events } = await get(`plans/${plan.seriesId}/activity`, withSession(person));
    expect(JSON.stringify(events)).toContain(NAME);
    const linked = expect.objectContaining({ repoId: repositoryId, repoName: NAME });
    expect(read.pullRequests).toEqual(expect.arrayContaining([linked]));
  });
});

describe('a removed repository that not everyone could see', () => {
  it('stays unnamed, except to admins', async () => {
    const { id, name } = await makeRepositoryRow(service, acme.id, { members: [insider] });
    const removed = (await postPlan(service, insider, { seriesKey: randomUUID(), repoNames: [name] })).body;
    await link(insider, removed, { prNumber: 9 });
    const as = withSession(acme.admin);
    expect((await service.request('DELETE', `/api/v2/repositories/${id}`, { as })).status).toBe(204);
    for (const person of [outsider, acme.viewer]) {
      const reads = [
        await get(`plans/${removed.seriesId}`, withSession(person)),
        await get(`plans/${removed.seriesId}/activity`, withSession(person)),
        await get('plans', withSession(person)),
      ];
      expect(JSON.stringify(reads)).not.toContain(name);
    }
    const next = { seriesKey: removed.seriesId, content: '# Next' };
    expect((await postPlan(service, outsider, next)).body).toMatchObject({ repoNames: [UNSEEN] });
    expect((await link(outsider, removed, { prNumber: 10 })).body).not.toMatchObject({ repoNames: [name] });
    expect((await get(`plans/${removed.seriesId}`, as)).repoNames).toEqual([name]);
    expect(JSON.stringify(await get(`plans/${removed.seriesId}/activity`))).not.toContain(name);
  });
});
