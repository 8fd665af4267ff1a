/** Whether an approval still counts after a push, with real git: only for the same patch, if the rule allows it, and not of one's own push. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { createPlainGitFollower } from '../index.ts';
import { keepApprovals } from './keep-approvals.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db } = service;
const log = createLog({ level: 'silent', terminal: false });
const services = { code: service.mirrors.code, announce: () => undefined, log };
const follower = createPlainGitFollower(services);
const repository = await addRepository(service, { 'a.txt': 'one\n', 'b.txt': 'one\n' });

async function open(branch: string, file: string) {
  const root = await repository.git('rev-parse', 'main');
  await repository.commit({ [file]: 'two\n' }, { branch, from: root });
  await repository.refresh();
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: branch, title: branch },
  });
  const path = `/api/v2/pull-requests/${opened.id}`;
  const read = async () => (await service.request('GET', path, { as: withSession(acme.owner) })).body;
  const isApproved = async () => {
    const { requirements } = (await read()).mergeRequirements;
    return requirements.find(({ kind }: { kind: string }) => kind === 'approvals').isMet;
  };
  const verdict = { verdict: 'approved', commit: opened.headCommit };
  await service.request('POST', `${path}/reviews`, { as: withSession(acme.owner), body: verdict });
  expect(await isApproved()).toBe(true);
  /** The same patch on a base branch that moved. */
  const rebase = async (other: string) => {
    await repository.commit({ [other]: `${branch}\n` }, { branch: 'main' });
    const moved = await repository.git('rev-parse', 'main');
    await repository.commit({ [file]: 'two\n' }, { branch, from: moved });
  };
  return { ...(opened as { id: string; headCommit: string }), path, read, isApproved, rebase };
}
const follow = async () => {
  await repository.refresh();
  await follower.run(db, clock.now());
  await keepApprovals(db, clock.now(), services);
};
const setRule = (pattern: string, keepApprovals: boolean) =>
  service.request('PUT', '/api/v2/merge-rules', {
    as: withSession(acme.admin),
    body: { pattern, keepApprovals },
  });
await setRule('main', true);

it('counts after a rebase, and no longer after another push with another patch', async () => {
  const { headCommit, isApproved, path, read, rebase } = await open('change', 'a.txt');
  await rebase('b.txt');
  await follow();
  expect((await read()).headCommit).not.toBe(headCommit);
  expect(await isApproved()).toBe(true);
  // Found out once.
  await keepApprovals(db, clock.now(), services);
  const kept = async () => {
    const { body } = await service.request('GET', `${path}/activity`, { as: withSession(acme.owner) });
    return body.events.filter(({ kind }: { kind: string }) => kind === 'pull_request_approval_kept');
  };
  expect(await kept()).toHaveLength(1);

  // The rule of another branch says nothing about this one.
  await setRule('other', true);
  await setRule('main', false);
  await rebase('e.txt');
  await follow();
  expect([(await kept()).length, await isApproved()]).toEqual([1, false]);
  await setRule('main', true);
  expect(await isApproved()).toBe(true);

  await repository.commit({ 'a.txt': '  two\n' }, { branch: 'change' });
  await follow();
  expect(await isApproved()).toBe(false);
});

it('is found out although a hundred others can’t be, which are tried again later and less often', async () => {
  const waits = await open('waits', 'c.txt');
  await breakOthers(waits.id, 100);
  await waits.rebase('d.txt');
  await follow();
  expect(await waits.isApproved()).toBe(false);
  await keepApprovals(db, clock.now(), services);
  expect(await waits.isApproved()).toBe(true);

  const broken = () =>
    db
      .selectFrom('pull_request_verdicts')
      .select([
        sql<number>`count(*)::int`.as('count'),
        sql<number>`avg(round(extract(epoch FROM kept_retry_at - clock_timestamp()) / 60))::int`.as(
          'minutes',
        ),
      ])
      .where('kept_failures', '>', 0)
      .executeTakeFirstOrThrow();
  expect(await broken()).toEqual({ count: 100, minutes: 1 });
  await db
    .updateTable('pull_request_verdicts')
    .set({ kept_retry_at: sql`clock_timestamp()` })
    .where('kept_failures', '>', 0)
    .execute();
  await keepApprovals(db, clock.now(), services);
  expect(await broken()).toEqual({ count: 100, minutes: 2 });
});

/** Approvals of a pull request whose repository this node can't fetch, with IDs before all others. */
async function breakOthers(like: string, count: number): Promise<void> {
  const { body: gone } = await service.request('POST', '/api/v2/repositories', {
    as: withSession(acme.admin),
    body: { url: repository.folder, name: 'acme/gone' },
  });
  const id = randomUUID();
  await db.updateTable('repositories').set({ url: '/nowhere' }).where('id', '=', gone.id).execute();
  const [row] = await db.selectFrom('pull_requests').selectAll().where('id', '=', like).execute();
  const { folded_head_owner: _, ...values } = row!;
  await db
    .insertInto('pull_requests')
    .values({ ...values, id, repository_id: gone.id, head_commit: 'b'.repeat(40) })
    .execute();
  const [head] = await db
    .selectFrom('pull_request_heads')
    .selectAll()
    .where('pull_request_id', '=', like)
    .execute();
  await db
    .insertInto('pull_request_heads')
    .values({ ...head!, pull_request_id: id })
    .execute();
  const [verdict] = await db
    .selectFrom('pull_request_verdicts')
    .selectAll()
    .where('pull_request_id', '=', like)
    .execute();
  await db
    .insertInto('pull_request_verdicts')
    .values(
      Array.from({ length: count }, (_each, index) => ({
        ...verdict!,
        id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
        pull_request_id: id,
      })),
    )
    .execute();
}
