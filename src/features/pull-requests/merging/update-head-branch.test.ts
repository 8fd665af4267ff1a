/** Merging the base into the head branch with real git: two clicks at once, conflicts, pushes between, and who may. */
import { expect, it } from 'vitest';
import { startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { admin, member, owner, viewer } = service.acme;
const { follow, open, read, repository, request, setHook } = await startMerging(service);
const { git } = repository;

const update = (id: string, expectedHead: string, as = admin) =>
  request('POST', `${id}/update-branch`, as, { expectedHead });
const pushToMain = async (files: Record<string, string>) => {
  const commit = await repository.commit(files, { branch: 'main' });
  await follow();
  return commit;
};

it('makes one merge commit of the caller, however many click, who can’t approve afterward', async () => {
  const { head, id } = await open('behind', { approved: false });
  expect(await update(id, head)).toMatchObject({
    status: 409,
    body: { detail: 'behind already has all commits of main.' },
  });
  const main = await pushToMain({ 'later.txt': 'later\n' });
  expect(await read(id)).toMatchObject({ headCommit: head, baseCommit: main, mergeability: 'clean' });
  expect((await update(id, head, viewer)).status).toBe(403);
  expect((await update(id, head, service.globex.admin)).status).toBe(404);
  expect((await update(id, main)).status).toBe(409);
  await setHook('echo "Freeze until Monday."; exit 1');
  expect((await update(id, head)).body.detail).toContain('Freeze until Monday.');
  await setHook('exit 0');

  const replies = await Promise.all([update(id, head), update(id, head, owner)]);
  expect(replies.map(({ status }) => status).sort(), JSON.stringify(replies)).toEqual([200, 409]);
  const { commit } = replies.find(({ status }) => status === 200)!.body;
  expect(await git('rev-parse', 'behind', 'behind^1', 'behind^2')).toBe([commit, head, main].join('\n'));
  expect(await git('log', '-1', '--format=%s', 'behind')).toBe("Merge branch 'main' into behind");
  await follow();
  const after = await read(id);
  expect(after).toMatchObject({ headCommit: commit, mergeBase: main });
  // A plain push says nothing of a base branch.
  expect(
    after.timeline
      .filter(({ kind }: { kind: string }) => kind === 'pull_request_pushed')
      .map(({ data }: { data: { updatedWith?: string } }) => data.updatedWith),
  ).toEqual(['main']);
  const by = (await git('log', '-1', '--format=%an', 'behind')) === admin.name ? admin : owner;
  const own = await request('POST', `${id}/reviews`, by, { verdict: 'approved', commit });
  expect(own.status, JSON.stringify(own.body)).toBe(403);
});

it('is the caller’s in each pull request of the branch, although it is squashed before it is fetched', async () => {
  const { base, id } = await open('squashed', { approved: false });
  await git('update-ref', 'refs/heads/release', base);
  const main = await pushToMain({ 'unfetched.txt': 'x\n' });
  const { body: second } = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(member),
    body: { repository: repository.fullName, head: 'squashed', base: 'release', title: 'second' },
  });
  expect((await update(id, second.headCommit)).status).toBe(200);
  const commit = await git('commit-tree', 'squashed^{tree}', '-p', main, '-m', 'squashed');
  await git('update-ref', 'refs/heads/squashed', commit);
  await follow();
  for (const each of [id, second.id]) {
    expect(await read(each)).toMatchObject({ headCommit: commit });
    const approve = (as: typeof admin) =>
      request('POST', `${each}/reviews`, as, { verdict: 'approved', commit });
    expect((await approve(admin)).body.detail).toContain('You pushed to this pull request');
    expect((await request('GET', each, admin)).body.allowedVerdicts).not.toContain('approved');
    expect((await approve(owner)).status).toBe(200);
  }
  // The other pull request says too which branch was merged, although its base is another one.
  await pushToMain({ 'later.txt': 'x\n' });
  expect((await update(id, commit)).status).toBe(200);
  await follow();
  expect((await read(second.id)).timeline.at(-1).data).toMatchObject({ updatedWith: 'main' });
});

it('is refused while the branches conflict, on protected branches and once it is closed', async () => {
  const { head, id } = await open('clash', { files: { 'a.txt': 'two\n' } });
  await pushToMain({ 'a.txt': 'three\n' });
  expect((await update(id, head)).body.detail).toBe(
    'main conflicts with clash in a.txt. Merge it in a clone.',
  );
  const rule = { pattern: 'clash', approvals: 1 };
  const set = await service.request('PUT', '/api/v2/merge-rules', {
    as: withSession(admin),
    body: rule,
  });
  expect(set.status).toBe(200);
  expect((await update(id, head)).body.detail).toContain('only merges move it');
  await request('PATCH', id, member, { state: 'closed' });
  expect((await update(id, head)).body.detail).toContain('while its pull request is open');
});

it('leaves a reviewer who can’t approve any more a way to take back their request for changes: a comment', async () => {
  const { head, id } = await open('asked', { approved: false });
  const review = (verdict: string, commit: string, as = admin) =>
    request('POST', `${id}/reviews`, as, { verdict, commit, note: 'Please.' });
  const requested = async () =>
    (await read(id)).mergeRequirements.requirements.find(
      ({ kind }: { kind: string }) => kind === 'changes_requested',
    );
  expect((await review('changes_requested', head)).status).toBe(200);
  // While they can approve, a comment takes nothing back.
  expect((await review('commented', head)).status).toBe(200);
  expect(await requested()).toMatchObject({
    isMet: false,
    detail: expect.stringContaining('until they comment'),
  });
  await pushToMain({ 'again.txt': 'again\n' });
  const { commit } = (await update(id, head)).body;
  await follow();
  expect((await review('approved', commit)).status).toBe(403);
  expect(await requested()).toMatchObject({ isMet: false });
  expect((await review('commented', commit, owner)).status).toBe(200);
  expect(await requested()).toMatchObject({ isMet: false });
  expect((await review('commented', commit)).status).toBe(200);
  expect(await requested()).toMatchObject({ isMet: true });
});
