/** Whether plain-git pull requests merge, with real git: after pushes to either side, for many at once, and who is told. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { createPlainGitFollower, lockIdlePullRequests } from '../index.ts';
import { checkMergeability } from './check-mergeability.ts';
import { claimUncheckedMerges } from './mergeability-store.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db } = service;
const as = withSession(acme.member);
const log = createLog({ level: 'silent', terminal: false });
const { code } = service.mirrors;
const announce = () => undefined;
const follower = createPlainGitFollower({ code, announce, log });
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce,
  log,
});
const never = new AbortController().signal;

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const repository = await addRepository(service, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
const root = await repository.git('rev-parse', 'main');

async function open(branch: string, files: Record<string, string>): Promise<string> {
  await repository.commit(files, { branch, from: root });
  await repository.refresh();
  const body = { repository: repository.fullName, head: branch, title: branch };
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', { as, body });
  expect(opened.mergeability).toBe('checking');
  return opened.id;
}
const run = (repositoryId = repository.id) =>
  checkMergeability(
    { db, code, log, announce, now: () => clock.now() },
    { organizationId: acme.id, repositoryId },
    never,
  );
async function followAndCheck() {
  await repository.refresh();
  await follower.run(db, clock.now());
  for (const claimed of await claimUncheckedMerges(db)) await run(claimed.repositoryId);
}
const read = async (id: string) => (await service.request('GET', `/api/v2/pull-requests/${id}`, { as })).body;
const events = async (id: string): Promise<string[]> => {
  const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/activity`, { as });
  return body.events
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => /conflict/.test(kind));
};
const conflictItems = async (person: Person) => {
  await outbox.run(db, clock.now());
  const { body } = await service.request('GET', '/api/v2/inbox', { as: withSession(person) });
  return body.items.filter(({ kind }: { kind: string }) => kind === 'conflicts');
};

describe('after a push', () => {
  it('each pull request says whether it merges, its author is told of conflicts, and resolving them clears that', async () => {
    const [left, right] = [
      await open('left', { 'a.txt': `left\n${TOKEN}\n` }),
      await open('right', { 'b.txt': 'right\n' }),
    ];
    await followAndCheck();
    expect([(await read(left)).mergeability, (await read(right)).mergeability]).toEqual(['clean', 'clean']);
    expect(await claimUncheckedMerges(db)).toEqual([]);

    await repository.commit({ 'a.txt': 'base\n' }, { branch: 'main' });
    await repository.refresh();
    await follower.run(db, clock.now());
    expect((await read(left)).mergeability).toBe('checking');
    expect(await claimUncheckedMerges(db)).toEqual([
      { organizationId: acme.id, repositoryId: repository.id },
    ]);
    expect(await claimUncheckedMerges(db)).toEqual([]);
    // Two nodes at once find and tell the same once.
    await Promise.all([run(), run()]);
    expect(await read(left)).toMatchObject({
      mergeability: 'conflicts',
      conflicts: {
        total: 1,
        files: [
          { path: 'a.txt', kind: 'content', hunks: [{ base: ['base'], head: ['left', expect.any(String)] }] },
        ],
      },
    });
    expect(JSON.stringify((await read(left)).conflicts)).not.toContain(TOKEN);
    expect(await read(right)).toMatchObject({ mergeability: 'clean', conflicts: null });
    expect([await events(left), await events(right)]).toEqual([['pull_request_conflicted'], []]);
    const { body } = await service.request('GET', '/api/v2/pull-requests', { as });
    const listed = new Map(
      body.pullRequests.map((one: { id: string; mergeability: string }) => [one.id, one.mergeability]),
    );
    expect([listed.get(left), listed.get(right)]).toEqual(['conflicts', 'clean']);
    const [item, ...others] = await conflictItems(acme.member);
    expect([item.pullRequest.id, item.actor, item.readAt, others]).toEqual([left, null, null, []]);
    expect(await conflictItems(acme.admin)).toEqual([]);

    // Still conflicting after another push: nobody is told again.
    await repository.commit({ 'a.txt': 'left again\n' }, { branch: 'left' });
    await followAndCheck();
    expect((await read(left)).conflicts.files[0].hunks[0].head).toEqual(['left again']);
    expect(await conflictItems(acme.member)).toHaveLength(1);

    await repository.commit({ 'a.txt': 'one\n', 'c.txt': 'c\n' }, { branch: 'left' });
    await followAndCheck();
    expect(await read(left)).toMatchObject({ mergeability: 'clean', conflicts: null });
    expect(await events(left)).toEqual(['pull_request_conflicts_resolved', 'pull_request_conflicted']);
    expect((await conflictItems(acme.member))[0].readAt).not.toBeNull();
  });

  it('is unknown where git can’t merge, which keeps no other from being checked', async () => {
    const [lost, fine] = [await open('lost', { 'd.txt': 'd\n' }), await open('fine', { 'e.txt': 'e\n' })];
    await db
      .updateTable('pull_requests')
      .set({ head_commit: 'd'.repeat(40) })
      .where('id', '=', lost)
      .execute();
    await run();
    expect([(await read(lost)).mergeability, (await read(fine)).mergeability]).toEqual(['unknown', 'clean']);
    const closed = { as, body: { state: 'closed' } };
    const { body } = await service.request('PATCH', `/api/v2/pull-requests/${fine}`, closed);
    expect(body.mergeability).toBeNull();
  });
});
