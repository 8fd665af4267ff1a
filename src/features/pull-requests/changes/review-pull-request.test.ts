/** Reviewing a pull request, requesting reviews, commenting, and following all of it, over HTTP. */
import { describe, expect, it } from 'vitest';
import {
  makeHostAccount,
  makePullRequest,
  makeRepositoryRow,
  type PullRequestOptions,
} from '../../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, globex } = service;
const { admin, member, owner, viewer } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const secret = await makeRepositoryRow(service, acme.id, { name: 'acme/secret', members: [member] });
const HEAD = 'a'.repeat(40);

const open = (options: PullRequestOptions = {}, repository = api) =>
  makePullRequest(service, repository, { author: member, ...options });
const post = (id: string, what: string, body: Record<string, unknown>, as = withSession(owner)) =>
  service.request('POST', `/api/v2/pull-requests/${id}/${what}`, { as, body });
const get = (path: string, person: Person = owner) =>
  service.request('GET', `/api/v2/pull-requests/${path}`, { as: withSession(person) });

describe('a review', () => {
  it('is shown with who, what and at which commit, and ends the request', async () => {
    const { id } = await open();
    await post(id, 'review-requests', { userIds: [owner.userId, admin.userId] }, withSession(member));
    const { body, status } = await post(id, 'reviews', { verdict: 'approved', note: ' ', commit: HEAD });
    expect(status).toBe(200);
    expect(body.verdicts).toEqual([
      {
        id: expect.any(String),
        author: { kind: 'person', id: owner.userId, name: owner.name },
        verdict: 'approved',
        note: null,
        commit: HEAD,
        baseBranch: 'main',
        createdAt: expect.any(String),
        dismissedAt: null,
        dismissedBy: null,
        dismissalReason: null,
        sending: { state: 'none', problem: null },
      },
    ]);
    expect(body.requestedReviewers).toMatchObject([{ id: admin.userId, name: admin.name, teamId: null }]);
    expect(body.verdict).toBe('approved');
  });

  it('counts the last word of each person, and requested changes before approvals', async () => {
    const { id } = await open();
    const verdictAfter = async (verdict: string, person: Person) =>
      (await post(id, 'reviews', { verdict, note: 'x', commit: HEAD }, withSession(person))).body.verdict;
    expect(await verdictAfter('commented', owner)).toBeNull();
    expect(await verdictAfter('approved', owner)).toBe('approved');
    expect(await verdictAfter('changes_requested', admin)).toBe('changes_requested');
    expect(await verdictAfter('approved', owner)).toBe('changes_requested');
    expect(await verdictAfter('commented', admin)).toBe('changes_requested');
    expect(await verdictAfter('approved', admin)).toBe('approved');
  });

  it('approves the head that was looked at, and none that is pushed later; requested changes stay', async () => {
    const { id } = await open({ title: 'Pushed after the approval' });
    const verdicts = async () => {
      const { body } = await service.request('GET', '/api/v2/pull-requests?search=pushed%20after', {
        as: withSession(admin),
      });
      return [(await get(id)).body.verdict, body.pullRequests[0].verdict];
    };
    const push = (head: string) =>
      service.db.updateTable('pull_requests').set({ head_commit: head }).where('id', '=', id).execute();
    await post(id, 'reviews', { verdict: 'approved', commit: HEAD });
    expect(await verdicts()).toEqual(['approved', 'approved']);
    await push('b'.repeat(40));
    expect(await verdicts()).toEqual([null, null]);
    // Some code hosts don't say which commit was approved.
    const given = service.db.updateTable('pull_request_verdicts').where('pull_request_id', '=', id);
    await given.set({ commit: null }).execute();
    expect(await verdicts()).toEqual(['approved', 'approved']);
    await post(id, 'reviews', { verdict: 'changes_requested', note: 'x' }, withSession(admin));
    await push('c'.repeat(40));
    expect(await verdicts()).toEqual(['changes_requested', 'changes_requested']);
  });

  it('waits to be sent if the pull request is of a code host', async () => {
    const { id } = await open({ origin: 'host', url: 'https://git.example/1' });
    const { body } = await post(id, 'reviews', { verdict: 'approved', commit: HEAD });
    expect(body.verdicts[0].sending).toEqual({ state: 'waiting', problem: null });
    expect((await post(id, 'comments', { body: 'Hello' })).body.conversation[0].sending.state).toBe(
      'waiting',
    );
  });

  it.each([
    ['400: requested changes need a note', { verdict: 'changes_requested' }, 400],
    ['400: a comment needs a note', { verdict: 'commented', note: ' ' }, 400],
    ['400: an approval needs the head that was reviewed', { verdict: 'approved' }, 400],
    ['400: an approval needs the full commit ID', { verdict: 'approved', commit: HEAD.slice(0, 12) }, 400],
    ['200: a commit ID in upper case', { verdict: 'approved', commit: HEAD.toUpperCase() }, 200],
    ['409: new commits were pushed', { verdict: 'approved', commit: 'd'.repeat(40) }, 409],
  ])('%s', async (_, body, status) => {
    expect((await post((await open()).id, 'reviews', body)).status).toBe(status);
  });

  it('is recorded once if it is sent again, also at the same time, until it says something new', async () => {
    const { id } = await open();
    const approve = (note?: string) => post(id, 'reviews', { verdict: 'approved', commit: HEAD, note });
    const replies = await Promise.all(Array.from({ length: 8 }, () => approve()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const [kept] = replies[0]!.body.verdicts;
    const verdicts = async () => (await get(id)).body.verdicts;
    expect(await verdicts()).toEqual([kept]);
    expect((await approve('Nice')).body.verdicts).toHaveLength(2);
    expect((await approve('Nice')).body.verdicts).toHaveLength(2);
    await post(id, 'reviews', { verdict: 'changes_requested', note: 'Wait.' });
    expect((await approve()).body.verdicts).toHaveLength(4);
    // A request for another look is answered.
    await post(id, 'review-requests', { userIds: [owner.userId] }, withSession(member));
    const { body } = await approve();
    expect([body.verdicts.length, body.requestedReviewers]).toEqual([5, []]);
  });

  it('403: the author approves or requests changes, also with a linked account', async () => {
    const account = await makeHostAccount(service, acme.id, { name: 'Octo', linkedTo: owner });
    const author = { kind: 'person' as const, userId: null, accountId: account, name: 'octo' };
    for (const [options, person] of [
      [{}, member],
      [{ author }, owner],
    ] as const) {
      const { id } = await open(options);
      const as = withSession(person);
      expect((await get(id, person)).body.allowedVerdicts).toEqual(['commented']);
      expect((await get(id, admin)).body.allowedVerdicts).toHaveLength(3);
      expect((await post(id, 'reviews', { verdict: 'approved', commit: HEAD }, as)).status).toBe(403);
      expect((await post(id, 'reviews', { verdict: 'changes_requested', note: 'x' }, as)).status).toBe(403);
      expect((await post(id, 'reviews', { verdict: 'commented', note: 'x' }, as)).status).toBe(200);
    }
  });

  it('403: keys never review', async () => {
    const { body, status } = await post(
      (await open()).id,
      'reviews',
      { verdict: 'approved', commit: HEAD },
      withKey(owner),
    );
    expect([status, body.code]).toEqual([403, 'key_not_accepted']);
  });

  it('403: viewers only read', async () => {
    const { id } = await open();
    expect(
      (await post(id, 'reviews', { verdict: 'approved', commit: HEAD }, withSession(viewer))).status,
    ).toBe(403);
    expect((await post(id, 'comments', { body: 'x' }, withSession(viewer))).status).toBe(403);
    expect((await get(id, viewer)).body).toMatchObject({ allowedActions: [], allowedVerdicts: [] });
  });

  it('409: it was merged or closed; a comment is still possible', async () => {
    for (const state of ['merged', 'closed'] as const) {
      const { id } = await open({ state });
      expect((await post(id, 'reviews', { verdict: 'approved', commit: HEAD })).status).toBe(409);
      expect((await post(id, 'reviews', { verdict: 'commented', note: 'x' })).status).toBe(200);
      expect((await post(id, 'review-requests', { userIds: [admin.userId] })).status).toBe(409);
    }
  });
});

describe('a review request', () => {
  it('400: only active members who can see the repository, and not the author', async () => {
    const { id } = await open({}, secret);
    const { body, status } = await post(id, 'review-requests', {
      userIds: [admin.userId, viewer.userId, member.userId, globex.member.userId],
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'userIds[1]',
      'userIds[2]',
      'userIds[3]',
    ]);
  });

  it('is made once for each person', async () => {
    const { id } = await open();
    await post(id, 'review-requests', { userIds: [admin.userId, admin.userId] });
    const { body } = await post(id, 'review-requests', { userIds: [admin.userId] });
    expect(body.requestedReviewers).toMatchObject([{ id: admin.userId, name: admin.name, teamId: null }]);
    // Comments and verdicts are in the conversation already.
    await post(id, 'comments', { body: 'One' });
    const { timeline } = (await get(id, viewer)).body;
    expect(timeline).toMatchObject([
      { kind: 'pull_request_review_requested', names: [admin.name], actor: { name: owner.name } },
      { kind: 'pull_request_review_requested', names: [admin.name] },
    ]);
    expect(timeline).toHaveLength(2);
  });
});

describe('following', () => {
  it('lists the activity, newest first, in pages', async () => {
    const { id } = await open();
    await post(id, 'comments', { body: 'One' });
    await post(id, 'reviews', { verdict: 'approved', commit: HEAD });
    const { body } = await get(`${id}/activity?limit=2`, viewer);
    expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'pull_request_reviewed',
      'pull_request_commented',
    ]);
    expect(body.events[0].actor).toEqual({ kind: 'session', id: owner.userId, name: owner.name });
    const rest = await get(`${id}/activity?cursor=${body.nextCursor}`, viewer);
    expect(rest.body).toMatchObject({ events: [{ number: 1 }], nextCursor: null });
  });

  it('waits for the next event and says whose it is', async () => {
    const { id } = await open();
    const [waiting, own] = [
      get(`${id}/changes?waitSeconds=30`, member),
      get(`${id}/changes?waitSeconds=30&since=1`, owner),
    ];
    await post(id, 'comments', { body: 'One' });
    expect((await own).body).toMatchObject({ events: [{ number: 2, own: true }], cursor: 2, state: 'open' });
    expect((await waiting).body.cursor).toBeGreaterThanOrEqual(1);
    expect((await get(`${id}/changes?since=0&waitSeconds=0`, member)).body.events).toMatchObject([
      { number: 1, own: false },
      { number: 2, own: false },
    ]);
    expect((await get(`${id}/changes?since=9&waitSeconds=0`)).status).toBe(400);
  });

  it('streams events', async () => {
    const { id } = await open();
    const gone = new AbortController();
    const response = await fetch(`${service.url}/api/v2/pull-requests/${id}/events?since=0`, {
      headers: { cookie: `countersign=${viewer.token}` },
      signal: gone.signal,
    });
    let text = '';
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('pull_request_opened')) break;
    }
    gone.abort();
    expect(text).toContain('id: 1');
  });
});

describe('404', () => {
  it.each([
    ['another organization', globex.owner, api],
    ['a member who cannot see the repository', viewer, secret],
  ])('for %s', async (_, person, repository) => {
    const { id } = await open({}, repository);
    const as = withSession(person);
    expect((await get(id, person)).status).toBe(404);
    for (const path of ['activity', 'changes', 'events']) {
      expect((await get(`${id}/${path}`, person)).status, path).toBe(404);
    }
    if (person.role === 'viewer') return;
    expect((await post(id, 'comments', { body: 'x' }, as)).status).toBe(404);
    expect((await post(id, 'reviews', { verdict: 'approved', commit: HEAD }, as)).status).toBe(404);
    expect((await post(id, 'review-requests', { userIds: [person.userId] }, as)).status).toBe(404);
  });
});
