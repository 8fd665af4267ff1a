/** Merging plain-git pull requests with real git: every method, two people at once, pushes between, refusals, and what a crash leaves. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { deletePerson } from '../../privacy/index.ts';
import { lockIdlePullRequests } from '../index.ts';
import { recoverMerges } from './recover-merges.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const { approve, follow, kinds, merge, open, read, repository, request, services, setHook } =
  await startMerging(service);
const { announce, log } = services;

describe('merging', () => {
  it('pushes what the preview said, marks the pull request merged at once, and deletes the branch', async () => {
    const one = await open('one');
    const shown = await read(one.id);
    expect(shown).toMatchObject({
      merge: null,
      headBranchDeletable: true,
      mergeMessages: { merge: expect.stringMatching(/^Merge pull request #\d+ from one\n\nAdd one$/) },
    });
    const preview = (await request('GET', `${one.id}/merge-messages?head=${one.head}`, member)).body;
    expect(preview.rebaseBlocked).toBe(null);
    const { body, status } = await merge(one, { deleteBranch: true });
    expect(status, JSON.stringify(body)).toBe(200);
    const tip = await repository.git('rev-parse', 'main');
    expect(body).toMatchObject({
      state: 'merged',
      merge: { state: 'merged', method: 'merge', commit: tip, person: { id: member.userId }, bypassed: [] },
    });
    expect(await repository.git('log', '-1', '--format=%P|%an|%B', tip)).toBe(
      `${one.base} ${one.head}|${member.name}|${preview.merge}`,
    );
    expect(preview.merge).toBe(
      `${shown.mergeMessages.merge}\n\nPull-Request: ${service.url}/pull-requests/${one.id}`,
    );
    expect(await repository.git('branch', '--list', 'one')).toBe('');
    // The next fetch finds it merged already, and records nothing more.
    const before = await kinds(one.id);
    expect(before.slice(0, 3)).toEqual([
      'pull_request_branch_deleted',
      'pull_request_state_changed',
      'pull_request_merge_started',
    ]);
    await follow();
    expect(await kinds(one.id)).toEqual(before);
    const [facts] = await db.selectFrom('pull_request_merges').selectAll().execute();
    expect(facts).toMatchObject({
      base_commit: one.base,
      head_commit: one.head,
      merge_commit: tip,
      tree: await repository.git('rev-parse', `${tip}^{tree}`),
      approver_ids: [admin.userId],
      rule: null,
    });
    expect((await merge(one)).body.detail).toContain('merged already');
  });

  it('names who wrote a squash, but not its author or who merges, exactly as the preview says', async () => {
    const squash = await open('co-written', { approved: false });
    const ada = { name: 'Ada', email: 'ada@example.com' };
    const message = `Third\n\nCo-authored-by: Bob <bob@example.com>\nCo-authored-by: ${owner.name} <${owner.email}>`;
    await repository.commit({ 'third.txt': 'x\n' }, { branch: 'co-written', author: ada, message });
    const own = { name: member.name, email: member.email };
    await repository.commit({ 'fourth.txt': 'x\n' }, { branch: 'co-written', author: own });
    await follow();
    const { headCommit: head, baseCommit: base, number } = await read(squash.id);
    const opened = { id: squash.id, number, head, base };
    await approve(opened);
    const path = `${squash.id}/merge-messages?head=`;
    expect((await request('GET', `${path}${squash.head}`, owner)).status).toBe(409);
    expect((await request('GET', `${path}${head}`, viewer)).status).toBe(403);
    expect((await request('GET', `${path}${head}`, globex.member)).status).toBe(404);
    const { body: preview } = await request('GET', `${path}${head}`, owner);
    expect(preview.squash).toBe(
      `Add co-written (#${number})\n\nWhy.\n\nPull-Request: ${service.url}/pull-requests/${squash.id}
Co-authored-by: Fixture <fixture@example.com>\nCo-authored-by: Ada <ada@example.com>\nCo-authored-by: Bob <bob@example.com>`,
    );
    expect((await merge(opened, { method: 'squash' }, owner)).body.state).toBe('merged');
    expect(await repository.git('log', '-1', '--format=%an|%B', 'main')).toBe(
      `${member.name}|${preview.squash}`,
    );
    await follow();
  });

  it('squashes as who merges, if the account of the author was deleted', async () => {
    const squash = await open('orphaned');
    const user = await makeUser(db, { name: 'Dan', email: 'dan@acme.example' }, clock.now());
    await makePerson(db, acme.id, user, 'member', clock.now());
    await db
      .updateTable('pull_requests')
      .set({ author_user_id: user.id })
      .where('id', '=', squash.id)
      .execute();
    await deletePerson(db, user, clock.now());
    expect((await merge(squash, { method: 'squash' })).body.state).toBe('merged');
    expect(await repository.git('log', '-1', '--format=%an <%ae>', 'main')).toBe(
      `${member.name} <${member.email}>`,
    );
    await follow();
  });

  it('squashes and rebases', async () => {
    const squash = await open('squash');
    expect((await merge(squash, { method: 'squash', message: 'All of it' })).body.state).toBe('merged');
    expect(await repository.git('log', '-1', '--format=%P|%B', 'main')).toBe(`${squash.base}|All of it`);
    const rebase = await open('rebase');
    const elsewhere = await repository.commit({ 'z.txt': 'z\n' });
    await follow();
    expect((await merge(rebase, { method: 'rebase' })).body.detail).toContain('pushed to the base branch');
    const again = await merge({ ...rebase, base: elsewhere }, { method: 'rebase' });
    expect(again.body.state, JSON.stringify(again.body)).toBe('merged');
    expect(await repository.git('log', '--format=%s', `${elsewhere}..main`)).toBe('Second\nFirst');
    // The branch is one that nobody else needs.
    expect(await repository.git('branch', '--list', 'rebase')).not.toBe('');
  });

  it('is for members with a session, of what they see, and only under the rule', async () => {
    const plain = await open('plain', { approved: false });
    expect((await merge(plain)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('pprov'),
    });
    expect((await merge(plain, {}, viewer)).status).toBe(403);
    expect((await merge(plain, {}, globex.member)).status).toBe(404);
    const path = `/api/v2/pull-requests/${plain.id}/merge`;
    const body = { method: 'merge', head: plain.head, base: plain.base };
    expect((await service.request('POST', path, { as: withKey(admin), body })).body.code).toBe(
      'key_not_accepted',
    );
    expect((await merge(plain, { bypassReason: 'Now' })).body.detail).toContain('Only admins');
    expect(await repository.git('rev-parse', 'main')).toBe(plain.base);

    const bypassed = await merge(plain, { bypassReason: 'The site is down.' }, admin);
    expect(bypassed.body.merge).toMatchObject({
      state: 'merged',
      bypassed: ['approvals'],
      bypassReason: 'The site is down.',
    });
    const { body: audit } = await service.request(
      'GET',
      '/api/v2/audit-events?action=pull_request.rule_bypassed',
      { as: withSession(owner) },
    );
    expect(audit.events).toMatchObject([
      { actor: { id: admin.userId }, detail: { reason: 'The site is down.' } },
    ]);
    const outbox = createEventOutbox({
      handlers: [notifyPeople],
      lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
      announce,
      log,
    });
    await outbox.run(db, clock.now());
    const { body: inbox } = await service.request('GET', '/api/v2/inbox', { as: withSession(owner) });
    expect(
      inbox.items.map(({ kind, pullRequest }: { kind: string; pullRequest: { id: string } }) => [
        kind,
        pullRequest.id,
      ]),
    ).toContainEqual(['merged', plain.id]);
  });
});

describe('exactly one merge or none', () => {
  it('with two people at once', async () => {
    const both = await open('both');
    const results = await Promise.all([merge(both), merge(both, { method: 'squash' }, owner)]);
    const states = results.map(({ body }) => body.state ?? body.status).sort();
    expect(states).toEqual([409, 'merged']);
    expect(await repository.git('rev-list', '--count', '--first-parent', `${both.base}..main`)).toBe('1');
  });

  it('when somebody pushes between, or the server refuses; the page says which, and it can be tried again', async () => {
    const raced = await open('raced');
    // The push of somebody else arrives before ours is taken.
    const other = await repository.git('commit-tree', '-p', raced.base, '-m', 'x', `${raced.base}^{tree}`);
    await setHook(`echo ${other} > refs/heads/main`);
    const { body: lost } = await merge(raced);
    expect(lost).toMatchObject({ state: 'open', merge: { state: 'failed', failure: 'lease_lost' } });
    expect(await repository.git('rev-parse', 'main')).toBe(other);
    await repository.git('update-ref', 'refs/heads/main', raced.base);
    await setHook('echo "Freeze until Monday."; exit 1');
    const { body: said } = await merge(raced);
    expect(said.merge).toMatchObject({ failure: 'rejected', problem: 'Freeze until Monday.' });
    expect((await kinds(raced.id))[0]).toBe('pull_request_merge_failed');
    await setHook('exit 0');
    // git takes both for the branch, and sends nothing.
    const namesakes = ['refs/tags/refs/heads/main', 'refs/heads/refs/heads/main'];
    for (const name of namesakes) await repository.git('update-ref', name, raced.base);
    expect((await merge(raced)).body.merge).toMatchObject({
      failure: 'rejected',
      problem: expect.stringContaining(`can’t tell the branch main from ${namesakes.join(', ')}.`),
    });
    for (const name of namesakes) await repository.git('update-ref', '-d', name);
    expect((await merge(raced)).body.state).toBe('merged');
  });

  it('when nobody learns what the server did: the origin is asked, and nothing else decides meanwhile', async () => {
    const isDue = () =>
      db.updateTable('pull_request_merges').set({ look_at: sql<Date>`clock_timestamp()` }).execute();
    const lost = await open('lost');
    await setHook('kill -9 $PPID');
    expect((await merge(lost)).body.merge).toMatchObject({ state: 'pushing' });
    expect((await merge(lost, {}, owner)).body.detail).toContain('right now');
    expect((await request('PATCH', lost.id, member, { state: 'closed' })).status).toBe(409);
    // It isn't looked at before the process that pushes could have renewed it.
    await recoverMerges(services);
    expect((await read(lost.id)).merge.state).toBe('pushing');
    await isDue();
    await recoverMerges(services);
    expect(await read(lost.id)).toMatchObject({ state: 'open', merge: { failure: 'interrupted' } });

    const arrived = await open('arrived');
    await setHook('kill -9 $PPID');
    const { commit } = (await merge(arrived)).body.merge;
    await setHook('exit 0');
    // The server took it after all, and somebody pushed on top.
    const made = await repository.git(
      'commit-tree',
      ...['-p', arrived.base, '-p', arrived.head, '-m', 'Merge', `${arrived.head}^{tree}`],
    );
    await db
      .updateTable('pull_request_merges')
      .set({ merge_commit: made })
      .where('merge_commit', '=', commit)
      .execute();
    const top = await repository.git('commit-tree', '-p', made, '-m', 'on top', `${made}^{tree}`);
    await repository.git('update-ref', 'refs/heads/main', top);
    await follow();
    expect((await read(arrived.id)).state).toBe('open');
    await isDue();
    // Two nodes look at once.
    await Promise.all([recoverMerges(services), recoverMerges(services)]);
    expect(await read(arrived.id)).toMatchObject({
      state: 'merged',
      merge: { state: 'merged', commit: made },
    });
    expect((await kinds(arrived.id)).filter((kind) => kind === 'pull_request_state_changed')).toHaveLength(1);
  });
});
