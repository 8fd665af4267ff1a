/** POST /api/v2/pull-requests/:pullRequestId/discussions: opening discussions on real code. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { makePullRequest } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, db, globex } = service;
const repository = await addRepository(service, { 'src/a.ts': 'one\ntwo\nthree\n', 'logo.png': 'PNG\0\0' });
const base = await repository.git('rev-parse', 'main');
const below = await repository.commit({ 'src/a.ts': 'one\nII\nthree\n' });
const head = await repository.commit({ 'src/a.ts': 'one\n2\nthree\n' });
const elsewhere = await repository.commit({ 'src/a.ts': '1\n' }, { branch: 'elsewhere', from: base });
await repository.refresh();
const { id: pullRequestId } = await makePullRequest(service, repository, { headCommit: head });
await db.updateTable('pull_requests').set({ merge_base: base }).where('id', '=', pullRequestId).execute();
await db
  .updateTable('pull_request_heads')
  .set({ merge_base: base })
  .where('pull_request_id', '=', pullRequestId)
  .execute();

const open = (body: Record<string, unknown>, as = withSession(acme.member)) =>
  service.request('POST', `/api/v2/pull-requests/${pullRequestId}/discussions`, {
    as,
    body: { body: 'Why?', file: 'src/a.ts', ...body },
  });
const paths = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path);

describe('201', () => {
  it('keeps the commented code and the place at the newest head', async () => {
    const { body, status } = await open({ startLine: 2, endLine: 3 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      file: 'src/a.ts',
      side: 'new',
      startLine: 2,
      endLine: 3,
      commit: head,
      commentedCode: '2\nthree',
      status: 'open',
      statusCause: 'opened',
      author: { kind: 'person', id: acme.member.userId, name: acme.member.name },
      position: { commit: head, outcome: 'exact', file: 'src/a.ts', startLine: 2, endLine: 3 },
      comments: [{ body: 'Why?' }],
      allowedActions: ['reply', 'resolve'],
    });
  });

  it('takes removed lines from the old side, and 0 for the whole file', async () => {
    expect((await open({ side: 'old', startLine: 2 })).body).toMatchObject({
      side: 'old',
      commit: base,
      commentedCode: 'two',
      endLine: 2,
    });
    expect((await open({ startLine: 0 })).body).toMatchObject({
      startLine: 0,
      endLine: 0,
      commentedCode: '',
    });
    expect((await open({ startLine: 0, file: 'logo.png' })).status).toBe(201);
  });
});

it('discussions, replies and comments that are sent again with their key are added once, also at the same time', async () => {
  const send = (path: string, body: object, key: string) =>
    service.request('POST', path, {
      as: withSession(acme.member),
      body,
      headers: { 'idempotency-key': key },
    });
  const thread = (await open({ startLine: 1 })).body.id;
  const pullRequest = `/api/v2/pull-requests/${pullRequestId}`;
  const line = { file: 'src/a.ts', startLine: 3 };
  const bodies = async () =>
    (await db.selectFrom('pull_request_comments').select('body').execute()).map(({ body }) => body);
  for (const [path, more] of [
    [`${pullRequest}/discussions`, line],
    [`/api/v2/discussions/${thread}/replies`, {}],
    [`${pullRequest}/comments`, {}],
  ] as const) {
    const body = { ...more, body: `Once at ${path}` };
    const sent = await Promise.all([1, 2, 3].map(() => send(path, body, path)));
    const [first, ...others] = sent.filter(({ status }) => status < 300);
    for (const { status } of sent) expect([first!.status, 409]).toContain(status);
    const again = await send(path, body, path);
    for (const reply of [...others, again]) expect(reply.body).toEqual(first!.body);
    expect((await send(path, { ...body, body: 'Other' }, path)).body.code).toBe('idempotency_conflict');
    expect((await bodies()).filter((text) => text === body.body || text === 'Other')).toEqual([body.body]);
  }
});

describe('a commit below the head', () => {
  it('keeps the code of that commit', async () => {
    const { body, status } = await open({ startLine: 2, commit: below });
    expect(status).toBe(201);
    expect(body).toMatchObject({ commit: below, commentedCode: 'II', startLine: 2, position: null });
  });

  it('must be one of this pull request', async () => {
    for (const commit of [base, elsewhere, 'f'.repeat(40)])
      expect((await open({ startLine: 1, commit })).body.errors).toEqual([
        { path: 'commit', message: 'is not a commit of this pull request' },
      ]);
  });
});

describe('400, 403, 404', () => {
  it('refuses lines and files that do not exist, and lines of a file that is not text', async () => {
    expect(paths(await open({ startLine: 4 }))).toEqual(['endLine']);
    expect(paths(await open({ startLine: 3, endLine: 2 }))).toEqual(['endLine']);
    expect(paths(await open({ startLine: 0, endLine: 3 }))).toEqual(['endLine']);
    expect(paths(await open({ startLine: 0, endLine: 2 ** 40 }))).toEqual(['endLine']);
    expect((await open({ startLine: 1, file: 'src' })).body.errors).toEqual([
      { path: 'file', message: expect.stringContaining('is a folder or submodule') },
    ]);
    expect(paths(await open({ startLine: 1, file: 'none.ts' }))).toEqual(['file']);
    expect(paths(await open({ startLine: 1, file: 'logo.png' }))).toEqual(['startLine']);
    expect(paths(await open({ startLine: -1, body: '' })).sort()).toEqual(['body', 'startLine']);
  });

  it('is for members who see the repository', async () => {
    expect((await open({ startLine: 1 }, withSession(acme.viewer))).status).toBe(403);
    expect((await open({ startLine: 1 }, withSession(globex.owner))).status).toBe(404);
  });
});
