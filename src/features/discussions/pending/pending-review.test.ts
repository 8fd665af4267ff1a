/** Pending reviews: comments that only their author sees until all of them are submitted with a verdict. */
import { beforeEach, describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makeDiscussion } from '../../../../test/helpers/rows/discussions.ts';
import { makePullRequest } from '../../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { deletePerson } from '../../privacy/index.ts';
import { BY_SERVICE, withPullRequestAs } from '../../pull-requests/index.ts';
import { MAX_PENDING_COMMENTS } from './pending-contract.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const repository = await addRepository(service, { 'src/a.ts': 'one\ntwo\nthree\n' });
const base = await repository.git('rev-parse', 'main');
const head = await repository.commit({ 'src/a.ts': 'one\n2\nthree\n' }, { branch: 'feature' });
const moved = await repository.commit({ 'src/a.ts': 'zero\none\n2\n3\n' }, { branch: 'feature' });
await repository.refresh();

let id = '';
beforeEach(async () => {
  id = (await makePullRequest(service, repository, { headCommit: head, author: owner })).id;
  await db.updateTable('pull_requests').set({ merge_base: base }).where('id', '=', id).execute();
});

type Answer = Awaited<ReturnType<typeof service.request>>;
const call = (method: string, path: string, body?: object, as = withSession(member)): Promise<Answer> =>
  service.request(method, `/api/v2/pull-requests/${id}${path}`, { as, body });
const add = (body: object, as = withSession(member)) =>
  call('POST', '/pending-comments', { file: 'src/a.ts', startLine: 2, body: 'Why?', ...body }, as);
const listed = async (as = withSession(member)) =>
  (await call('GET', '/pending-comments', undefined, as)).body.comments;
const submit = (commentIds: string[], body: object = {}, as = withSession(member)) =>
  call(
    'POST',
    '/pending-comments/submission',
    { verdict: 'commented', commit: head, commentIds, ...body },
    as,
  );
const discussions = async () => (await call('GET', '/discussions')).body.discussions;
const push = () =>
  withPullRequestAs(
    { db, announce: () => undefined },
    { ...BY_SERVICE, organizationId: acme.id },
    id,
    clock.now(),
    (change) => change.recordHead({ commit: moved, baseCommit: base, mergeBase: base, forced: false }),
  );

/** Everything that others can read about the pull request, as text. */
async function seenByOthers(): Promise<string> {
  const read = async (path: string, as = withSession(admin)) =>
    JSON.stringify((await service.request('GET', path, { as })).body);
  const { name } = repository;
  return [
    await read(`/api/v2/pull-requests/${id}`),
    await read(`/api/v2/pull-requests/${id}/discussions`),
    await read(`/api/v2/pull-requests/${id}/pending-comments`),
    await read(`/api/v2/pull-requests/${id}/activity`),
    await read(`/api/v2/pull-requests/${id}/changes?since=0&waitSeconds=0`),
    await read('/api/v2/pull-requests?state=all'),
    await read('/api/v2/inbox'),
    await read(
      `/api/v2/discussions/by-branch?repository=${name}&branch=feature-1&status=all`,
      withKey(owner),
    ),
    await (
      await fetch(`${service.url}/api/v2/organization/export`, {
        headers: { cookie: `countersign=${owner.token}` },
      })
    ).text(),
  ].join('\n');
}

describe('a pending comment', () => {
  it('is its author’s alone, and leaks nowhere before it is submitted', async () => {
    const before = await call('GET', '');
    const added = await add({ body: 'SECRETLY pending' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      ...{ isReply: false, discussionId: null, file: 'src/a.ts', side: 'new', startLine: 2, endLine: 2 },
      ...{ commit: head, commentedCode: '2', body: 'SECRETLY pending' },
      position: { commit: head, outcome: 'exact', file: 'src/a.ts', startLine: 2, endLine: 2 },
    });
    expect(await listed()).toEqual([added.body]);
    for (const person of [owner, admin, viewer]) expect(await listed(withSession(person))).toEqual([]);
    expect((await call('GET', '')).body).toEqual(before.body);
    expect(await seenByOthers()).not.toContain('SECRETLY');
    // Others can't change it either, and don't learn that it exists.
    const path = `/pending-comments/${added.body.id}`;
    expect((await call('PATCH', path, { body: 'Mine.' }, withSession(admin))).status).toBe(404);
    expect((await call('DELETE', path, undefined, withSession(admin))).status).toBe(204);
    expect((await submit([added.body.id], {}, withSession(admin))).status).toBe(409);
    expect(await listed()).toHaveLength(1);
  });

  it('is edited, deleted, discarded and masked; the same text at one place is added once', async () => {
    const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
    const discussionId = await makeDiscussion(db, { ...ids(), file: 'src/a.ts' });
    const answers = await Promise.all([1, 2, 3].map(() => add({ body: `Is ${token} real?` })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const reply = (await add({ discussionId, file: undefined, startLine: undefined, body: 'No.' })).body;
    expect(reply).toMatchObject({ isReply: true, discussionId, position: null });
    const rows = await listed();
    expect(rows.map(({ body }: { body: string }) => body.includes(token))).toEqual([false, false]);
    const edited = await call('PATCH', `/pending-comments/${reply.id}`, { body: `${token} is not.` });
    expect(edited.body).toMatchObject({ id: reply.id, body: expect.not.stringContaining(token) });
    expect((await call('DELETE', `/pending-comments/${reply.id}`)).status).toBe(204);
    expect(await listed()).toHaveLength(1);
    expect((await call('DELETE', '/pending-comments')).status).toBe(204);
    expect(await listed()).toEqual([]);
  });

  it('has a place that exists, or a discussion of the pull request; there are limits', async () => {
    const paths = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path);
    expect(paths(await add({ startLine: 9 }))).toEqual(['endLine']);
    expect(paths(await add({ file: undefined }))).toEqual(['file']);
    expect(paths(await add({ body: 'x'.repeat(65_537) }))).toEqual(['body']);
    expect((await add({ discussionId: id })).status).toBe(404);
    const row = { organization_id: acme.id, pull_request_id: id, user_id: member.userId, is_reply: false };
    const place = {
      file: 'src/a.ts',
      side: 'new' as const,
      start_line: 1,
      end_line: 1,
      commented_code: 'one',
    };
    await db
      .insertInto('pending_comments')
      .values(
        Array.from({ length: MAX_PENDING_COMMENTS - 1 }, (_, index) => ({
          ...{ ...row, ...place, id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}` },
          ...{ body: `${index}`, created_at: clock.now(), updated_at: clock.now() },
        })),
      )
      .execute();
    const many = await Promise.all([1, 2, 3].map((number) => add({ body: `Number ${number}` })));
    expect(many.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await add({ body: 'Another person’s' }, withSession(admin))).status).toBe(201);
    await db.deleteFrom('pending_comments').execute();
  });

  it('is for members who see the repository, and never for keys', async () => {
    const { body } = await add({});
    expect((await add({}, withSession(viewer))).status).toBe(403);
    expect((await add({}, withKey(owner))).body.code).toBe('key_not_accepted');
    const foreign = withSession(globex.owner);
    expect((await add({}, foreign)).status).toBe(404);
    await db
      .updateTable('repositories')
      .set({ visibility: 'members' })
      .where('id', '=', repository.id)
      .execute();
    const answers = [
      await call('GET', '/pending-comments'),
      await call('PATCH', `/pending-comments/${body.id}`, { body: 'x' }),
      await call('DELETE', `/pending-comments/${body.id}`),
      await call('DELETE', '/pending-comments'),
      await submit([body.id]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    await db
      .updateTable('repositories')
      .set({ visibility: 'organization' })
      .where('id', '=', repository.id)
      .execute();
    expect(await listed()).toHaveLength(1);
  });

  it('tells only the author’s other devices', async () => {
    const events = async (person: typeof member, gone: AbortController) => {
      const response = await fetch(`${service.url}/api/v2/pull-requests/${id}/events`, {
        headers: { cookie: `countersign=${person.token}` },
        signal: gone.signal,
      });
      return response.body!.pipeThrough(new TextDecoderStream());
    };
    const gone = new AbortController();
    const [own, other] = [await events(member, gone), await events(admin, gone)];
    const until = async (stream: ReadableStream<string>, text: string) => {
      let read = '';
      for await (const chunk of stream) {
        read += chunk;
        if (read.includes(text)) return read;
      }
      return read;
    };
    const [seenByOwn, seenByOther] = [
      until(own, 'pending_comments_changed'),
      until(other, 'pull_request_commented'),
    ];
    await add({ body: 'On the phone' });
    expect(await seenByOwn).not.toContain('On the phone');
    await call('POST', '/comments', { body: 'For everyone' });
    expect(await seenByOther).not.toContain('pending');
    gone.abort();
  });
});

const ids = () => ({ organizationId: acme.id, repositoryId: repository.id, pullRequestId: id });

describe('submitting', () => {
  it('makes discussions, replies and the verdict one event', async () => {
    const discussionId = await makeDiscussion(db, { ...ids(), file: 'src/a.ts' });
    const one = (await add({ body: 'On two' })).body;
    const reply = (await add({ discussionId, body: 'I agree' })).body;
    const left = (await add({ body: 'Not yet', startLine: 1 })).body;
    const { body, status } = await submit([one.id, reply.id], {
      verdict: 'changes_requested',
      note: 'See below.',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ verdict: 'changes_requested', openDiscussions: 2, discussions: 2, comments: 3 },
      verdicts: [{ verdict: 'changes_requested', note: 'See below.', commit: head }],
    });
    const [replied, opened] = await discussions();
    expect(replied).toMatchObject({ id: discussionId, comments: [{}, { body: 'I agree' }] });
    expect(opened).toMatchObject({ commentedCode: '2', startLine: 2, comments: [{ body: 'On two' }] });
    const { events } = (await call('GET', '/activity')).body;
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'pull_request_reviewed',
      'pull_request_opened',
    ]);
    expect(events[0].data).toMatchObject({
      commentIds: [opened.comments[0].id, replied.comments[1].id],
      discussionIds: [opened.id],
    });
    expect(await listed()).toEqual([left]);
    expect((await submit([left.id], { verdict: 'approved', note: 'Fine.' })).body.verdict).toBe('approved');
  });

  it('happens once, however often it is sent, and all or nothing', async () => {
    const [one, two] = [(await add({ body: 'One' })).body, (await add({ body: 'Two' })).body];
    const answers = await Promise.all([1, 2, 3].map(() => submit([one.id, two.id])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await discussions()).toHaveLength(2);
    expect((await call('GET', '')).body.verdicts).toHaveLength(1);
    const three = (await add({ body: 'Three' })).body;
    const { body } = await submit([three.id, one.id]);
    expect(body.detail).toContain('One of these comments was submitted or deleted meanwhile.');
    expect(await listed()).toHaveLength(1);
    // One deletes on the phone what is submitted on the desk: either is fine, but not half of it.
    const four = (await add({ body: 'Four', startLine: 3 })).body;
    const [sent] = await Promise.all([
      submit([three.id, four.id]),
      call('DELETE', `/pending-comments/${four.id}`),
    ]);
    expect([(await discussions()).length, (await listed()).length]).toEqual(
      sent.status === 200 ? [4, 0] : [2, 1],
    );
  });

  it('keeps the rules of reviews: authors don’t approve, and nobody reviews what was merged', async () => {
    const own = (await add({ body: 'Mine' }, withSession(owner))).body;
    const approve = { verdict: 'approved' };
    expect((await submit([own.id], approve, withSession(owner))).status).toBe(403);
    expect((await submit([own.id], { verdict: 'changes_requested' }, withSession(owner))).status).toBe(403);
    expect((await submit([own.id], {}, withSession(owner))).status).toBe(200);
    const late = (await add({ body: 'Too late' })).body;
    await db.updateTable('pull_requests').set({ state: 'merged' }).where('id', '=', id).execute();
    expect((await submit([late.id], { verdict: 'changes_requested' })).status).toBe(409);
    expect((await submit([late.id])).status).toBe(200);
  });

  it('survives a push, with its lines, and says which head the verdict is about', async () => {
    const [shifted, changed] = [
      (await add({ body: 'Two' })).body,
      (await add({ body: 'Three', startLine: 3 })).body,
    ];
    await push();
    const positions = (await listed()).map(({ position }: { position: object }) => position);
    expect(positions).toMatchObject([
      { commit: moved, outcome: 'exact', startLine: 3, endLine: 3 },
      { commit: moved, outcome: 'changed', startLine: 4 },
    ]);
    for (const verdict of ['approved', 'commented']) {
      const refused = await submit([shifted.id], { verdict });
      expect(refused.status).toBe(409);
      expect(refused.body.detail).toContain(`Since ${head.slice(0, 12)}, 1 new commit`);
    }
    const refused = await submit([shifted.id], { verdict: 'approved', earlierHead: true });
    expect(refused.body.errors).toMatchObject([{ path: 'earlierHead' }]);
    expect((await submit([shifted.id], { commit: base, earlierHead: true })).status).toBe(409);
    const { body } = await submit([shifted.id, changed.id], {
      verdict: 'changes_requested',
      earlierHead: true,
    });
    expect(body.verdicts).toMatchObject([{ commit: head }]);
    expect(await discussions()).toMatchObject([
      { commit: moved, startLine: 3, commentedCode: '2' },
      { commit: head, startLine: 3, commentedCode: 'three' },
    ]);
  });

  it('replies although the discussion was resolved, and starts another if it was deleted', async () => {
    const [kept, gone] = [
      await makeDiscussion(db, ids()),
      await makeDiscussion(db, { ...ids(), commit: head }),
    ];
    const replies = [
      (await add({ discussionId: kept, body: 'Still wrong' })).body,
      (await add({ discussionId: gone, body: 'Here too' })).body,
    ];
    await service.request('PATCH', `/api/v2/discussions/${kept}`, {
      as: withSession(admin),
      body: { status: 'resolved' },
    });
    await db.deleteFrom('discussions').where('id', '=', gone).execute();
    expect(await listed()).toMatchObject([
      { isReply: true, discussionId: kept },
      { isReply: true, discussionId: null, position: { outcome: 'exact' } },
    ]);
    expect((await submit(replies.map((reply) => reply.id))).status).toBe(200);
    expect(await discussions()).toMatchObject([
      { status: 'resolved', comments: [{}, { body: 'Still wrong' }] },
      { status: 'open', file: 'src/a.ts', comments: [{ body: 'Here too' }] },
    ]);
  });
});

it('stays while its author is deactivated, and goes with them', async () => {
  const { body } = await add({ body: 'Later' });
  const set = (active: boolean) =>
    service.request('PATCH', `/api/v2/members/${member.userId}`, {
      as: withSession(owner),
      body: { active },
    });
  expect((await set(false)).status).toBe(200);
  expect((await submit([body.id])).status).toBe(401);
  await set(true);
  const left = async () =>
    (await db.selectFrom('pending_comments').select('id').where('pull_request_id', '=', id).execute()).length;
  expect(await left()).toBe(1);
  const { email, name, userId } = member;
  await deletePerson(db, { id: userId, name, email }, clock.now());
  expect(await left()).toBe(0);
});
