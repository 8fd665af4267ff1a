/** Subscriptions over real HTTP: notifications about visible plans and pull requests only, and only while access lasts. */
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { act, postComment, postPlan, postVersion } from '../../../../test/helpers/rows/plans.ts';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect } from '../../../../test/mcp/clients.ts';

const service = await startTestService();
const { acme, globex } = service;

const planUri = (plan: { seriesId: string }) => `countersign://plans/${plan.seriesId}`;
const commentsUri = (plan: { seriesId: string }) => `${planUri(plan)}/comments`;

/** The notifications that a client receives, and a way to wait for the next. */
function changesOf(client: Client) {
  const received: string[] = [];
  let wake = () => {};
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    received.push(params.uri);
    wake();
  });
  return {
    received,
    async until(count: number): Promise<string[]> {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return received.splice(0);
    },
  };
}

describe('a notification', () => {
  it('names the plan, its comments, or both, depending on the event', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const { body: plan } = await postPlan(service, acme.member);
    const changes = changesOf(client);
    const uris = [planUri(plan), commentsUri(plan)];
    const subscription = await client.listen({ resourceSubscriptions: uris });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: uris });
    await postComment(service, acme.owner, plan);
    expect(await changes.until(1)).toEqual([commentsUri(plan)]);
    await postVersion(service, acme.member, plan, '# Another plan');
    expect((await changes.until(2)).toSorted()).toEqual(uris.toSorted());
    await act(service, acme.owner, plan, 'close');
    expect(await changes.until(1)).toEqual([planUri(plan)]);
    await subscription.close();
  });

  it('names the review of a branch when something happens to its pull request', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const repository = await makeRepositoryRow(service, acme.id);
    const { id } = await makePullRequest(service, repository, { headBranch: 'feature/x' });
    const theirs = await makeRepositoryRow(service, globex.id);
    await makePullRequest(service, theirs, { headBranch: 'feature/x' });
    const uriOf = (name: string, branch = 'feature/x') =>
      `discussions://${encodeURIComponent(name)}/${encodeURIComponent(branch)}`;
    const changes = changesOf(client);
    const uri = uriOf(repository.name);
    const unseen = [uriOf(theirs.name), uriOf('acme/absent'), uriOf(repository.name, 'none')];
    const subscription = await client.listen({ resourceSubscriptions: [...unseen, uri] });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
    const as = withSession(acme.owner);
    const body = { body: 'Look at this.' };
    await service.request('POST', `/api/v2/pull-requests/${id}/comments`, { as, body });
    expect(await changes.until(1)).toEqual([uri]);
    await subscription.close();
  });

  it('comes from every node', async () => {
    const other = await startAnotherNode(service);
    const client = await connect(other.url, { 'x-api-key': acme.member.key });
    const { body: plan } = await postPlan(service, acme.member);
    const changes = changesOf(client);
    await client.listen({ resourceSubscriptions: [commentsUri(plan)] });
    await postComment(service, acme.owner, plan);
    expect(await changes.until(1)).toEqual([commentsUri(plan)]);
  });
});

describe('a plan that the subscriber cannot see', () => {
  it('is not acknowledged, like a plan that does not exist, and causes no notifications', async () => {
    const client = await connect(service.url, { 'x-api-key': globex.member.key });
    const { body: theirs } = await postPlan(service, acme.member);
    const { body: own } = await postPlan(service, globex.member);
    const changes = changesOf(client);
    const missing = 'countersign://plans/0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
    const subscription = await client.listen({
      resourceSubscriptions: [planUri(theirs), commentsUri(theirs), missing, 'file:///x', commentsUri(own)],
    });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [commentsUri(own)] });
    await postComment(service, acme.owner, theirs);
    await postComment(service, globex.owner, own);
    expect(await changes.until(1)).toEqual([commentsUri(own)]);
    expect(changes.received).toEqual([]);
  });

  it('ends the subscription if there is no other plan', async () => {
    const client = await connect(service.url, { 'x-api-key': globex.member.key });
    const { body: theirs } = await postPlan(service, acme.member);
    const subscription = await client.listen({ resourceSubscriptions: [planUri(theirs)] });
    expect(subscription.honoredFilter).toEqual({});
    expect(await subscription.closed).toBe('graceful');
  });
});

describe('a subscription ends', () => {
  it('with its credential: the next event is not sent, and the stream is closed', async () => {
    const { admin } = acme;
    const client = await connect(service.url, { 'x-api-key': admin.key });
    const { body: plan } = await postPlan(service, acme.member);
    const changes = changesOf(client);
    const subscription = await client.listen({ resourceSubscriptions: [commentsUri(plan)] });
    await service.request('DELETE', `/api/v2/api-keys/${admin.keyId}`, { as: withSession(admin) });
    await postComment(service, acme.owner, plan);
    expect(await subscription.closed).toBe('graceful');
    expect(changes.received).toEqual([]);
  });

  it('with its credential within seconds, even if nothing happens to the plan', async () => {
    const { viewer } = acme;
    const client = await connect(service.url, { 'x-api-key': viewer.key });
    const { body: plan } = await postPlan(service, acme.member);
    const subscription = await client.listen({ resourceSubscriptions: [planUri(plan)] });
    await service.request('DELETE', `/api/v2/api-keys/${viewer.keyId}`, { as: withSession(viewer) });
    expect(await subscription.closed).toBe('graceful');
  });

  it('when its plan is deleted', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const { body: plan } = await postPlan(service, acme.member);
    const changes = changesOf(client);
    const subscription = await client.listen({ resourceSubscriptions: [planUri(plan)] });
    await service.request('DELETE', `/api/v2/plans/${plan.seriesId}`, {
      as: withSession(acme.owner),
      body: {},
    });
    expect(await subscription.closed).toBe('graceful');
    expect(changes.received).toEqual([planUri(plan)]);
  });

  it('when the agent disconnects, and frees its slots', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.owner.key });
    const { body: plan } = await postPlan(service, acme.member);
    const open = () => client.listen({ resourceSubscriptions: [planUri(plan)] });
    const subscriptions = await Promise.all(Array.from({ length: 100 }, open));
    await expect(open()).rejects.toThrow('MAX_WAITS_PER_CREDENTIAL');
    await Promise.all(subscriptions.map((subscription) => subscription.close()));
    await expect
      .poll(() => open().then(({ honoredFilter }) => honoredFilter), { timeout: 10_000 })
      .toEqual({
        resourceSubscriptions: [planUri(plan)],
      });
  });
});
