/** Whether an approval still counts after a push, with real git: only for the same patch, if the rule allows it, and not of one's own push. */
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

it('counts after a rebase, and no longer after another push with another patch', async () => {
  await service.request('PUT', '/api/v2/merge-rules', {
    as: withSession(acme.admin),
    body: { pattern: 'main', keepApprovals: true },
  });
  const root = await repository.git('rev-parse', 'main');
  await repository.commit({ 'a.txt': 'two\n' }, { branch: 'change', from: root });
  await repository.refresh();
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'change', title: 'change' },
  });
  const path = `/api/v2/pull-requests/${opened.id}`;
  const read = async () => (await service.request('GET', path, { as: withSession(acme.owner) })).body;
  const isApproved = async () => {
    const { requirements } = (await read()).mergeRequirements;
    return requirements.find(({ kind }: { kind: string }) => kind === 'approvals').isMet;
  };
  const follow = async () => {
    await repository.refresh();
    await follower.run(db, clock.now());
    await keepApprovals(db, clock.now(), services);
  };
  const verdict = { verdict: 'approved', commit: opened.headCommit };
  await service.request('POST', `${path}/reviews`, { as: withSession(acme.owner), body: verdict });
  expect(await isApproved()).toBe(true);

  await repository.commit({ 'b.txt': 'two\n' }, { branch: 'main' });
  const moved = await repository.git('rev-parse', 'main');
  await repository.commit({ 'a.txt': 'two\n' }, { branch: 'change', from: moved });
  await follow();
  expect((await read()).headCommit).not.toBe(opened.headCommit);
  expect(await isApproved()).toBe(true);
  // Found out once.
  await keepApprovals(db, clock.now(), services);
  const { body } = await service.request('GET', `${path}/activity`, { as: withSession(acme.owner) });
  const kept = body.events.filter(({ kind }: { kind: string }) => kind === 'pull_request_approval_kept');
  expect(kept).toHaveLength(1);

  await repository.commit({ 'a.txt': '  two\n' }, { branch: 'change' });
  await follow();
  expect(await isApproved()).toBe(false);
});
