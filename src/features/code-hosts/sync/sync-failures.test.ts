/** Failures between us and a code host: crashes after posting, limits, outages, withdrawn credentials, forged webhooks. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { shownHere, shownOnHost } from '../../../../test/code-hosts/compare-with-host.ts';
import {
  connectHost,
  connectHostWithBrokenSecret,
  HOOK_SECRET,
} from '../../../../test/code-hosts/connected.ts';
import type { FakePullRequest } from '../../../../test/code-hosts/fake-model.ts';
import {
  githubWebhookExamples,
  signedGitHubDelivery,
} from '../../../../test/code-hosts/github-deliveries.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createCodeHosts } from '../../../engines/code-hosts/index.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { replyToDiscussion } from '../../discussions/reply-to-discussion.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { reviewPullRequest } from '../../pull-requests/changes/review-pull-request.ts';
import { lockIdlePullRequests } from '../../pull-requests/index.ts';
import { clearHostProblem } from '../connections/code-host-store.ts';
import { lockIdleCodeHosts, syncPullRequest, syncRepository } from '../index.ts';

const service = await startTestService({
  settings: { ALLOW_PRIVATE_ADDRESSES: 'true', RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: '20' },
});
const { acme, db } = service;
const as = withSession(acme.member);
const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
const { fake, model } = host;
const ada = model.account('ada');
const { id: repositoryId, there } = await host.repository('acme/api');
const DIFF = { 'src/a.ts': { new: [10, 11, 12], old: [] } };
const PLACE = { file: 'src/a.ts', side: 'new', startLine: 10, endLine: 10 } as const;
const signal = new AbortController().signal;
afterAll(() => fake.close());
afterEach(() => {
  fake.intercept(null);
  fake.limit = null;
  expect(fake.problems.splice(0)).toEqual([]);
});

const open = () => model.openPullRequest(there, { author: ada, commit: 'c'.repeat(40), diff: DIFF });
const inStep = async (pullRequest: FakePullRequest) =>
  expect(await shownHere(db, repositoryId, pullRequest.number)).toEqual(shownOnHost(pullRequest));
const hostRow = () =>
  db.selectFrom('code_hosts').selectAll().where('id', '=', host.id).executeTakeFirstOrThrow();
async function catchUp(): Promise<void> {
  for (const delivery of fake.deliveries.splice(0)) await host.send(delivery);
  await host.work();
}
async function withDiscussion() {
  const pullRequest = open();
  const thread = model.startThread(pullRequest, ada, PLACE, 'Why?');
  await catchUp();
  const row = await db
    .selectFrom('discussions as d')
    .innerJoin('pull_requests as p', 'p.id', 'd.pull_request_id')
    .select(['d.id', 'p.id as pullRequestId'])
    .where('p.repository_id', '=', repositoryId)
    .where('p.number', '=', pullRequest.number)
    .executeTakeFirstOrThrow();
  return { pullRequest, thread, ...row };
}
/** Claims of a process that died end after a minute. */
const endClaims = () =>
  db
    .updateTable('pull_request_syncs')
    .set({ busy_until: null })
    .where('code_host_id', '=', host.id)
    .execute();

describe('a crash between posting and recording', () => {
  it.each(['reply', 'publish'] as const)('posts once (%s)', async (name) => {
    const { id, pullRequest, pullRequestId, thread } = await withDiscussion();
    await service.call(replyToDiscussion, { discussionId: id, body: 'Because' }, as);
    await service.call(
      reviewPullRequest,
      { pullRequestId, verdict: 'approved', commit: pullRequest.head.commit },
      as,
    );
    const real = host.services.codeHosts;
    const crashing = {
      ...host.services,
      codeHosts: {
        open: (...options: Parameters<typeof real.open>) => {
          const opened = real.open(...options);
          return {
            ...opened,
            [name]: async (...input: never[]) => {
              await (opened[name] as (...all: never[]) => Promise<unknown>)(...input);
              throw new Error('killed');
            },
          } as never;
        },
      },
    };
    await db
      .updateTable('pull_request_syncs')
      .set({ due_at: new Date(0), full_due_at: null })
      .where('number', '=', pullRequest.number)
      .execute();
    const key = { repositoryId, number: pullRequest.number };
    await expect(syncPullRequest(crashing, key, signal)).rejects.toThrow('killed');
    await endClaims();
    await host.work();
    expect(thread.comments.map(({ body }) => /Because/.test(body))).toEqual([false, true]);
    expect(pullRequest.reviews.filter(({ state }) => state === 'approved')).toHaveLength(1);
    await inStep(pullRequest);
  });
});

describe('a host that says wait', () => {
  it('is left alone until then, and continues afterward', async () => {
    const { pullRequest } = await withDiscussion();
    model.comment(pullRequest, ada, 'More');
    for (const delivery of fake.deliveries.splice(0)) await host.send(delivery);
    const reset = Math.floor(host.environment.clock.now().getTime() / 1000) + 3600;
    fake.limit = {
      remaining: 1,
      status: 403,
      headers: (remaining) => ({
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset),
      }),
    };
    const before = fake.requests.length;
    await host.work();
    const used = fake.requests.length - before;
    await host.work();
    expect(used).toBeLessThanOrEqual(2);
    expect(fake.requests.length - before).toBe(used);
    expect(await hostRow()).toMatchObject({ state: 'rate_limited' });
    fake.limit = null;
    host.environment.advance(3_700_000);
    await clearHostProblem(db, host.id);
    await host.work();
    await inStep(pullRequest);
    expect(await hostRow()).toMatchObject({ state: 'working', paused_until: null });
  });
});

describe('a host that is down', () => {
  it('is caught up with, without webhooks', async () => {
    const first = open();
    await catchUp();
    fake.intercept((_request, response) => {
      response.writeHead(500).end('{}');
      return true;
    });
    model.change(first, { title: 'While it was down' });
    const second = open();
    fake.deliveries.length = 0;
    for (let round = 0; round < 4; round += 1) {
      await host.becomeDue();
      await host.work();
    }
    const row = await hostRow();
    expect(row).toMatchObject({ state: 'unreachable' });
    expect(row.paused_until!.getTime()).toBeGreaterThan(row.problem_at!.getTime());
    fake.intercept(null);
    await clearHostProblem(db, host.id);
    await host.becomeDue();
    await host.work();
    await inStep(first);
    await inStep(second);
  });
});

describe('importing', () => {
  it('lists open ones first, continues where it stopped, and notifies nobody', async () => {
    const { id, there: large } = await host.repository('acme/large');
    await db
      .updateTable('code_host_repositories')
      .set({ connected_at: new Date('2030-01-01') })
      .where('repository_id', '=', id)
      .execute();
    const all = Array.from({ length: 230 }, () =>
      model.openPullRequest(large, { author: ada, commit: 'd'.repeat(40), diff: DIFF }),
    );
    for (const pullRequest of all.slice(0, 220)) model.close(pullRequest, 'merged');
    model.startThread(all[0]!, ada, PLACE, 'Old');
    fake.deliveries.length = 0;
    let lists = 0;
    fake.intercept((request, response) => {
      if (!/\/acme\/large\/pulls\?/.test(request.url!)) return false;
      lists += 1;
      // The newest change, the open ones, the first page of all; then it breaks off.
      if (lists <= 3) return false;
      response.writeHead(422).end('{}');
      return true;
    });
    expect(await syncRepository(host.services, id, signal)).toBe('failed');
    const states = () =>
      db.selectFrom('pull_requests').select(['state']).where('repository_id', '=', id).execute();
    expect((await states()).filter(({ state }) => state === 'open')).toHaveLength(10);
    const progress = () =>
      db
        .selectFrom('code_host_repositories')
        .selectAll()
        .where('repository_id', '=', id)
        .executeTakeFirstOrThrow();
    expect(await progress()).toMatchObject({ import_step: 'all', imported_count: 110 });
    const listedBefore = lists;
    fake.intercept((request) => {
      if (/\/acme\/large\/pulls\?/.test(request.url!)) lists += 1;
      return false;
    });
    await db
      .updateTable('code_host_repositories')
      .set({ next_list_at: new Date(0) })
      .where('repository_id', '=', id)
      .execute();
    expect(await syncRepository(host.services, id, signal)).toBe('listed');
    // The two pages that were missing.
    expect(lists - listedBefore).toBe(2);
    expect(await progress()).toMatchObject({ import_step: 'done', import_total: 230 });
    expect(await states()).toHaveLength(230);
    await db
      .updateTable('pull_request_syncs')
      .set({ due_at: null })
      .where('repository_id', '=', id)
      .where('number', '>', 2)
      .execute();
    await host.work();
    expect(await shownHere(db, id, 1)).toEqual(shownOnHost(all[0]!));
    const events = await db
      .selectFrom('events as e')
      .innerJoin('pull_requests as p', 'p.id', 'e.subject_id')
      .select('e.kind')
      .where('p.repository_id', '=', id)
      .execute();
    expect(events).toEqual([]);
  });
});

describe('webhooks', () => {
  const url = `/api/v2/code-hosts/${host.id}/webhook`;
  const state = async () => ({
    syncs: await db
      .selectFrom('pull_request_syncs')
      .selectAll()
      .orderBy('repository_id')
      .orderBy('number')
      .execute(),
    host: await hostRow(),
  });
  const payload = JSON.stringify({
    action: 'opened',
    number: 77,
    pull_request: { number: 77 },
    repository: { full_name: 'acme/api' },
  });
  const genuine = signedGitHubDelivery('pull_request', payload, { url, secret: HOOK_SECRET });

  it('that are forged, cut off or large change nothing', async () => {
    await host.work();
    const before = await state();
    const forged = signedGitHubDelivery('pull_request', payload, { url, secret: 'guess' });
    const large = signedGitHubDelivery('pull_request', `"${'x'.repeat(1_000_000)}"`, {
      url,
      secret: 'guess',
    });
    for (const delivery of [
      forged,
      large,
      { ...genuine, body: payload.slice(0, -1) },
      { ...genuine, body: '' },
      { ...genuine, headers: { ...genuine.headers, 'x-hub-signature-256': '' } },
    ])
      expect(await host.send(delivery)).toBe(401);
    expect(await host.send({ ...genuine, url: url.replace(host.id, acme.id) })).toBe(404);
    expect(await state()).toEqual(before);
  });

  it('that arrive together are answered each for itself, and each genuine one is noted', async () => {
    await host.work();
    const numbers = Array.from({ length: 60 }, (_, index) => 1_000 + index);
    const isForged = (number: number) => number % 15 === 0;
    const send = (number: number) => {
      const body = payload.replaceAll('77', String(number));
      const secret = isForged(number) ? 'guess' : HOOK_SECRET;
      return host.send(signedGitHubDelivery('pull_request', body, { url, secret }));
    };
    const statuses = await Promise.all(numbers.map(send));
    expect(statuses).toEqual(numbers.map((number) => (isForged(number) ? 401 : 204)));
    const { syncs } = await state();
    const noted = syncs.map(({ number }) => number).filter((number) => number >= 1_000);
    expect(noted).toEqual(numbers.filter((number) => !isForged(number)));
    await db.deleteFrom('pull_request_syncs').where('number', '>=', 1_000).execute();
  });

  it('of a host that was removed are refused, although the one before was accepted', async () => {
    const other = await connectHost(service, acme, 'github', (otherModel) => startGitHubFake(otherModel));
    await other.fake.close();
    const there = { url: url.replace(host.id, other.id), secret: HOOK_SECRET };
    const delivery = signedGitHubDelivery('push', payload, there);
    expect(await other.send(delivery)).toBe(204);
    await db.deleteFrom('code_hosts').where('id', '=', other.id).execute();
    await expect.poll(() => other.send(delivery)).toBe(404);
  });

  it('that are refused count for the rate limit of their sender, genuine ones and failures of ours never', async () => {
    const broken = await connectHostWithBrokenSecret(service, acme, (otherModel) =>
      startGitHubFake(otherModel),
    );
    const there = { url: url.replace(host.id, broken.id), secret: HOOK_SECRET };
    for (let index = 0; index < 25; index += 1)
      expect(await broken.send(signedGitHubDelivery('push', payload, there))).toBe(500);
    await db.deleteFrom('code_hosts').where('id', '=', broken.id).execute();
    const forged = signedGitHubDelivery('pull_request', payload, { url, secret: 'guess' });
    const statuses = new Set<number>();
    for (let index = 0; index < 25; index += 1) statuses.add(await host.send(forged));
    expect(statuses).toEqual(new Set([401, 429]));
    for (let index = 0; index < 25; index += 1) expect(await host.send(genuine)).toBe(204);
  });

  it('of every published kind are accepted in any order, and ask for one reading of each pull request', async () => {
    await host.work();
    const examples = githubWebhookExamples().flatMap(({ examples: all, name }) =>
      all.slice(0, 2).map((example) => ({
        name,
        body: JSON.stringify({ ...example, repository: { full_name: 'acme/api' } }),
      })),
    );
    for (const { body, name } of examples.reverse())
      expect(await host.send(signedGitHubDelivery(name, body, { url, secret: HOOK_SECRET }))).toBe(204);
    const { syncs } = await state();
    const keys = syncs.map(({ number, repository_id }) => `${repository_id} ${number}`);
    expect(new Set(keys).size).toBe(keys.length);
    await db
      .deleteFrom('pull_request_syncs')
      .where('repository_id', '=', repositoryId)
      .where('synced_at', 'is', null)
      .execute();
  });
});

describe('a credential that was withdrawn', () => {
  it('stops the work of this host alone, and is recorded', async () => {
    const other = await connectHost(service, acme, 'github', (otherModel) => startGitHubFake(otherModel));
    afterAll(() => other.fake.close());
    const { id: otherId, there: otherThere } = await other.repository('acme/other');
    const pullRequest = open();
    const elsewhere = other.model.openPullRequest(otherThere, {
      author: other.model.account('ada'),
      commit: 'e'.repeat(40),
    });
    fake.tokens.clear();
    await host.becomeDue();
    await catchUp();
    await other.work();
    expect(await hostRow()).toMatchObject({ state: 'unauthorized' });
    const before = fake.requests.length;
    await host.becomeDue();
    await catchUp();
    expect(fake.requests.length).toBe(before);
    expect(await shownHere(db, otherId, elsewhere.number)).toEqual(shownOnHost(elsewhere));
    const audit = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind'])
      .where('subject_id', '=', host.id)
      .execute();
    expect(audit).toEqual([{ action: 'code_host.credential_refused', actor_kind: 'service' }]);
    const outbox = createEventOutbox({
      handlers: [notifyPeople],
      lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
      announce: () => undefined,
      log: createLog({ level: 'silent', terminal: false }),
    });
    await outbox.run(db, service.clock.now());
    const toldOf = async (person: typeof acme.admin) => {
      const { body } = await service.request('GET', '/api/v2/inbox', { as: withSession(person) });
      return body.items.filter(({ codeHost }: { codeHost: { id: string } | null }) => codeHost !== null);
    };
    expect(await toldOf(acme.admin)).toMatchObject([
      {
        kind: 'credential_refused',
        codeHost: { id: host.id, name: fake.url },
        plan: null,
        pullRequest: null,
      },
    ]);
    expect(await toldOf(acme.member)).toEqual([]);
    // Someone who is no longer an admin isn't notified.
    const { organizationId, userId } = acme.admin;
    const setRole = (role: 'member' | 'admin') =>
      db
        .updateTable('memberships')
        .set({ role })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
    await setRole('member');
    expect(await toldOf(acme.admin)).toEqual([]);
    await setRole('admin');
    fake.tokens.set('token-of-the-service', host.bot);
    host.services.codeHosts = createCodeHosts(host.environment);
    await clearHostProblem(db, host.id);
    await host.work();
    await inStep(pullRequest);
  });
});
