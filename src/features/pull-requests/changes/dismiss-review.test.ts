/** Dismissing the review of another person: what it ends, what it leaves, and who may not. */
import { expect, it } from 'vitest';
import {
  makePullRequest,
  makeRepositoryRow,
  type PullRequestOptions,
} from '../../../../test/helpers/rows/pull-requests.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { changeSwitch } from '../../organization-settings/change-switch.ts';
import { insertMerge } from '../store/merge-store.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member, owner } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const HEAD = 'a'.repeat(40);
const TOKEN = `ghp_${'aB3dE6gH9jK2'.repeat(3)}`;

async function open(options: PullRequestOptions = {}) {
  const { id } = await makePullRequest(service, api, { author: member, ...options });
  const path = `/api/v2/pull-requests/${id}`;
  const call = (method: string, below: string, person: Person, body?: object) =>
    service.request(method, `${path}${below}`, { as: withSession(person), ...(body && { body }) });
  const review = async (verdict: string, person: Person): Promise<string> =>
    (await call('POST', '/reviews', person, { verdict, note: 'x', commit: HEAD })).body.verdicts.at(-1).id;
  const dismiss = (verdictId: string, person = admin, reason = 'They left for the summer.') =>
    call('POST', `/reviews/${verdictId}/dismissal`, person, { reason });
  const read = async () => (await call('GET', '', member)).body;
  const missing = async () =>
    (await read()).mergeRequirements.requirements
      .filter((each: { isMet: boolean }) => !each.isMet)
      .map((each: { kind: string }) => each.kind);
  const listed = async () => {
    const { body } = await service.request('GET', '/api/v2/pull-requests', { as: withSession(member) });
    return body.pullRequests.find((each: { id: string }) => each.id === id).verdict;
  };
  return { call, dismiss, id, listed, missing, read, review };
}

it('ends a request for changes without approving, stays on record, and leaves the reviewer free', async () => {
  const audit = await followAudit(db);
  const { call, dismiss, listed, missing, read, review } = await open();
  const verdictId = await review('changes_requested', owner);
  expect(await missing()).toEqual(['approvals', 'changes_requested', 'mergeability']);
  expect((await read()).allowedActions).not.toContain('dismiss_review');
  await audit();
  const { body, status } = await dismiss(verdictId, admin, ` Done ${TOKEN} `);
  expect(status).toBe(200);
  expect(body.allowedActions).toContain('dismiss_review');
  const dismissed = {
    ...{ id: verdictId, verdict: 'changes_requested', note: 'x', dismissedBy: admin.name },
    ...{ dismissalReason: 'Done ghp_…', dismissedAt: expect.any(String) },
  };
  expect(body.verdicts).toMatchObject([dismissed]);
  expect(await missing()).toEqual(['approvals', 'mergeability']);
  expect([body.verdict, await listed()]).toEqual([null, null]);
  expect(await audit()).toMatchObject([
    {
      action: 'pull_request.review_dismissed',
      detail: { reviewer: owner.name, verdict: 'changes_requested', reason: 'Done ghp_…' },
    },
  ]);
  const [event] = (await call('GET', '/activity', member)).body.events;
  expect(event).toMatchObject({
    kind: 'pull_request_review_dismissed',
    data: { verdictId, verdict: 'changes_requested', userId: owner.userId },
  });
  await review('approved', owner);
  expect(await missing()).toEqual(['mergeability']);
  expect(await listed()).toBe('approved');
  expect((await read()).verdicts[0]).toMatchObject(dismissed);
});

it('ends an approval, and brings nothing back that the person said before', async () => {
  const { dismiss, listed, missing, read, review } = await open();
  const request = await review('changes_requested', owner);
  const approval = await review('approved', owner);
  const { body } = await dismiss(request);
  expect(body.detail).toContain(`${owner.name} reviewed again`);
  expect((await dismiss(approval)).body.verdict).toBeNull();
  expect(await missing()).toEqual(['approvals', 'mergeability']);
  expect([(await read()).verdict, await listed()]).toEqual([null, null]);
  // Sent twice, it is recorded twice only if it was dismissed between.
  await review('approved', owner);
  expect(await listed()).toBe('approved');
});

it('is done once by two admins at once, and never to a review that came meanwhile', async () => {
  const { dismiss, read, review } = await open();
  const request = await review('changes_requested', admin);
  const both = await Promise.all([dismiss(request, admin), dismiss(request, owner)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body.detail).toMatch(/already dismissed this review\.$/);
  for (let round = 0; round < 5; round += 1) {
    const again = await review('changes_requested', owner);
    const [, approval] = await Promise.all([dismiss(again), review('approved', owner)]);
    const { verdict, verdicts } = await read();
    expect(verdicts.at(-1)).toMatchObject({ id: approval, dismissedAt: null });
    expect(verdict).toBe('approved');
  }
});

it('waits for a merge that is under way, and is too late after it', async () => {
  const { dismiss, id, review } = await open();
  const approval = await review('approved', owner);
  await insertMerge(db, {
    ...{ id: uuidv7(), organizationId: acme.id, repositoryId: api.id, pullRequestId: id, at: clock.now() },
    ...{ method: 'merge', userId: member.userId, baseBranch: 'main', base: HEAD, head: HEAD, commit: HEAD },
    ...{ tree: HEAD, rule: null, bypassed: [], bypassReason: null, deleteBranch: false },
  });
  expect((await dismiss(approval)).body.detail).toBe('This pull request is being merged right now.');
  await db.updateTable('pull_requests').set({ state: 'merged' }).where('id', '=', id).execute();
  expect((await dismiss(approval)).body.detail).toBe('The pull request was merged already.');
});

it('is refused for comments, on code hosts, without a reason, and of requests for changes to one’s own work', async () => {
  const { call, dismiss, id, review } = await open({ author: admin });
  const comment = await review('commented', owner);
  expect((await dismiss(comment)).status).toBe(409);
  expect((await dismiss(uuidv7())).status).toBe(404);
  const request = await review('changes_requested', owner);
  expect((await dismiss(request, globex.owner)).status).toBe(404);
  expect((await dismiss(request, owner, ' ')).body.errors).toMatchObject([{ path: 'reason' }]);
  const own = await dismiss(request);
  expect([own.status, own.body.detail]).toEqual([
    403,
    'You opened this pull request; another admin has to dismiss this review.',
  ]);
  const allow = (enabled: boolean) =>
    service.call(changeSwitch, { key: 'self_approval', enabled }, withSession(admin));
  await allow(true);
  expect((await dismiss(request)).status).toBe(200);
  await allow(false);
  const approval = await review('approved', owner);
  expect((await dismiss(approval)).status).toBe(200);
  await db.updateTable('pull_requests').set({ origin: 'host' }).where('id', '=', id).execute();
  expect((await dismiss(await review('approved', owner))).body.detail).toContain('on its code host');
  expect((await call('GET', '', admin)).body.allowedActions).not.toContain('dismiss_review');
});
