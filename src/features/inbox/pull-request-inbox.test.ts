/** Who is notified of events of pull requests, and what the inbox and webhooks show of them. */
import { describe, expect, it } from 'vitest';
import { makeDiscussion } from '../../../test/helpers/rows/discussions.ts';
import {
  makeHostAccount,
  makePullRequest,
  makeRepositoryRow,
} from '../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { BY_SERVICE, lockIdlePullRequests, withPullRequestAs } from '../pull-requests/index.ts';
import { deliveryMaker } from '../webhooks/index.ts';
import { notifyPeople } from './index.ts';

const service = await startTestService();
const { acme, clock, db } = service;
const BASE = 'https://countersign.example';
const outbox = createEventOutbox({
  handlers: [notifyPeople, deliveryMaker(() => BASE)],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log: createLog({ level: 'silent', terminal: false }),
});
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });

let made = 0;
async function newPerson(): Promise<Person> {
  made += 1;
  const user = { name: `P ${made}`, email: `p${made}@acme.example` };
  return makePerson(db, acme.id, await makeUser(db, user, clock.now()), 'member', clock.now());
}
const people = () => Promise.all([newPerson(), newPerson(), newPerson()]);
const post = (person: Person, id: string, what: string, body: Record<string, unknown>) =>
  service.request('POST', `/api/v2/pull-requests/${id}/${what}`, { as: withSession(person), body });
const inbox = async (person: Person) => {
  await outbox.run(db, clock.now());
  return (await service.request('GET', '/api/v2/inbox', { as: withSession(person) })).body;
};
const kinds = async (person: Person) => (await inbox(person)).items.map(({ kind }: { kind: string }) => kind);
const asService = (id: string, decide: Parameters<typeof withPullRequestAs>[4]) =>
  withPullRequestAs(
    { db, announce: () => undefined },
    { ...BY_SERVICE, organizationId: acme.id },
    id,
    clock.now(),
    decide,
  );

describe('an inbox item', () => {
  it('tells the author of comments and reviews, with everything needed to find them', async () => {
    const [ada, bob] = await people();
    const { id, number } = await makePullRequest(service, api, { author: ada, title: 'Move' });
    await post(bob, id, 'comments', { body: 'Why?' });
    await post(ada, id, 'comments', { body: 'Because.' });
    await post(bob, id, 'reviews', { verdict: 'changes_requested', note: 'Please don’t.' });
    await post(bob, id, 'reviews', { verdict: 'approved', commit: 'a'.repeat(40) });
    const { items, unreadCount } = await inbox(ada);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'approved',
      'changes_requested',
      'comment',
    ]);
    expect(unreadCount).toBe(3);
    expect(items[1].excerpt).toBe('Please don’t.');
    expect(items[2]).toMatchObject({
      plan: null,
      pullRequest: { id, number, repository: 'acme/api', title: 'Move', state: 'open' },
      actor: { id: bob.userId, name: bob.name },
      commentId: expect.any(String),
      excerpt: 'Why?',
    });
    expect(await kinds(bob)).toEqual(['reply']);
  });

  it('tells each person once of a review with comments, of what concerns them', async () => {
    const [ada, bob, cyd] = await people();
    const { id } = await makePullRequest(service, api, { author: ada, title: 'Review me' });
    const place = { organizationId: acme.id, repositoryId: api.id, pullRequestId: id };
    const author = { kind: 'person', userId: bob.userId, accountId: null, name: bob.name } as const;
    const [first, second] = [
      await makeDiscussion(db, place),
      await makeDiscussion(db, place, [
        { body: 'One', author },
        { body: 'Two', author },
      ]),
    ];
    const pending: string[] = [];
    for (const [discussionId, body] of [
      [first, 'To nobody'],
      [second, 'To Bob'],
      [second, 'And again'],
    ])
      pending.push((await post(cyd, id, 'pending-comments', { discussionId, body })).body.id);
    expect([await kinds(ada), await kinds(bob)]).toEqual([[], []]);
    const review = { verdict: 'commented', commit: 'a'.repeat(40), commentIds: pending };
    expect((await post(cyd, id, 'pending-comments/submission', review)).status).toBe(200);
    expect((await inbox(bob)).items).toMatchObject([
      { kind: 'reply', discussionId: second, excerpt: 'To Bob' },
    ]);
    expect((await inbox(ada)).items).toMatchObject([
      { kind: 'comment', discussionId: first, excerpt: 'To nobody' },
    ]);
    expect(await kinds(cyd)).toEqual([]);
  });

  it('tells reviewers of the request, of new commits, and of the end', async () => {
    const [ada, bob, cyd] = await people();
    const { id } = await makePullRequest(service, api, { author: ada });
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    await post(cyd, id, 'reviews', { verdict: 'commented', note: 'Hm.' });
    const next = { commit: 'c'.repeat(40), baseCommit: null, mergeBase: null, forced: false, author: 'Dan' };
    await asService(id, (change) => change.recordHead(next));
    // Nobody here made the push.
    expect((await inbox(bob)).items[0]).toMatchObject({
      kind: 'new_commits',
      actor: { id: null, name: 'Dan' },
    });
    // The author is told too if somebody else updated the branch here.
    const by = { kind: 'session' as const, userId: bob.userId, credentialId: null };
    await asService(id, (change) =>
      change.recordHead({ ...next, commit: 'd'.repeat(40), author: undefined, by }),
    );
    expect((await inbox(ada)).items[0]).toMatchObject({ kind: 'new_commits', actor: { id: bob.userId } });
    await asService(id, async (change) => change.setState('merged'));
    expect(await kinds(bob)).toEqual(['merged', 'new_commits', 'review_requested']);
    expect(await kinds(cyd)).toEqual(['merged', 'new_commits', 'new_commits']);
    expect(await kinds(ada)).toEqual(['merged', 'new_commits', 'comment']);
  });

  it('about a requested review is done when it is merged or closed, and comes again when it is reopened', async () => {
    const [ada, bob, cyd] = await people();
    const { id } = await makePullRequest(service, api, { author: ada });
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    await post(ada, id, 'comments', { body: `@${cyd.email} look` });
    const unread = async (person: Person) =>
      (await inbox(person)).items.flatMap((each: { kind: string; readAt: string | null }) =>
        each.readAt === null ? each.kind : [],
      );
    const waits = async () => {
      const as = withSession(bob);
      const { body } = await service.request('GET', `/api/v2/pull-requests?scope=waiting&state=all`, { as });
      const read = await service.request('GET', `/api/v2/pull-requests/${id}`, { as });
      return [body.pullRequests.length, read.body.waitingForMe];
    };
    expect([await unread(bob), await waits()]).toEqual([['review_requested'], [1, true]]);
    await asService(id, async (change) => change.setState('closed'));
    expect([await unread(bob), await waits()]).toEqual([['closed'], [0, false]]);
    expect(await unread(cyd)).toEqual(['mentioned']);
    await asService(id, async (change) => change.setState('open'));
    expect([await unread(bob), await waits()]).toEqual([
      ['review_requested', 'closed'],
      [1, true],
    ]);
    // Instead of the one before, not beside it.
    expect(await kinds(bob)).toEqual(['review_requested', 'closed']);
    await asService(id, async (change) => change.setState('merged'));
    expect([await unread(bob), await waits()]).toEqual([
      ['merged', 'closed'],
      [0, false],
    ]);
  });

  it('tells whoever is assigned by somebody else, once, also of a draft that they muted', async () => {
    const [ada, bob] = await people();
    const { id } = await makePullRequest(service, api, { author: ada, state: 'draft' });
    await post(bob, id, 'mute', {});
    const assign = (add: Person[], remove: Person[] = []) => {
      const idsOf = (some: Person[]) => some.map(({ userId }) => userId);
      return service.request('PATCH', `/api/v2/pull-requests/${id}/assignees`, {
        as: withSession(ada),
        body: { add: idsOf(add), remove: idsOf(remove) },
      });
    };
    await assign([ada, bob]);
    await assign([ada, bob]);
    await assign([], [ada, bob]);
    expect((await inbox(bob)).items).toMatchObject([{ kind: 'assigned', actor: { name: ada.name } }]);
    expect(await kinds(ada)).toEqual([]);
  });

  it('tells the reviewer whose review was dismissed, with the reason', async () => {
    const [ada, bob] = await people();
    const { id } = await makePullRequest(service, api, { author: ada });
    const { body } = await post(bob, id, 'reviews', { verdict: 'changes_requested', note: 'No.' });
    const dismissal = `reviews/${body.verdicts[0].id}/dismissal`;
    await post(acme.admin, id, dismissal, { reason: 'It was changed.' });
    expect((await inbox(bob)).items).toMatchObject([
      { kind: 'review_dismissed', actor: { name: acme.admin.name }, excerpt: 'It was changed.' },
    ]);
    expect(await kinds(ada)).toEqual(['changes_requested']);
  });

  it('asks nobody for a review of a draft before it is ready', async () => {
    const [ada, bob] = await people();
    const { id } = await makePullRequest(service, api, { author: ada, state: 'draft' });
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    expect(await kinds(bob)).toEqual([]);
    await asService(id, async (change) => change.setState('open'));
    expect(await kinds(bob)).toEqual(['review_requested']);
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    expect(await kinds(bob)).toEqual(['review_requested', 'review_requested']);
  });

  it('about a requested review is one, however often the pull request becomes a draft and ready', async () => {
    const [ada, bob, cyd] = await people();
    const { id } = await makePullRequest(service, api, { author: ada });
    await post(ada, id, 'review-requests', { userIds: [bob.userId, cyd.userId] });
    const toggle = async () => {
      await asService(id, async (change) => change.setState('draft'));
      await asService(id, async (change) => change.setState('open'));
    };
    const items = async (person: Person) =>
      (await inbox(person)).items.map(({ id: item, kind, readAt }: Record<string, string | null>) => ({
        ...{ item, kind, isRead: readAt !== null },
      }));
    const first = await items(bob);
    await toggle();
    expect(await items(bob)).toEqual(first);
    await service.request('POST', '/api/v2/inbox/read', { as: withSession(bob), body: { all: true } });
    // All in one batch, and one by one.
    await toggle();
    await toggle();
    const second = await items(bob);
    expect(second).toMatchObject([{ kind: 'review_requested', isRead: false }]);
    await toggle();
    expect(await items(bob)).toEqual(second);
    await asService(id, async (change) => change.setState('closed'));
    await asService(id, async (change) => change.setState('open'));
    expect(await items(bob)).toMatchObject([
      { kind: 'review_requested', isRead: false },
      { kind: 'closed', isRead: false },
    ]);
    expect((await kinds(cyd)).filter((kind: string) => kind === 'review_requested')).toHaveLength(1);
  });

  it('is one for each who is asked, however late it is made', async () => {
    const [ada, bob, cyd] = await people();
    const { id } = await makePullRequest(service, api, { author: ada, state: 'draft' });
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    await asService(id, async (change) => change.setState('open'));
    await post(ada, id, 'review-requests', { userIds: [cyd.userId] });
    expect([await kinds(bob), await kinds(cyd)]).toEqual([['review_requested'], ['review_requested']]);
  });

  it('is not made for those who muted the pull request, unless their review is requested', async () => {
    const [ada, bob] = await people();
    const { id } = await makePullRequest(service, api, { author: ada });
    const mute = (method: 'POST' | 'DELETE') =>
      service.request(method, `/api/v2/pull-requests/${id}/mute`, { as: withSession(ada) });
    const isMuted = async () =>
      (await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(ada) })).body.muted;
    expect([(await mute('POST')).status, (await mute('POST')).status]).toEqual([204, 204]);
    expect(await isMuted()).toBe(true);
    await post(bob, id, 'comments', { body: 'Not seen.' });
    expect(await kinds(ada)).toEqual([]);
    expect((await mute('DELETE')).status).toBe(204);
    expect(await isMuted()).toBe(false);
    await post(bob, id, 'comments', { body: 'Seen.' });
    expect(await kinds(ada)).toEqual(['comment']);
    await service.request('POST', `/api/v2/pull-requests/${id}/mute`, { as: withSession(bob) });
    await post(ada, id, 'review-requests', { userIds: [bob.userId] });
    await post(ada, id, 'comments', { body: 'Not seen.' });
    expect(await kinds(bob)).toEqual(['review_requested']);
  });

  it('reaches the member behind a linked account, and people in the same discussion', async () => {
    const [ada, bob, cyd] = await people();
    const account = await makeHostAccount(service, acme.id, { name: 'Ada', linkedTo: ada });
    const author = { kind: 'person' as const, userId: null, accountId: account, name: 'ada' };
    const { id } = await makePullRequest(service, api, { author });
    const discussion = { id: crypto.randomUUID() };
    await db
      .insertInto('discussions')
      .values({
        ...discussion,
        organization_id: acme.id,
        repository_id: api.id,
        pull_request_id: id,
        file: 'a.ts',
        side: 'new',
        start_line: 1,
        end_line: 1,
        commented_code: 'a',
        author_kind: 'person',
        author_name: 'x',
        created_at: clock.now(),
        updated_at: clock.now(),
        status: 'open',
        status_cause: 'opened',
        status_at: clock.now(),
        judged_from: 1,
        sending: 'none',
      })
      .execute();
    for (const [person, kind] of [
      [bob, 'discussion_opened'],
      [cyd, 'discussion_replied'],
    ] as const) {
      const commentId = crypto.randomUUID();
      await db
        .insertInto('pull_request_comments')
        .values({
          id: commentId,
          pull_request_id: id,
          organization_id: acme.id,
          discussion_id: discussion.id,
          author_kind: 'person',
          author_user_id: person.userId,
          author_name: person.name,
          body: `By ${person.name}`,
          created_at: clock.now(),
          sending: 'none',
        })
        .execute();
      await asService(id, async (change) => change.record(kind, { discussionId: discussion.id, commentId }));
    }
    const { items } = await inbox(ada);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['comment', 'comment']);
    expect(items[0]).toMatchObject({
      actor: { id: null, name: cyd.name },
      discussionId: discussion.id,
      excerpt: `By ${cyd.name}`,
    });
    expect(await kinds(bob)).toEqual(['reply']);
    expect(await kinds(cyd)).toEqual([]);
  });

  it('is neither created nor shown for a repository that the person cannot see', async () => {
    const [ada, bob, cyd] = await people();
    const secret = await makeRepositoryRow(service, acme.id, { members: [ada, bob] });
    const { id } = await makePullRequest(service, secret, { author: ada });
    await post(bob, id, 'reviews', { verdict: 'commented', note: 'Hm.' });
    expect(await kinds(ada)).toEqual(['comment']);
    await db.deleteFrom('repository_members').where('repository_id', '=', secret.id).execute();
    await asService(id, async (change) => change.setState('merged'));
    for (const person of [ada, bob, cyd]) {
      expect(await inbox(person)).toMatchObject({ items: [], unreadCount: 0 });
    }
    const stored = await db.selectFrom('inbox_items').select('kind').where('subject_id', '=', id).execute();
    expect(stored).toEqual([{ kind: 'comment' }]);
  });

  it('is marked as read with all others of its pull request', async () => {
    const [ada, bob] = await people();
    const [one, other] = [
      await makePullRequest(service, api, { author: ada }),
      await makePullRequest(service, api, { author: ada }),
    ];
    for (const { id } of [one, one, other]) await post(bob, id, 'comments', { body: 'x' });
    expect((await inbox(ada)).unreadCount).toBe(3);
    const { body } = await service.request('POST', '/api/v2/inbox/read', {
      as: withSession(ada),
      body: { pullRequestId: one.id },
    });
    expect(body.unreadCount).toBe(1);
  });
});

describe('a webhook', () => {
  it('is sent the pull request and the comment', async () => {
    const { body: created } = await service.request('POST', '/api/v2/webhooks', {
      as: withSession(acme.admin),
      body: { url: 'https://hooks.invalid/in', eventKinds: ['pull_request_commented'] },
    });
    const [ada, bob] = await people();
    const { id, number } = await makePullRequest(service, api, { author: ada, title: 'Move' });
    await post(bob, id, 'comments', { body: 'Why?' });
    await outbox.run(db, clock.now());
    const deliveries = await db
      .selectFrom('webhook_deliveries')
      .select(['event_kind', 'payload'])
      .where('webhook_id', '=', created.webhook.id)
      .execute();
    expect(deliveries.map(({ event_kind }) => event_kind)).toEqual(['pull_request_commented']);
    expect(JSON.parse(deliveries[0]!.payload)).toMatchObject({
      type: 'pull_request.commented',
      number: 2,
      pullRequest: {
        id,
        number,
        repository: 'acme/api',
        title: 'Move',
        state: 'open',
        url: `${BASE}/pull-requests/${id}`,
      },
      actor: { kind: 'session', id: bob.userId },
      data: { body: 'Why?', bodyTruncated: false, author: { id: bob.userId, name: bob.name } },
    });
  });
});
