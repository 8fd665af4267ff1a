/** Merge when ready with real git: what turns it on and off, that every requirement can be the last, and exactly one merge. */
import { describe, expect, it } from 'vitest';
import { type Opened, startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { act, makeColleague, postPlan } from '../../../../test/helpers/rows/plans.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { claimWaitingMerges } from '../store/waiting-merge-store.ts';
import { mergeWhenReady } from './merge-when-ready.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const { approve, follow, kinds, merge, open, read, repository, request, services, setHook } =
  await startMerging(service);
const { git } = repository;
const never = new AbortController().signal;

const turnOn = ({ head, id }: Opened, more: object = {}, as = member) =>
  request('PUT', `${id}/merge-when-ready`, as, { method: 'merge', head, ...more });
const turnOff = ({ id }: Opened, as = member) => request('DELETE', `${id}/merge-when-ready`, as);
/** Returns the pull requests that were looked at. */
const work = async () => {
  const claimed = await claimWaitingMerges(db);
  for (const payload of claimed) await mergeWhenReady(services, payload, never);
  return claimed.map(({ pullRequestId }) => pullRequestId);
};
const waiting = async (branch: string, options?: Parameters<typeof open>[1], more?: object) => {
  const opened = await open(branch, { approved: false, ...options });
  const { body, status } = await turnOn(opened, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return opened;
};
const newest = async ({ id }: Opened) => (await request('GET', `${id}/activity`, member)).body.events[0];
const setRule = async (rule: object) => {
  const { body, status } = await service.request('PUT', '/api/v2/merge-rules', {
    as: withSession(owner),
    body: { pattern: 'main', ...rule },
  });
  expect(status, JSON.stringify(body)).toBe(200);
};

describe('turning it on and off', () => {
  it('is for who may merge, shown to all with who and since when, and ended by them or an admin', async () => {
    const one = await open('one', { approved: false });
    for (const [as, status] of [
      [viewer, 403],
      [globex.member, 404],
    ] as [Person, number][]) {
      expect((await turnOn(one, {}, as)).status).toBe(status);
      expect((await turnOff(one, as)).status).toBe(status);
    }
    expect((await turnOn({ ...one, head: one.base })).body.detail).toContain('New commits');
    await turnOn(one, { method: 'squash', message: 'All of it', deleteBranch: true });
    expect((await request('GET', one.id, viewer)).body.mergeWhenReady).toEqual({
      person: { id: member.userId, name: member.name },
      method: 'squash',
      message: 'All of it',
      deleteBranch: true,
      since: expect.any(String),
    });
    expect((await turnOn(one, {}, owner)).body.detail).toContain(`${member.name} turned this on`);
    await turnOn(one);
    expect((await read(one.id)).mergeWhenReady).toMatchObject({ method: 'merge', message: null });
    await turnOff(one, admin);
    expect((await read(one.id)).mergeWhenReady).toBeNull();
    expect(await newest(one)).toMatchObject({
      kind: 'pull_request_merge_when_ready',
      actor: { id: admin.userId },
      data: { isOn: false, userId: member.userId, reason: 'by_hand' },
    });
    await turnOn(one, {}, admin);
    expect((await turnOff(one)).body).toMatchObject({ status: 403 });
    await turnOff(one, admin);
    expect((await turnOff(one, admin)).status).toBe(200);
  });

  it('a push, another base branch, conflicts and closing turn it off; others don’t', async () => {
    const pushed = await waiting('pushed');
    await repository.commit({ 'more.txt': 'x\n' }, { branch: 'pushed' });
    const closed = await waiting('closed');
    await request('PATCH', closed.id, owner, { state: 'closed' });
    expect((await newest(closed)).data).toMatchObject({ reason: 'closed', userId: member.userId });
    await request('PATCH', closed.id, owner, { state: 'open' });
    expect((await read(closed.id)).mergeWhenReady).toBeNull();
    const conflicting = await waiting('conflicting', { files: { 'a.txt': 'two\n' } });
    await repository.commit({ 'a.txt': 'three\n' }, { branch: 'main' });
    await git('branch', 'stable', 'main');
    const moved = await waiting('moved');
    await request('PATCH', moved.id, owner, { base: 'stable' });
    const other = await waiting('other');
    await follow();
    await work();
    expect((await newest(pushed)).data).toMatchObject({
      isOn: false,
      reason: 'pushed',
      userId: member.userId,
    });
    expect((await newest(conflicting)).data).toMatchObject({ reason: 'conflicts' });
    expect((await newest(moved)).data).toMatchObject({ reason: 'base_changed' });
    expect((await read(other.id)).mergeWhenReady).not.toBeNull();
    expect((await turnOn({ ...conflicting })).body.detail).toContain('Conflicts with the base branch');
    await turnOff(other);
  });
});

describe('the last requirement', () => {
  it('merges for the person who turned it on, looks again only after a change, and once with two nodes', async () => {
    const one = await waiting('last', {}, { message: 'As said', deleteBranch: true });
    expect(await work()).toEqual([one.id]);
    expect(await work()).toEqual([]);
    expect((await read(one.id)).state).toBe('open');
    await approve(one);
    expect(await claimWaitingMerges(db)).toMatchObject([{ pullRequestId: one.id }]);
    const payload = { organizationId: acme.id, pullRequestId: one.id };
    const outcomes = await Promise.allSettled([
      mergeWhenReady(services, payload, never),
      mergeWhenReady(services, payload, never),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await read(one.id)).toMatchObject({
      state: 'merged',
      mergeWhenReady: null,
      merge: { person: { id: member.userId }, method: 'merge', bypassed: [] },
    });
    expect(await git('rev-list', '--count', '--first-parent', `${one.base}..main`)).toBe('1');
    expect(await git('log', '-1', '--format=%an|%s', 'main')).toBe(`${member.name}|As said`);
    expect(await git('branch', '--list', 'last')).toBe('');
    expect((await kinds(one.id)).filter((kind) => kind === 'pull_request_merge_when_ready')).toHaveLength(1);
    expect(await work()).toEqual([]);
    await follow();
  });

  it('can be mergeability, a status, a discussion, a plan, or the rule itself', async () => {
    await repository.commit({ 'c.txt': 'c\n' }, { branch: 'main' });
    const unchecked = await waiting('unchecked', { approved: true });
    await db
      .updateTable('pull_requests')
      .set({ merge_checked_head: null })
      .where('id', '=', unchecked.id)
      .execute();
    expect(await work()).toEqual([]);
    await follow();
    expect(await work()).toEqual([unchecked.id]);
    expect((await read(unchecked.id)).state).toBe('merged');
    await follow();

    await setRule({
      approvals: 0,
      resolvedDiscussions: true,
      approvedPlan: true,
      statuses: [{ name: 'ci', userIds: [owner.userId] }],
    });
    const all = await waiting('all');
    expect(await work()).toEqual([all.id]);
    const status = { repository: repository.fullName, commit: all.head, name: 'ci', state: 'success' };
    await service.request('POST', '/api/v2/commit-statuses', { as: withSession(owner), body: status });
    expect(await work()).toEqual([all.id]);
    const { body: discussion } = await request('POST', `${all.id}/discussions`, owner, {
      ...{ file: 'all.txt', side: 'new', startLine: 1, endLine: 1, body: 'Why?', commit: all.head },
    });
    const { body: plan } = await postPlan(service, member);
    await act(service, owner, plan, 'approve', { versionId: plan.versionId });
    await service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, {
      as: withKey(member),
      body: { prNumber: all.number, repoId: repository.id },
    });
    expect(await work()).toEqual([all.id]);
    expect((await read(all.id)).state).toBe('open');
    await service.request('PATCH', `/api/v2/discussions/${discussion.id}`, {
      as: withSession(owner),
      body: { status: 'resolved' },
    });
    expect(await work()).toEqual([all.id]);
    expect((await read(all.id)).state).toBe('merged');
    await follow();

    await setRule({ approvals: 1 });
    const loosened = await waiting('loosened');
    expect(await work()).toEqual([loosened.id]);
    await setRule({ approvals: 0 });
    expect(await work()).toEqual([loosened.id]);
    expect((await read(loosened.id)).state).toBe('merged');
    await setRule({ approvals: 1 });
    await follow();
  });

  it('counts for the person as they are at that moment', async () => {
    const changeMember = (as: Person, body: object) =>
      service.request('PATCH', `/api/v2/members/${as.userId}`, { as: withSession(owner), body });
    const demoted = await waiting('demoted');
    await approve(demoted);
    expect((await changeMember(member, { role: 'viewer' })).status).toBe(200);
    await work();
    expect((await newest(demoted)).data).toMatchObject({ reason: 'not_allowed' });
    await changeMember(member, { role: 'member' });
    await turnOn(demoted);
    await setRule({ approvals: 1, mergeRole: 'admin' });
    await work();
    expect((await newest(demoted)).data).toMatchObject({ reason: 'not_allowed' });
    expect((await turnOn(demoted)).body.detail).toContain('can’t merge this');
    await setRule({ approvals: 1 });
    const colleague = await makeColleague(service);
    expect((await turnOn(demoted, {}, colleague)).status).toBe(200);
    await changeMember(colleague, { active: false });
    await work();
    expect(await read(demoted.id)).toMatchObject({ state: 'open', mergeWhenReady: null });
  });

  it('merges nothing once it is turned off or the person may not merge, even while the commits are made', async () => {
    const setRole = (role: string) =>
      service.request('PATCH', `/api/v2/members/${member.userId}`, {
        as: withSession(owner),
        body: { role },
      });
    const { code } = services;
    for (const interrupt of [turnOff, () => setRole('viewer')]) {
      const late = await waiting(`late-${interrupt.name}`, { approved: true });
      const writeBranch: typeof code.writeBranch = async (...given) => {
        expect((await interrupt(late)).status).toBe(200);
        return code.writeBranch(...given);
      };
      const [payload] = await claimWaitingMerges(db);
      await mergeWhenReady({ ...services, code: { ...code, writeBranch } }, payload!, never);
      expect(await git('rev-parse', 'main')).toBe(late.base);
      await turnOff(late, admin);
    }
    await setRole('member');
  });

  it('after a push that kept the approvals, is still the same', async () => {
    await setRule({ approvals: 1, keepApprovals: true });
    const rebased = await waiting('rebased');
    await repository.commit({ 'd.txt': 'd\n' }, { branch: 'main' });
    const from = await git('rev-parse', 'main');
    await repository.commit({ 'first.txt': 'rebased\n' }, { branch: 'rebased', from, message: 'First' });
    await repository.commit({ 'rebased.txt': 'x\n' }, { branch: 'rebased', message: 'Second' });
    await follow();
    await work();
    const { headCommit, mergeWhenReady } = await read(rebased.id);
    expect(headCommit).not.toBe(rebased.head);
    expect(mergeWhenReady).not.toBeNull();
    await approve({ ...rebased, head: headCommit });
    await work();
    expect((await read(rebased.id)).state).toBe('merged');
    await setRule({ approvals: 1 });
    await follow();
  });
});

describe('a merge that fails', () => {
  it('because the server refuses it or git can’t make it turns it off with the reason', async () => {
    await setHook('echo "Freeze until Monday."; exit 1');
    const refused = await waiting('refused', { approved: true });
    await work();
    expect((await newest(refused)).data).toMatchObject({
      reason: 'refused',
      problem: 'Freeze until Monday.',
    });
    await setHook('exit 0');
    const from = await git('rev-parse', 'main');
    await repository.commit({ 'e.txt': 'e\n' }, { branch: 'merged-in', from });
    const side = await git('commit-tree', '-p', 'merged-in', '-p', from, '-m', 'x', 'merged-in^{tree}');
    await git('update-ref', 'refs/heads/merged-in', side);
    await repository.refresh();
    const { body } = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(member),
      body: { repository: repository.fullName, head: 'merged-in', title: 'With a merge' },
    });
    const { baseCommit: base, headCommit: head, id, number } = body;
    const unmade = { id, number, base, head };
    await follow();
    await approve(unmade);
    const why = 'The branch contains merge commits, which a rebase would lose.';
    const preview = await request('GET', `${id}/merge-messages?head=${head}`, member);
    expect(preview.body.rebaseBlocked).toBe(why);
    const refusal = { status: 409, detail: `${why} Merge or squash it.` };
    expect((await turnOn(unmade, { method: 'rebase' })).body).toMatchObject(refusal);
    expect((await merge(unmade, { method: 'rebase' })).body).toMatchObject(refusal);
    // One that was turned on before this was refused.
    expect((await turnOn(unmade, { method: 'squash' })).status).toBe(200);
    const waitingOnes = db.updateTable('waiting_merges').set({ method: 'rebase' });
    await waitingOnes.where('pull_request_id', '=', id).execute();
    await work();
    expect((await newest(unmade)).data).toMatchObject({
      reason: 'not_made',
      problem: expect.stringContaining('merge commits'),
    });
  });

  it('because somebody pushed between is tried again later, and a merge by hand ends what waits', async () => {
    const raced = await waiting('raced', { approved: true });
    const other = await git('commit-tree', '-p', raced.base, '-m', 'x', `${raced.base}^{tree}`);
    await setHook(`echo ${other} > refs/heads/main`);
    await work();
    await setHook('exit 0');
    expect(await read(raced.id)).toMatchObject({ state: 'open', merge: { failure: 'lease_lost' } });
    await follow();
    // Not before a while.
    expect(await work()).toEqual([]);
    await db
      .updateTable('waiting_merges')
      .set({ retry_at: new Date(0) })
      .execute();
    expect(await work()).toEqual([raced.id]);
    expect(await read(raced.id)).toMatchObject({ state: 'merged', merge: { person: { id: member.userId } } });
    await follow();
    const byHand = await waiting('by-hand', { approved: true });
    expect((await merge(byHand, {}, owner)).body).toMatchObject({ state: 'merged', mergeWhenReady: null });
    expect(await work()).toEqual([]);
  });
});
