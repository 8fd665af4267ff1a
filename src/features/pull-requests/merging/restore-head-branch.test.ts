/** Restoring head branches with real git: clicks at once and again, a branch that exists again, interruptions, and who may. */
import { expect, it } from 'vitest';
import { type Opened, startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, viewer } = acme;
const { follow, kinds, merge, open, read, repository, request, setHook } = await startMerging(service);
const { git } = repository;

const RESTORED = 'pull_request_branch_restored';
const restore = ({ id }: Opened, as = member) => request('POST', `${id}/restore-branch`, as);
const isRestorable = async ({ id }: Opened, as = member) =>
  (await request('GET', id, as)).body.headBranchRestorable;
const countOf = async ({ id }: Opened) => (await kinds(id)).filter((kind) => kind === RESTORED).length;
const leftOver = () => db.selectFrom('own_pushes').select('id').where('kind', '=', 'restore').execute();

it('restores a deleted branch once, however many click, and again when it was deleted again', async () => {
  const opened = await open('short');
  expect(await isRestorable(opened)).toBe(false);
  expect((await restore(opened)).body.detail).toContain('Only the branch of a merged or closed');
  expect((await merge(opened, { deleteBranch: true })).body.state).toBe('merged');
  // Before the deletion is fetched, and for those who may.
  expect(await isRestorable(opened)).toBe(true);
  expect(await isRestorable(opened, viewer)).toBe(false);
  expect((await restore(opened, viewer)).status).toBe(403);
  expect((await restore(opened, globex.member)).status).toBe(404);

  const replies = await Promise.all([restore(opened), restore(opened, admin), restore(opened)]);
  expect(
    replies.map(({ status }) => status),
    JSON.stringify(replies),
  ).toEqual([200, 200, 200]);
  expect(replies[0]!.body).toMatchObject({ state: 'merged', headBranchRestorable: false });
  expect((await restore(opened)).status).toBe(200);
  expect(await git('rev-parse', 'short')).toBe(opened.head);
  expect([await countOf(opened), await leftOver()]).toEqual([1, []]);
  await follow();
  expect(await isRestorable(opened)).toBe(false);

  await git('branch', '-D', 'short');
  await follow();
  expect(await isRestorable(opened)).toBe(true);
  expect((await restore(opened)).status).toBe(200);
  expect([await git('rev-parse', 'short'), await countOf(opened)]).toEqual([opened.head, 2]);

  await git('branch', '-D', 'short');
  await follow();
  const rule = { as: withSession(admin), body: { pattern: 'sho*', approvals: 1 } };
  expect((await service.request('PUT', '/api/v2/merge-rules', rule)).status).toBe(200);
  expect(await isRestorable(opened)).toBe(false);
  expect((await restore(opened, admin)).body).toMatchObject({
    status: 409,
    detail: 'short can’t be restored. short has a merge rule (sho*), so only merges move it.',
  });
  expect([await git('branch', '--list', 'short'), await countOf(opened)]).toEqual(['', 2]);
});

it('never moves a branch that exists again, and says why the server refused', async () => {
  const opened = await open('taken');
  expect((await merge(opened, { deleteBranch: true })).body.state).toBe('merged');
  await setHook('echo "No new branches."; exit 1');
  expect((await restore(opened)).body).toMatchObject({
    status: 409,
    detail: 'The server refused the branch taken. No new branches.',
  });
  await setHook('exit 0');
  // git would take the tag for the branch.
  await git('update-ref', 'refs/tags/refs/heads/taken', opened.base);
  expect((await restore(opened)).body.detail).toContain('from refs/tags/refs/heads/taken.');
  await git('update-ref', '-d', 'refs/tags/refs/heads/taken');
  await git('update-ref', 'refs/heads/taken/too', opened.base);
  expect((await restore(opened)).body).toMatchObject({
    status: 409,
    detail:
      'The server refused the branch taken. git can’t keep it beside the branch taken/too. Delete or rename that first.',
  });
  await git('branch', '-D', 'taken/too');
  for (const tip of [opened.base, opened.head]) {
    await git('update-ref', 'refs/heads/taken', tip);
    expect((await restore(opened)).body).toMatchObject({
      status: 409,
      detail: 'The branch taken exists again.',
    });
    expect(await git('rev-parse', 'taken')).toBe(tip);
  }
  await git('branch', '-D', 'taken');
  // Somebody else's push arrives before ours is taken.
  await setHook(`echo ${opened.base} > refs/heads/taken`);
  expect((await restore(opened)).body).toMatchObject({
    status: 409,
    detail: 'The branch taken exists again.',
  });
  await setHook('exit 0');
  expect(await git('rev-parse', 'taken')).toBe(opened.base);
  expect([await countOf(opened), await leftOver()]).toEqual([0, []]);
});

it('finds out after an interruption whether the server took it, and lets a closed one be reopened', async () => {
  const opened = await open('cut');
  await git('branch', '-D', 'cut');
  await follow();
  expect(await read(opened.id)).toMatchObject({ state: 'closed', headBranchRestorable: true });
  await setHook('kill -9 $PPID');
  expect((await restore(opened)).status).toBe(503);
  await setHook('exit 0');
  expect(await leftOver()).toHaveLength(1);
  // The server took it after all.
  await git('update-ref', 'refs/heads/cut', opened.head);
  expect((await restore(opened)).status).toBe(200);
  expect([await countOf(opened), await leftOver()]).toEqual([1, []]);
  await follow();
  const reopened = await request('PATCH', opened.id, member, { state: 'open' });
  expect(reopened.body).toMatchObject({
    state: 'open',
    headCommit: opened.head,
    headBranchRestorable: false,
  });
});
