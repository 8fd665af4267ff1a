/** Deleting comments, reacting to them, editing those of the conversation, and reading what comments said before. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePullRequest } from '../../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { deletePerson, organizationLines } from '../../privacy/index.ts';
import { lockIdlePullRequests } from '../../pull-requests/index.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log: createLog({ level: 'silent', terminal: false }),
});
const repository = await addRepository(service, { 'a.ts': 'one\n' });
const base = await repository.git('rev-parse', 'main');
const head = await repository.commit({ 'a.ts': 'two\n' }, { branch: 'topic', from: base });
await repository.refresh();
const TOKEN = `ghp_${'aB3dE6gH9jK2'.repeat(3)}`;

async function start() {
  const { id } = await makePullRequest(service, repository, {
    ...{ author: member, headCommit: head, headBranch: 'topic' },
  });
  const path = `/api/v2/pull-requests/${id}`;
  const call = (method: string, below: string, person: Person, body?: object) =>
    service.request(method, `${path}${below}`, { as: withSession(person), ...(body && { body }) });
  const discuss = async (body: string, by = admin) =>
    (await call('POST', '/discussions', by, { file: 'a.ts', startLine: 1, body })).body;
  const reply = async (discussionId: string, body: string, by = member) => {
    const as = withSession(by);
    const answer = await service.request('POST', `/api/v2/discussions/${discussionId}/replies`, {
      as,
      body: { body },
    });
    return answer.body.comments.at(-1).id as string;
  };
  const edit = (discussionId: string, commentId: string, body: string) =>
    service.request('PATCH', `/api/v2/discussions/${discussionId}/comments/${commentId}`, {
      ...{ as: withSession(admin), body: { body } },
    });
  const remove = (commentId: string, by = admin) => call('DELETE', `/comments/${commentId}`, by);
  const react = (commentId: string, by: Person, reaction = 'heart', isOn = true) =>
    call('PUT', `/comments/${commentId}/reactions`, by, { reaction, isOn });
  const list = async () => (await call('GET', '/discussions', viewer)).body.discussions;
  const read = async () => (await call('GET', '', viewer)).body;
  return { call, discuss, edit, id, list, path, react, read, remove, reply };
}

describe('earlier texts', () => {
  it('of a comment are there for everyone who can read it, masked, and for no other organization', async () => {
    const { call, discuss, edit, path } = await start();
    const { comments, id: discussionId } = await discuss(`First ${TOKEN}`);
    const [{ id }] = comments;
    await edit(discussionId, id, 'Second');
    await edit(discussionId, id, 'Second');
    await edit(discussionId, id, 'Third');
    const { body } = await call('GET', `/comments/${id}/edits`, viewer);
    expect(body.edits.map((each: { body: string }) => each.body)).toEqual(['First ghp_…', 'Second']);
    expect(body.edits[0].replacedAt).toBe(body.edits[1].writtenAt);
    expect((await call('GET', `/comments/${id}/edits`, globex.owner)).status).toBe(404);
    expect((await (await start()).call('GET', `/comments/${id}/edits`, viewer)).status).toBe(404);
    const as = withKey(admin);
    expect((await service.request('GET', `${path}/comments/${id}/edits`, { as })).status).toBe(403);
  });

  it('of the conversation too, where only the author edits', async () => {
    const { call, discuss, read } = await start();
    const [{ id }] = (await call('POST', '/comments', member, { body: 'One' })).body.conversation;
    expect((await call('PATCH', `/comments/${id}`, admin, { body: 'x' })).status).toBe(403);
    const edited = await call('PATCH', `/comments/${id}`, member, { body: `Two ${TOKEN}` });
    expect(edited.body.conversation).toMatchObject([{ body: 'Two ghp_…', editedAt: expect.any(String) }]);
    const { body } = await call('GET', `/comments/${id}/edits`, viewer);
    expect(body.edits).toMatchObject([{ body: 'One' }]);
    expect(body.notKept).toBe(0);
    const { comments } = await discuss('On lines');
    expect((await call('PATCH', `/comments/${comments[0].id}`, admin, { body: 'x' })).status).toBe(404);
    expect((await call('PATCH', `/comments/${id}`, globex.member, { body: 'x' })).status).toBe(404);
    expect((await read()).comments).toBe(2);
  });
});

it('keeps the first text and the newest 100, and says how many are gone', async () => {
  const { call, discuss, edit } = await start();
  const { comments, id: discussionId } = await discuss('0');
  const [{ id }] = comments;
  for (let count = 1; count <= 103; count += 1) await edit(discussionId, id, String(count));
  const { body } = await call('GET', `/comments/${id}/edits`, viewer);
  const texts = body.edits.map((each: { body: string }) => each.body);
  expect(texts).toEqual(['0', ...Array.from({ length: 100 }, (_, place) => String(place + 3))]);
  expect(body.notKept).toBe(2);
});

describe('deleting', () => {
  it('leaves a place without any text: in lists, endpoint 3, counts, inbox and exports', async () => {
    const { call, discuss, edit, id: pullRequestId, list, read, remove, reply } = await start();
    const { comments, id: discussionId } = await discuss('Opening words');
    const [{ id: first }] = comments;
    await edit(discussionId, first, 'Edited words');
    await reply(discussionId, 'An answer');
    const [{ id: general }] = (await call('POST', '/comments', owner, { body: 'General words' })).body
      .conversation;
    await outbox.run(db, clock.now());
    const excerpts = async () =>
      (await service.request('GET', '/api/v2/inbox', { as: withSession(member) })).body.items
        .filter((item: { pullRequest?: { id: string } }) => item.pullRequest?.id === pullRequestId)
        .map((item: { excerpt: string | null }) => item.excerpt);
    expect(await excerpts()).toEqual(['General words', 'Edited words']);
    expect((await read()).comments).toBe(3);

    expect((await remove(first)).body).toEqual({ discussionDeleted: false });
    expect((await remove(general)).body, 'an admin, somebody else’s').toEqual({ discussionDeleted: false });
    const place = { deletedBy: admin.name, deletedAt: expect.any(String) };
    expect(await list()).toMatchObject([
      { comments: [{ body: 'An answer' }], deletedComments: [{ id: first, ...place }] },
    ]);
    expect(await read()).toMatchObject({
      comments: 1,
      conversation: [],
      deletedComments: [{ id: general, ...place }],
    });
    const query = new URLSearchParams({ repository: repository.fullName, branch: 'topic', status: 'all' });
    const branch = await service.request('GET', `/api/v2/discussions/by-branch?${query}`, {
      as: withKey(member),
    });
    expect(branch.body.at(-1)?.comments.map((each: { body: string }) => each.body)).toEqual(['An answer']);
    await outbox.run(db, clock.now());
    expect(await excerpts()).toEqual([]);
    let exported = '';
    for await (const lines of organizationLines(db, acme.id, clock.now())) exported += lines;
    expect(exported).toContain('An answer');
    expect(exported).not.toMatch(/(Opening|Edited|General) words/);
    expect((await remove(first)).status).toBe(404);
  });

  it('takes a discussion with it that has no other comment', async () => {
    const { discuss, list, read, remove, reply } = await start();
    const { id: discussionId, comments } = await discuss('Alone');
    const answer = await reply(discussionId, 'Not quite');
    await remove(comments[0].id);
    expect(await list()).toHaveLength(1);
    expect((await remove(answer, member)).body).toEqual({ discussionDeleted: true });
    expect(await list()).toEqual([]);
    expect(await read()).toMatchObject({
      comments: 0,
      discussions: 0,
      openDiscussions: 0,
      deletedComments: [],
    });
  });

  it('is for the author and admins, of people’s comments, and not for those written on a code host', async () => {
    const { call, discuss, id, list, path, remove, reply } = await start();
    const { comments, id: discussionId } = await discuss('Mine');
    await reply(discussionId, 'Yours');
    const [{ id: commentId }] = comments;
    expect((await remove(commentId, member)).status).toBe(403);
    expect((await remove(commentId, viewer)).status).toBe(403);
    expect((await remove(commentId, globex.owner)).status).toBe(404);
    const as = withKey(admin);
    expect((await service.request('DELETE', `${path}/comments/${commentId}`, { as })).body.code).toBe(
      'key_not_accepted',
    );
    await db.updateTable('pull_requests').set({ origin: 'host' }).where('id', '=', id).execute();
    expect((await remove(commentId)).body.detail).toContain('Delete it there');
    await db.updateTable('pull_requests').set({ origin: 'git' }).where('id', '=', id).execute();
    for (const [host_comment_id, sending, said] of [
      ['review:1', 'sent', 'text of a review'],
      [null, 'sent', 'text of a review'],
    ] as const) {
      await db.updateTable('pull_requests').set({ origin: 'host' }).where('id', '=', id).execute();
      await db
        .updateTable('pull_request_comments')
        .set({ host_comment_id, sending })
        .where('id', '=', commentId)
        .execute();
      expect((await remove(commentId)).body.detail).toContain(said);
    }
    await db.updateTable('pull_requests').set({ origin: 'git' }).where('id', '=', id).execute();
    const set = { author_kind: 'reviewer' as const, author_user_id: null };
    await db.updateTable('pull_request_comments').set(set).where('id', '=', commentId).execute();
    expect((await remove(commentId)).body.detail).toContain('dismissed');
    expect((await call('GET', '', viewer)).body.comments).toBe(2);
    // Two who delete at once: one does.
    const [answer] = (await list())[0].comments.slice(1);
    const both = await Promise.all([remove(answer.id, member), remove(answer.id, owner)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('reactions', () => {
  it('count each person once, also when they are sent at the same time, and notify nobody', async () => {
    const { call, discuss, list, react, read } = await start();
    const { comments } = await discuss('On lines');
    const [{ id: general }] = (await call('POST', '/comments', member, { body: 'General' })).body
      .conversation;
    const { lastEvent, updatedAt } = await read();
    for (const id of [comments[0].id, general]) {
      clock.advance(1000);
      const same = await Promise.all([1, 2, 3, 4].map(() => react(id, member)));
      expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      clock.advance(1000);
      await react(id, admin);
      const { body } = await react(id, admin, '+1');
      expect(body.reactions).toEqual([
        { reaction: '+1', count: 1, people: [admin.name], mine: true },
        { reaction: 'heart', count: 2, people: [member.name, admin.name], mine: true },
      ]);
    }
    for (const id of [comments[0].id, general])
      for (const [reaction, isOn] of [
        ['heart', false],
        ['heart', false],
        ['eyes', false],
      ] as const)
        await react(id, admin, reaction, isOn);
    const left = [
      { reaction: '+1', count: 1, people: [admin.name], mine: false },
      { reaction: 'heart', count: 1, people: [member.name], mine: false },
    ];
    expect((await list())[0].comments[0].reactions).toEqual(left);
    expect(await read()).toMatchObject({ conversation: [{ reactions: left }], lastEvent, updatedAt });
  });

  it('are for members who see the comment, and not for those that were written on a code host', async () => {
    const { call, discuss, id: pullRequestId, list, path, react, reply } = await start();
    const { comments, id: discussionId } = await discuss('Mine');
    const [{ id }] = comments;
    expect((await react(id, viewer)).status).toBe(403);
    expect((await react(id, globex.owner)).status).toBe(404);
    expect((await react(id, member, 'angry')).status).toBe(400);
    expect((await (await start()).react(id, member)).status).toBe(404);
    const body = { reaction: 'heart', isOn: true };
    const byKey = await service.request('PUT', `${path}/comments/${id}/reactions`, {
      as: withKey(member),
      body,
    });
    expect(byKey.status).toBe(403);
    const pending = await call('POST', '/pending-comments', member, {
      ...{ file: 'a.ts', startLine: 1, endLine: 1, side: 'new', commit: head, body: 'Later' },
    });
    expect([pending.status, (await react(pending.body.id, member)).status]).toEqual([201, 404]);
    const set = (commentId: string, values: { host_comment_id: string; sending: 'none' | 'sent' }) =>
      db.updateTable('pull_request_comments').set(values).where('id', '=', commentId).execute();
    const sent = await reply(discussionId, 'Sent from here');
    await db.updateTable('pull_requests').set({ origin: 'host' }).where('id', '=', pullRequestId).execute();
    await set(id, { host_comment_id: '1', sending: 'none' });
    await set(sent, { host_comment_id: '2', sending: 'sent' });
    expect((await react(id, member)).body.detail).toContain('React to it there');
    expect((await react(sent, member)).status).toBe(200);
    expect((await list())[0].comments).toMatchObject([{ reactions: null }, { reactions: [{ count: 1 }] }]);
  });

  it('go with the comment and with the person', async () => {
    const { discuss, react, remove } = await start();
    const { comments } = await discuss('Here');
    const [{ id }] = comments;
    const left = async () =>
      (await db.selectFrom('comment_reactions').select('user_id').where('comment_id', '=', id).execute()).map(
        ({ user_id: userId }) => userId,
      );
    await react(id, admin);
    await react(id, member);
    const { email, name, userId } = admin;
    await deletePerson(db, { id: userId, name, email }, clock.now());
    expect(await left()).toEqual([member.userId]);
    expect((await remove(id, owner)).status).toBe(200);
    expect(await left()).toEqual([]);
  });
});
