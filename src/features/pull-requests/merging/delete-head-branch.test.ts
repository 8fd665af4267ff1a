/** Deleting head branches with real git: clicks at once and again, branches that must stay or moved, interruptions, and who may. */
import { expect, it } from 'vitest';
import { type Opened, startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, viewer } = acme;
const { follow, merge, open, read, repository, request, setHook } = await startMerging(service);
const { git } = repository;

const deleteBranch = ({ id }: Opened, as = member) => request('POST', `${id}/delete-branch`, as);
const isDeletable = async ({ id }: Opened, as = member) =>
  (await request('GET', id, as)).body.headBranchDeletable;
const deletionsOf = async ({ id }: Opened): Promise<(string | null)[]> =>
  (await request('GET', `${id}/activity`, member)).body.events
    .filter(({ kind }: { kind: string }) => kind === 'pull_request_branch_deleted')
    .map(({ actor }: { actor: { id: string } }) => actor.id);
const leftOver = () => db.selectFrom('own_pushes').select('id').where('kind', '=', 'delete').execute();
const tipOf = (branch: string) => git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);

it('deletes a branch once, however many click, and again when it was restored', async () => {
  const opened = await open('short');
  expect((await deleteBranch(opened)).body.detail).toContain('Only the branch of a merged or closed');
  expect((await merge(opened)).body).toMatchObject({ state: 'merged', headBranchDeletable: true });
  await follow();
  expect(await isDeletable(opened)).toBe(true);
  expect(await isDeletable(opened, viewer)).toBe(false);
  expect((await deleteBranch(opened, viewer)).status).toBe(403);
  expect((await deleteBranch(opened, globex.member)).status).toBe(404);

  const replies = await Promise.all([deleteBranch(opened), deleteBranch(opened), deleteBranch(opened)]);
  expect(
    replies.map(({ status }) => status),
    JSON.stringify(replies),
  ).toEqual([200, 200, 200]);
  // A second person's click changes nothing: the first one deleted it.
  expect((await deleteBranch(opened, admin)).status).toBe(200);
  expect(await read(opened.id)).toMatchObject({ headBranchDeletable: false, headBranchRestorable: true });
  expect([await tipOf('short'), await deletionsOf(opened), await leftOver()]).toEqual([
    '',
    [member.userId],
    [],
  ]);
  await follow();
  expect((await read(opened.id)).headBranchRestorable).toBe(true);

  expect((await request('POST', `${opened.id}/restore-branch`, member)).body).toMatchObject({
    headBranchDeletable: true,
    headBranchRestorable: false,
  });
  expect((await deleteBranch(opened, admin)).status).toBe(200);
  expect([await tipOf('short'), await deletionsOf(opened)]).toEqual(['', [admin.userId, member.userId]]);
});

it('keeps branches that are needed: of another pull request, with a merge rule, and the default branch', async () => {
  const lower = await open('lower');
  await repository.commit({ 'upper.txt': 'x\n' }, { branch: 'upper', from: lower.head, message: 'Upper' });
  await repository.refresh();
  const upper = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(member),
    body: { repository: repository.fullName, head: 'upper', base: 'lower', title: 'Upper' },
  });
  expect(upper.status, JSON.stringify(upper.body)).toBe(201);
  const close = ({ id }: { id: string }) => request('PATCH', id, member, { state: 'closed' });
  expect((await close(lower)).status).toBe(200);
  expect(await isDeletable(lower)).toBe(false);
  expect((await deleteBranch(lower)).body).toMatchObject({
    status: 409,
    detail: `lower can’t be deleted. The open pull request #${upper.body.number} merges into it.`,
  });
  expect((await close(upper.body)).status).toBe(200);
  const again = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(member),
    body: { repository: repository.fullName, head: 'lower', title: 'Lower again' },
  });
  expect((await deleteBranch(lower)).body.detail).toBe(
    `lower can’t be deleted. The open pull request #${again.body.number} comes from it.`,
  );
  expect((await close(again.body)).status).toBe(200);

  const rule = { as: withSession(admin), body: { pattern: 'lo*', approvals: 1 } };
  expect((await service.request('PUT', '/api/v2/merge-rules', rule)).status).toBe(200);
  expect((await deleteBranch(lower)).body.detail).toBe(
    'lower can’t be deleted. lower has a merge rule (lo*), so only merges move it.',
  );
  await db.deleteFrom('merge_rules').execute();
  const setDefault = (branch: string) =>
    db.updateTable('repositories').set({ default_branch: branch }).where('id', '=', repository.id).execute();
  await setDefault('lower');
  expect((await deleteBranch(lower)).body.detail).toContain('lower is the default branch');
  await setDefault('main');
  expect([await tipOf('lower'), await deletionsOf(lower)]).toEqual([lower.head, []]);
  expect((await deleteBranch(lower)).body).toMatchObject({ state: 'closed', headBranchDeletable: false });
  expect(await tipOf('lower')).toBe('');
});

it('never deletes a branch that moved, says why the server refused, and finds out after an interruption', async () => {
  const opened = await open('taken');
  expect((await merge(opened)).body.state).toBe('merged');
  await setHook('echo "No deletions."; exit 1');
  expect((await deleteBranch(opened)).body).toMatchObject({
    status: 409,
    detail: 'The server refused the branch taken. No deletions.',
  });
  await setHook('exit 0');
  const moved = {
    status: 409,
    detail: 'New commits were pushed to taken after it was merged. It was not deleted.',
  };
  await git('update-ref', 'refs/heads/taken', opened.base);
  expect((await deleteBranch(opened)).body).toMatchObject(moved);
  await follow();
  expect(await isDeletable(opened)).toBe(false);
  await git('update-ref', 'refs/heads/taken', opened.head);
  // Somebody else's push arrives before ours is taken.
  await setHook(`echo ${opened.base} > refs/heads/taken`);
  expect((await deleteBranch(opened)).body).toMatchObject(moved);
  expect([await tipOf('taken'), await deletionsOf(opened), await leftOver()]).toEqual([opened.base, [], []]);

  await git('update-ref', 'refs/heads/taken', opened.head);
  await setHook('kill -9 $PPID');
  expect((await deleteBranch(opened)).status).toBe(503);
  await setHook('exit 0');
  expect(await leftOver()).toHaveLength(1);
  // The server took it after all.
  await git('branch', '-D', 'taken');
  expect((await deleteBranch(opened, admin)).status).toBe(200);
  expect([await deletionsOf(opened), await leftOver()]).toEqual([[member.userId], []]);
});
