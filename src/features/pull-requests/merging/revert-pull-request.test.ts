/** Reverting merged pull requests of plain git with real git: every way of merging, clicks at once, an interruption, and conflicts. */
import { describe, expect, it } from 'vitest';
import { type Opened, startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, viewer } = acme;
const { follow, merge, open, read, repository, request, setHook } = await startMerging(service);
const { git } = repository;

const revert = ({ id }: Opened, as = member) => request('POST', `${id}/revert`, as);
const merged = async (branch: string, method: string, files?: Record<string, string>) => {
  const opened = await open(branch, files && { files });
  expect((await merge(opened, { method })).body.state).toBe('merged');
  await follow();
  return opened;
};

describe('a revert', () => {
  it.each(['merge', 'squash', 'rebase'])(
    'undoes all commits of one that was merged by %s',
    async (method) => {
      const before = await git('rev-parse', 'main^{tree}');
      const opened = await merged(`by-${method}`, method);
      expect(await git('rev-parse', 'main^{tree}')).not.toBe(before);
      const { body, status } = await revert(opened);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body).toMatchObject({
        state: 'open',
        title: `Revert "Add by-${method}"`,
        description: `Reverts #${opened.number}.`,
        headBranch: `revert-${opened.number}-by-${method}`,
        baseBranch: 'main',
        author: { id: member.userId },
      });
      const { headBranch } = body;
      expect(await git('rev-parse', `${headBranch}^`, `${headBranch}^{tree}`)).toBe(
        `${await git('rev-parse', 'main')}\n${before}`,
      );
      expect(await git('log', '-1', '--format=%an|%B', headBranch)).toBe(
        `${member.name}|Revert "Add by-${method}" (#${opened.number})\n\nThis reverts commit ${await git('rev-parse', 'main')}.`,
      );
      expect((await read(opened.id)).revertedBy).toEqual({
        ...{ id: body.id, number: body.number, state: 'open' },
        ...{ author: member.name, createdAt: body.createdAt },
      });
    },
  );

  it('of one that was merged with git undoes its own changes', async () => {
    const opened = await open('by-hand');
    const made = await git(
      'commit-tree',
      '-p',
      opened.base,
      '-p',
      opened.head,
      '-m',
      'x',
      `${opened.head}^{tree}`,
    );
    await git('update-ref', 'refs/heads/main', made);
    await follow();
    expect((await read(opened.id)).state).toBe('merged');
    const { body } = await revert(opened);
    expect(await git('rev-parse', `${body.headBranch}^{tree}`)).toBe(
      await git('rev-parse', `${opened.base}^{tree}`),
    );
  });

  it('is made once, by two people at once, again, and after an interruption', async () => {
    const opened = await merged('once', 'squash');
    const [one, other] = await Promise.all([revert(opened), revert(opened, admin)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body.id).toBe(one.body.id);
    expect((await revert(opened, admin)).body.id).toBe(one.body.id);
    // The process ended between the push and the record.
    await db.deleteFrom('pull_requests').where('id', '=', one.body.id).execute();
    const tip = await git('rev-parse', one.body.headBranch);
    const { body: again } = await revert(opened);
    expect(again).toMatchObject({ headBranch: one.body.headBranch, headCommit: tip });
    expect(await git('branch', '--list', `revert-${opened.number}-*`)).not.toContain('once-2');
    // A branch of somebody else with this name is left alone.
    await request('PATCH', again.id, member, { state: 'closed' });
    await git('update-ref', `refs/heads/${again.headBranch}`, opened.head);
    const { body: next } = await revert(opened);
    expect(next.headBranch).toBe(`${again.headBranch}-2`);
    expect(await git('rev-parse', again.headBranch)).toBe(opened.head);
  });

  it('can be reverted again after it was merged and its revert reverted, beside whatever has its name', async () => {
    const branch = '文'.repeat(80);
    const opened = await merged(branch, 'merge');
    const title = 'T'.repeat(1000);
    expect((await request('PATCH', opened.id, member, { title })).status).toBe(200);
    const mergeNext = async ({ id }: { id: string }) => {
      await follow();
      const { baseCommit: base, headCommit: head, number } = await read(id);
      await request('POST', `${id}/reviews`, admin, { verdict: 'approved', commit: head });
      const { body } = await merge({ id, number, base, head }, { method: 'squash' });
      expect(body.state, JSON.stringify(body)).toBe('merged');
      await follow();
    };
    const { body: first } = await revert(opened);
    expect(first.title).toHaveLength(1000);
    expect(first.headBranch).toBe(
      `revert-${opened.number}-${'文'.repeat(64)}`.slice(0, first.headBranch.length),
    );
    await mergeNext(first);
    const { body: second } = await revert(first);
    await mergeNext(second);
    await git('update-ref', `refs/heads/${first.headBranch}-2/sub`, opened.base);
    const { body: third, status } = await revert(opened);
    expect([status, third.headBranch], JSON.stringify(third)).toEqual([200, `${first.headBranch}-3`]);
  });

  it('never takes over a branch that somebody made to look like it', async () => {
    const opened = await merged('planted', 'squash');
    const branch = `revert-${opened.number}-planted`;
    const message = `Revert "Add planted" (#${opened.number})\n\nThis reverts commit ${await git('rev-parse', 'main')}.`;
    const planted = await repository.commit({ 'evil.txt': 'evil\n' }, { branch, from: 'main', message });
    const { body } = await revert(opened);
    expect(body.headBranch).toBe(`${branch}-2`);
    expect(await git('diff', '--name-status', 'main', body.headBranch)).toBe('M\tfirst.txt\nD\tplanted.txt');
    expect(await git('rev-parse', branch)).toBe(planted);
  });

  it('says what is in the way, and leaves nothing', async () => {
    const opened = await merged('first', 'merge', { 'a.txt': 'two\n' });
    expect((await revert(opened, viewer)).status).toBe(403);
    expect((await revert(opened, globex.member)).status).toBe(404);
    const unmerged = await open('unmerged');
    expect((await revert(unmerged)).body.detail).toContain('Only merged');

    await setHook('echo "No new branches."; exit 1');
    expect((await revert(opened)).body).toMatchObject({
      status: 409,
      detail: 'The server refused the new branch. No new branches.',
    });
    await setHook('exit 0');
    await merged('second', 'merge', { 'a.txt': 'three\n' });
    expect((await revert(opened)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('conflicts in a.txt'),
    });
    expect(await git('branch', '--list', `revert-${opened.number}-*`)).toBe('');
    expect((await read(opened.id)).revertedBy).toBeNull();
  });
});
