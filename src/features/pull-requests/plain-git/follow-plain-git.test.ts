/** The life of plain-git pull requests with real git: opened, pushed, merged in every way, closed and reopened. */
import { describe, expect, it } from 'vitest';
import { addRepository, type TestRepository } from '../../../../test/helpers/rows/code.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { createPlainGitFollower } from '../index.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;
const as = withSession(acme.member);
const problems: unknown[] = [];
const follower = createPlainGitFollower({
  code: service.mirrors.code,
  announce: () => undefined,
  log: { warn: (details: unknown) => void problems.push(details) } as never,
});

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };
const LATER = { 'c.txt': 'later on the base\n' };

async function fetchAndFollow(repository: TestRepository): Promise<void> {
  await repository.refresh();
  await follower.run(db, clock.now());
  expect(problems).toEqual([]);
}

const post = (body: Record<string, unknown>, credential = as) =>
  service.request('POST', '/api/v2/pull-requests', { as: credential, body });
const patch = (id: string, body: Record<string, unknown>) =>
  service.request('PATCH', `/api/v2/pull-requests/${id}`, { as, body });
const read = async (id: string) => (await service.request('GET', `/api/v2/pull-requests/${id}`, { as })).body;
const reasonOf = async (id: string) => {
  const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/activity`, { as });
  return body.events.find((event: { kind: string }) => event.kind === 'pull_request_state_changed')?.data;
};

/** A repository with two commits on a branch, and an open pull request for it. */
async function openOne(
  files: Record<string, string>[] = [{ 'a.txt': 'ONE\ntwo\nthree\n' }, { 'd.txt': 'd\n' }],
) {
  const repository = await addRepository(service, FILES);
  const base = await repository.git('rev-parse', 'main');
  let head = '';
  for (const change of files)
    head = await repository.commit(change, { branch: 'feature', ...(!head && { from: base }) });
  await repository.refresh();
  const { body, status } = await post({ repository: repository.fullName, head: 'feature', title: 'Feature' });
  expect(status, JSON.stringify(body)).toBe(201);
  return { repository, base, head, id: body.id as string };
}

/** A commit on main with the tree of another commit, as a squash does it. */
async function commitTree(repository: TestRepository, tree: string, ...parents: string[]): Promise<string> {
  const commit = await repository.git(
    ...[
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.com',
      'commit-tree',
      `${tree}^{tree}`,
      '-m',
      'Merge',
    ],
    ...parents.flatMap((parent) => ['-p', parent]),
  );
  await repository.git('update-ref', 'refs/heads/main', commit);
  return commit;
}

describe('opening', async () => {
  const { base, head, id, repository } = await openOne();
  await repository.commit({ 'x.txt': 'x\n' }, { branch: 'other', from: base });
  await repository.git('branch', 'behind', base);
  await repository.commit({ 'y.txt': 'y\n' }, { branch: 'unrelated', from: null });
  await repository.refresh();

  it('compares the branch with the default branch and counts up from 1', async () => {
    expect(await read(id)).toMatchObject({
      number: 1,
      origin: 'git',
      state: 'open',
      headBranch: 'feature',
      baseBranch: 'main',
      headCommit: head,
      baseCommit: base,
      mergeBase: base,
      author: { kind: 'person', id: acme.member.userId },
      heads: [{ position: 1, commit: head, mergeBase: base, forced: null }],
      allowedActions: ['comment', 'review', 'request_review', 'edit', 'close', 'merge'],
      lastEvent: 1,
    });
  });

  it.each([
    ['404: an unknown repository', { repository: 'acme/none' }, 404, 'not_found'],
    ['404: a head that was not pushed', { head: 'nowhere' }, 404, 'ref_not_found'],
    ['404: a base that was not pushed', { base: 'nowhere' }, 404, 'ref_not_found'],
    ['400: one branch twice', { base: 'other' }, 400, 'invalid_request'],
    ['409: nothing to merge', { head: 'behind' }, 409, 'conflict'],
    ['409: no common history', { head: 'unrelated' }, 409, 'conflict'],
  ])('%s', async (_, change, status, code) => {
    const answer = await post({ repository: repository.fullName, head: 'other', title: 'T', ...change });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('409: the branches have an open one, which is named', async () => {
    const { body, status } = await post({ repository: repository.fullName, head: 'feature', title: 'T' });
    expect([status, body.detail]).toEqual([409, '#1 is already open for feature into main.']);
  });

  it('gives different numbers to two that are opened at once, and opens one of two equal ones', async () => {
    const answers = await Promise.all([
      post({ repository: repository.fullName, head: 'other', title: 'T', draft: true }),
      post({ repository: repository.fullName, head: 'other', title: 'T', draft: true }),
      post({ repository: repository.fullName, head: 'feature', base: 'other', title: 'T' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened.map(({ body }) => body.number).sort()).toEqual([2, 3]);
  });

  it('409: a repository with a code host, which is named', async () => {
    const host = { id: crypto.randomUUID(), url: 'https://git.example' };
    const times = { created_at: clock.now(), updated_at: clock.now() };
    await db
      .insertInto('code_hosts')
      .values({ ...host, ...times, organization_id: acme.id, kind: 'gitea' })
      .execute();
    const { id: repositoryId } = repository;
    await db
      .updateTable('repositories')
      .set({ code_host_id: host.id })
      .where('id', '=', repositoryId)
      .execute();
    const { body, status } = await post({ repository: repository.fullName, head: 'other', title: 'T' });
    expect([status, body.detail]).toEqual([
      409,
      `Pull requests of ${repository.fullName} are opened on https://git.example. Open it there.`,
    ]);
    await db.updateTable('repositories').set({ code_host_id: null }).where('id', '=', repositoryId).execute();
  });

  it('needs a member of this organization, and no API key over REST', async () => {
    const wanted = { repository: repository.fullName, head: 'other', title: 'T' };
    expect((await post(wanted, withSession(acme.viewer))).status).toBe(403);
    expect((await post(wanted, withKey(acme.member))).status).toBe(403);
    expect((await post(wanted, withSession(globex.owner))).status).toBe(404);
  });
});

describe('a push', () => {
  it('adds a head; a push of the base alone adds none', async () => {
    const { base, head, id, repository } = await openOne();
    const next = await repository.commit({ 'd.txt': 'dd\n' }, { branch: 'feature' });
    await fetchAndFollow(repository);
    await repository.commit(LATER);
    await fetchAndFollow(repository);
    await fetchAndFollow(repository);
    const now = await read(id);
    expect(now).toMatchObject({ state: 'open', headCommit: next, mergeBase: base, lastEvent: 2 });
    expect(now.baseCommit).toBe(await repository.git('rev-parse', 'main'));
    expect(now.heads).toMatchObject([
      { commit: head, forced: null },
      { commit: next, forced: false, mergeBase: base },
    ]);
  });

  it('says that it was forced, with the new merge base', async () => {
    const { id, repository } = await openOne();
    const later = await repository.commit(LATER);
    const forced = await repository.commit({ 'd.txt': 'again\n' }, { branch: 'feature', from: later });
    await fetchAndFollow(repository);
    expect((await read(id)).heads[1]).toMatchObject({ commit: forced, forced: true, mergeBase: later });
  });
});

describe('merged', () => {
  it('by a merge commit, a draft too', async () => {
    const { head, id, repository } = await openOne();
    await patch(id, { state: 'draft' });
    const later = await repository.commit(LATER);
    await commitTree(repository, head, later, head);
    await fetchAndFollow(repository);
    const now = await read(id);
    expect(now).toMatchObject({
      state: 'merged',
      mergedAt: expect.any(String),
      allowedActions: ['comment', 'edit', 'revert'],
    });
    expect(await reasonOf(id)).toEqual({ from: 'draft', to: 'merged', reason: 'contained' });
  });

  it('by a fast-forward, with commits pushed at the same time, which are still compared at the old base', async () => {
    const { base, id, repository } = await openOne();
    const last = await repository.commit({ 'd.txt': 'dd\n' }, { branch: 'feature' });
    await repository.git('update-ref', 'refs/heads/main', last);
    await fetchAndFollow(repository);
    expect(await read(id)).toMatchObject({ state: 'merged', headCommit: last, mergeBase: base });
  });

  it('by a squash, after other commits on the base, and with the branch deleted', async () => {
    const { id, repository } = await openOne();
    await repository.commit(LATER);
    const squashed = await repository.commit({ 'a.txt': 'ONE\ntwo\nthree\n', 'd.txt': 'd\n' });
    await repository.git('branch', '-D', 'feature');
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('merged');
    expect(await reasonOf(id)).toMatchObject({ reason: 'squashed', commit: squashed });
  });

  it('by a rebase, commit by commit', async () => {
    const { id, repository } = await openOne();
    await repository.commit(LATER);
    await repository.commit({ 'a.txt': 'ONE\ntwo\nthree\n' });
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('open');
    await repository.commit({ 'd.txt': 'd\n' });
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('merged');
    expect(await reasonOf(id)).toMatchObject({ reason: 'rebased' });
  });

  it('by a rebase of the branch and a fast-forward between two fetches', async () => {
    const { id, repository } = await openOne();
    const later = await repository.commit(LATER);
    await repository.commit({ 'a.txt': 'ONE\ntwo\nthree\n' }, { branch: 'feature', from: later });
    const head = await repository.commit({ 'd.txt': 'd\n' }, { branch: 'feature' });
    await repository.git('update-ref', 'refs/heads/main', head);
    await fetchAndFollow(repository);
    expect(await read(id)).toMatchObject({
      state: 'merged',
      headCommit: head,
      mergeBase: expect.any(String),
    });
  });

  it('not by another change of the same lines', async () => {
    const { id, repository } = await openOne();
    await repository.commit({ 'a.txt': 'ONE!\ntwo\nthree\n', 'd.txt': 'd\n' });
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('open');
  });

  it('409: it cannot be closed, reopened or rebased afterwards, but its text can be edited', async () => {
    const { head, id, repository } = await openOne();
    await repository.git('update-ref', 'refs/heads/main', head);
    await fetchAndFollow(repository);
    expect((await patch(id, { state: 'open' })).status).toBe(409);
    expect((await patch(id, { state: 'closed' })).status).toBe(409);
    expect((await patch(id, { base: 'feature' })).status).toBe(409);
    expect((await patch(id, { title: 'Done' })).body).toMatchObject({ title: 'Done', state: 'merged' });
  });
});

describe('closed', () => {
  it('when the branch is deleted, and reopened by hand once it is back, at its new head', async () => {
    const { head, id, repository } = await openOne();
    await repository.git('branch', '-D', 'feature');
    await fetchAndFollow(repository);
    expect(await read(id)).toMatchObject({ state: 'closed', closedAt: expect.any(String), headCommit: head });
    expect(await reasonOf(id)).toMatchObject({ reason: 'head_deleted' });
    expect((await patch(id, { state: 'open' })).body.code).toBe('ref_not_found');
    const back = await repository.commit({ 'd.txt': 'back\n' }, { branch: 'feature', from: head });
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('closed');
    const { body } = await patch(id, { state: 'open' });
    expect(body).toMatchObject({ state: 'open', closedAt: null, headCommit: back });
    expect(body.heads[1]).toMatchObject({ commit: back, forced: false });
    // The person who reopens it didn't push that.
    const activity = await service.request('GET', `/api/v2/pull-requests/${id}/activity`, { as });
    const pushed = activity.body.events.find(({ kind }: { kind: string }) => kind === 'pull_request_pushed');
    expect(pushed).toMatchObject({ actor: { kind: 'service' }, data: { author: expect.any(String) } });
    await fetchAndFollow(repository);
    expect((await read(id)).state).toBe('open');
  });

  it('when the base is deleted', async () => {
    const { id, repository } = await openOne();
    await repository.git('branch', 'release', 'main');
    await repository.refresh();
    expect((await patch(id, { base: 'release' })).body).toMatchObject({
      baseBranch: 'release',
      lastEvent: 2,
    });
    await repository.git('branch', '-D', 'release');
    await fetchAndFollow(repository);
    expect(await reasonOf(id)).toMatchObject({ to: 'closed', reason: 'base_deleted' });
  });

  it('when the branch is reset to what the base has, which is no merge', async () => {
    const { base, id, repository } = await openOne();
    await repository.git('update-ref', 'refs/heads/feature', base);
    await fetchAndFollow(repository);
    expect(await reasonOf(id)).toMatchObject({ to: 'closed', reason: 'no_changes' });
  });

  it('by hand, and not reopened while another one is open for the same branches', async () => {
    const { id, repository } = await openOne();
    expect((await patch(id, { state: 'closed' })).body).toMatchObject({ state: 'closed', lastEvent: 2 });
    const again = await post({ repository: repository.fullName, head: 'feature', title: 'Again' });
    expect(again.body.number).toBe(2);
    const { body, status } = await patch(id, { state: 'open' });
    expect([status, body.detail]).toEqual([409, '#2 is already open for feature into main.']);
    expect((await patch(id, { base: 'feature' })).status).toBe(400);
  });
});

describe('another base', () => {
  /** Follows the branches, with something else happening while git is asked. */
  async function followWhile(repository: TestRepository, meanwhile: () => Promise<unknown>) {
    await repository.refresh();
    let isDone = false;
    const code: typeof service.mirrors.code = {
      ...service.mirrors.code,
      async compare(...request) {
        if (!isDone) {
          isDone = true;
          await meanwhile();
        }
        return service.mirrors.code.compare(...request);
      },
    };
    const log = { warn: (details: unknown) => void problems.push(details) } as never;
    await createPlainGitFollower({ code, announce: () => undefined, log }).run(db, clock.now());
    expect([isDone, problems]).toEqual([true, []]);
  }

  it('that is chosen during a push into the old one wins, and is compared with the new head', async () => {
    const { base, head, id, repository } = await openOne();
    await repository.git('branch', 'release', 'main');
    await repository.git('update-ref', 'refs/heads/main', head);
    // `release` is where `main` was: only the name tells them apart.
    await followWhile(repository, () => patch(id, { base: 'release' }));
    expect(await read(id)).toMatchObject({ state: 'open', baseBranch: 'release', baseCommit: base });
    await fetchAndFollow(repository);
    expect(await read(id)).toMatchObject({ state: 'open', baseBranch: 'release', mergeBase: base });
  });

  it('is not what was approved before, until it is the base again', async () => {
    const { head, id, repository } = await openOne();
    await repository.git('branch', 'release', 'main');
    await repository.refresh();
    const review = async (body: Record<string, unknown>, reviewer: Person) =>
      (
        await service.request('POST', `/api/v2/pull-requests/${id}/reviews`, {
          as: withSession(reviewer),
          body,
        })
      ).status;
    await patch(id, { base: 'release' });
    expect(await review({ verdict: 'approved', commit: head }, acme.owner)).toBe(200);
    expect((await read(id)).verdict).toBe('approved');
    expect((await patch(id, { base: 'main' })).body.verdict).toBeNull();
    expect((await read(id)).verdicts).toMatchObject([{ baseBranch: 'release', dismissedAt: null }]);
    expect((await patch(id, { base: 'release' })).body.verdict).toBe('approved');
    expect(await review({ verdict: 'changes_requested', note: 'Not yet.' }, acme.admin)).toBe(200);
    expect((await patch(id, { base: 'main' })).body.verdict).toBe('changes_requested');
  });

  it('409: that is chosen while someone approves', async () => {
    const { head, id, repository } = await openOne();
    await repository.git('branch', 'release', 'main');
    await repository.refresh();
    const { code } = service.mirrors;
    const compare = code.compare;
    code.compare = async (...request) => {
      const result = await compare.apply(code, request);
      if (request[0] === 'findCommitBy') expect((await patch(id, { base: 'release' })).status).toBe(200);
      return result;
    };
    const reply = await service
      .request('POST', `/api/v2/pull-requests/${id}/reviews`, {
        as: withSession(acme.owner),
        body: { verdict: 'approved', commit: head },
      })
      .finally(() => {
        code.compare = compare;
      });
    expect([reply.status, reply.body.detail]).toEqual([
      409,
      'The base branch changed just now. Review the changes and try again.',
    ]);
    expect((await read(id)).verdicts).toEqual([]);
  });

  it('takes a push along that was fetched but not recorded yet', async () => {
    const { base, id, repository } = await openOne();
    await repository.git('branch', 'release', base);
    const later = await repository.commit(LATER);
    const rebased = await repository.commit({ 'd.txt': 'again\n' }, { branch: 'feature', from: later });
    await repository.refresh();
    const { body } = await patch(id, { base: 'release' });
    expect(body).toMatchObject({ headCommit: rebased, baseBranch: 'release', mergeBase: base });
    expect(body.heads.map(({ mergeBase }: { mergeBase: string }) => mergeBase)).toEqual([base, base]);
  });
});

describe('editing', () => {
  it('changes what is given, records which fields, and nothing for the same values', async () => {
    const { id } = await openOne();
    expect((await patch(id, {})).body.lastEvent).toBe(1);
    const { body } = await patch(id, { title: 'New', description: 'Text' });
    expect(body).toMatchObject({ title: 'New', description: 'Text', lastEvent: 2 });
    expect((await patch(id, { title: 'New', state: 'open', base: 'main' })).body.lastEvent).toBe(2);
    // Two people tick at once: one of them has seen another text.
    const tick = (description: string) => patch(id, { description, expectedDescription: 'Text' });
    const both = await Promise.all([tick('- [x] One'), tick('- [x] Two')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = both.find(({ status }) => status === 200)!.body.description;
    expect((await read(id)).description).toBe(won);
  });
});
