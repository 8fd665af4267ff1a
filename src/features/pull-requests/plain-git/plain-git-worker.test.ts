/** A push reaches an open pull request through the background work of the service. */
import { expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
  worker: true,
});
const as = withSession(service.acme.member);

it('wakes those who wait for it', async () => {
  const repository = await addRepository(service, { 'a.txt': 'a\n' });
  const from = await repository.git('rev-parse', 'main');
  await repository.commit({ 'b.txt': 'b\n' }, { branch: 'feature', from });
  await repository.refresh();
  const wanted = { repository: repository.fullName, head: 'feature', title: 'T' };
  const { body: opened } = await service.request('POST', '/api/v2/pull-requests', { as, body: wanted });
  const wait = (since: number) =>
    service.request('GET', `/api/v2/pull-requests/${opened.id}/changes?waitSeconds=55&since=${since}`, {
      as,
    });
  const next = await repository.commit({ 'b.txt': 'bb\n' }, { branch: 'feature' });
  const pushed = wait(1);
  await repository.refresh();
  expect((await pushed).body.events).toMatchObject([
    {
      kind: 'pull_request_pushed',
      actor: { kind: 'service' },
      data: { headCommit: next, author: 'Fixture' },
    },
  ]);
  await repository.git('update-ref', 'refs/heads/main', next);
  const merged = wait(2);
  await repository.refresh();
  expect((await merged).body).toMatchObject({ state: 'merged', cursor: 3 });
}, 120_000);
