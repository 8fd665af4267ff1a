/** The background work with a code host as the service does it: from a webhook or a comment here to the other side, by the queue. */
import { afterAll, expect, it, vi } from 'vitest';
import { shownHere, shownOnHost } from '../../../../test/code-hosts/compare-with-host.ts';
import { connectHost } from '../../../../test/code-hosts/connected.ts';
import { startGiteaFake } from '../../../../test/code-hosts/gitea-fake.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { commentOnPullRequest } from '../../pull-requests/changes/comment-on-pull-request.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' }, worker: true });
const { acme, db } = service;
const host = await connectHost(service, acme, 'gitea', (model) => startGiteaFake(model));
/** How long the work may take on a busy machine. */
const SOON = { timeout: 30_000, interval: 50 };
afterAll(() => host.fake.close());

it('imports, follows webhooks and sends what is written here', { timeout: 60_000 }, async () => {
  const { fake, model } = host;
  const { id: repositoryId, there } = await host.repository('acme/queued');
  const first = model.openPullRequest(there, { author: model.account('ada'), commit: 'c'.repeat(40) });
  for (const delivery of fake.deliveries.splice(0)) expect(await host.send(delivery)).toBe(204);
  await vi.waitFor(
    async () => expect(await shownHere(db, repositoryId, 1)).toEqual(shownOnHost(first)),
    SOON,
  );
  const second = model.openPullRequest(there, { author: model.account('ada'), commit: 'd'.repeat(40) });
  for (const delivery of fake.deliveries.splice(0)) expect(await host.send(delivery)).toBe(204);
  await vi.waitFor(
    async () => expect(await shownHere(db, repositoryId, 2)).toEqual(shownOnHost(second)),
    SOON,
  );
  const { id: pullRequestId } = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  await service.call(commentOnPullRequest, { pullRequestId, body: 'From here' }, withSession(acme.member));
  await vi.waitFor(
    () => expect(second.comments.map(({ body }) => /From here/.test(body))).toEqual([true]),
    SOON,
  );
  expect(fake.problems).toEqual([]);
});
