/** Replying to discussions, editing comments, resolving and reopening. */
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDiscussion } from '../../../test/helpers/rows/discussions.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, db, globex } = service;
const { admin, member, owner, viewer } = acme;

let ids: { organizationId: string; repositoryId: string; pullRequestId: string };
let discussionId = '';
beforeEach(async () => {
  const { id } = await makeRepositoryRow(service, acme.id);
  const pullRequest = await makePullRequest(service, { id });
  ids = { organizationId: acme.id, repositoryId: id, pullRequestId: pullRequest.id };
  discussionId = await makeDiscussion(db, ids);
});

const send = (method: string, path: string, body: unknown, as = withSession(member)) =>
  service.request(method, `/api/v2/discussions/${discussionId}${path}`, { as, body });
const kinds = async () => {
  const { body } = await service.request('GET', `/api/v2/pull-requests/${ids.pullRequestId}/activity`, {
    as: withSession(viewer),
  });
  return body.events.map((event: { kind: string }) => event.kind);
};
const counts = async () => {
  const { body } = await service.request('GET', `/api/v2/pull-requests/${ids.pullRequestId}`, {
    as: withSession(viewer),
  });
  return [body.openDiscussions, body.discussions, body.comments];
};

describe('change-discussion', () => {
  it('resolves and reopens, with who and why, counted and recorded once', async () => {
    const resolved = await send('PATCH', '', { status: 'resolved', reason: ' Done in main. ' });
    expect(resolved.status).toBe(200);
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      statusCause: 'person',
      statusBy: member.name,
      statusReason: 'Done in main.',
      allowedActions: ['reply', 'reopen'],
      sending: { state: 'none' },
    });
    expect(await counts()).toEqual([0, 1, 1]);
    await send('PATCH', '', { status: 'resolved' });
    expect(await kinds()).toEqual(['discussion_status_changed', 'pull_request_opened']);
    const reopened = await send('PATCH', '', { status: 'open' }, withSession(admin));
    expect(reopened.body).toMatchObject({ status: 'open', statusCause: 'person', statusBy: admin.name });
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('counts right when many resolve and reopen at once', async () => {
    const statuses = ['resolved', 'open', 'resolved', 'open', 'resolved', 'open'];
    await Promise.all(statuses.map((status) => send('PATCH', '', { status })));
    const { body } = await service.request('GET', `/api/v2/pull-requests/${ids.pullRequestId}/discussions`, {
      as: withSession(viewer),
    });
    expect((await counts())[0]).toBe(body.discussions[0].status === 'open' ? 1 : 0);
  });

  it('has to reach the host when the pull request is of a host', async () => {
    await db
      .updateTable('pull_requests')
      .set({ origin: 'host' })
      .where('id', '=', ids.pullRequestId)
      .execute();
    expect((await send('PATCH', '', { status: 'resolved' })).body.sending).toEqual({
      state: 'waiting',
      problem: null,
    });
  });

  it('is for people: 403 for a viewer and for a key, 404 for another organization', async () => {
    expect((await send('PATCH', '', { status: 'resolved' }, withSession(viewer))).status).toBe(403);
    expect((await send('PATCH', '', { status: 'resolved' }, withKey(owner))).body.code).toBe(
      'key_not_accepted',
    );
    expect((await send('PATCH', '', { status: 'resolved' }, withSession(globex.owner))).status).toBe(404);
    expect((await send('PATCH', '', { status: 'addressed' })).status).toBe(400);
    expect(await kinds()).toEqual(['pull_request_opened']);
  });

  it('is 404 in a repository that the caller cannot see', async () => {
    await db
      .updateTable('repositories')
      .set({ visibility: 'members' })
      .where('id', '=', ids.repositoryId)
      .execute();
    expect((await send('PATCH', '', { status: 'resolved' })).status).toBe(404);
    expect((await send('PATCH', '', { status: 'resolved' }, withSession(admin))).status).toBe(200);
  });
});

describe('reply-to-discussion', () => {
  it('adds the reply, and the same one of the same person only once, also in parallel', async () => {
    const body = 'I renamed it.';
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => send('POST', '/replies', { body })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const other = await send('POST', '/replies', { body }, withSession(admin));
    expect(other.body.comments.map((comment: { author: { name: string } }) => comment.author.name)).toEqual([
      'a bot',
      member.name,
      admin.name,
    ]);
    expect(await counts()).toEqual([1, 1, 3]);
    expect(await kinds()).toEqual(['discussion_replied', 'discussion_replied', 'pull_request_opened']);
  });

  it('refuses blank text, viewers and other organizations', async () => {
    expect((await send('POST', '/replies', { body: ' ' })).status).toBe(400);
    expect((await send('POST', '/replies', { body: 'x' }, withSession(viewer))).status).toBe(403);
    expect((await send('POST', '/replies', { body: 'x' }, withSession(globex.member))).status).toBe(404);
  });
});

describe('edit-discussion-comment', () => {
  it('lets the author edit the text and nobody else', async () => {
    const { body } = await send('POST', '/replies', { body: 'Frist.' });
    const commentId = body.comments[1].id;
    const edited = await send('PATCH', `/comments/${commentId}`, { body: 'First.' });
    expect(edited.body.comments[1]).toMatchObject({ body: 'First.', editedAt: expect.any(String) });
    const late = await send('PATCH', `/comments/${commentId}`, { body: '1.', expectedBody: 'Frist.' });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    const refused = await send('PATCH', `/comments/${commentId}`, { body: 'Mine.' }, withSession(owner));
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await send('PATCH', `/comments/${discussionId}`, { body: 'x' })).status).toBe(404);
    expect(await kinds()).toEqual(['discussion_edited', 'discussion_replied', 'pull_request_opened']);
  });
});
