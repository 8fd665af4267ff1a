/** Closing, reopening, marking as implemented and deleting plans. */
import { describe, expect, it } from 'vitest';
import {
  act,
  activityOf,
  makeColleague,
  postComment,
  postPlan,
  read,
} from '../../../../test/helpers/rows/plans.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { linkPullRequest } from './link-pull-request.ts';
import { submitPlan } from './submit-plan.ts';

const service = await startTestService();
const { acme } = service;
const { admin, member } = acme;
const colleague = await makeColleague(service);

const plan = async () => (await postPlan(service, member)).body;
const statusOf = async (of: { seriesId: string }) => (await read(service, member, of)).body.status;

describe('close-plan and reopen-plan', () => {
  it('change the status to closed and back to pending, which needs a new approval', async () => {
    const made = await plan();
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect((await act(service, member, made, 'close', { note: 'Later.' })).body.status).toBe('closed');
    expect((await act(service, member, made, 'close')).status).toBe(409);
    expect((await act(service, member, made, 'reopen')).body.status).toBe('pending');
    expect((await act(service, member, made, 'reopen')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    expect(await statusOf(made)).toBe('approved');
    const approvals = (await activityOf(service, member, made)).filter(({ kind }) => kind === 'approved');
    expect(approvals).toHaveLength(2);
  });

  it('keep a closed plan closed if a pull request is linked', async () => {
    const made = await plan();
    await act(service, member, made, 'close');
    const answer = await service.call(
      linkPullRequest,
      { seriesId: made.seriesId, prNumber: 3 },
      withKey(member),
    );
    expect([answer.status, answer.body.status, answer.body.pullRequests.length]).toEqual([200, 'closed', 1]);
  });
});

describe('mark-plan-implemented', () => {
  it('is for approved plans only', async () => {
    const made = await plan();
    expect((await act(service, member, made, 'mark-implemented')).status).toBe(409);
    await act(service, colleague, made, 'approve', { versionId: made.versionId });
    const linked = await service.call(
      linkPullRequest,
      { seriesId: made.seriesId, prNumber: 4 },
      withKey(member),
    );
    expect(linked.body.status).toBe('approved');
    expect((await act(service, member, made, 'mark-implemented')).body.status).toBe('implemented');
  });
});

describe('delete-plan', () => {
  const remove = (person: typeof member, seriesId: string) =>
    service.request('DELETE', `/api/v2/plans/${seriesId}`, { as: withSession(person) });

  it('is for the creator and admins', async () => {
    const [first, second] = [await plan(), await plan()];
    expect((await remove(colleague, first.seriesId)).status).toBe(403);
    expect((await remove(member, first.seriesId)).status).toBe(204);
    expect((await remove(admin, second.seriesId)).status).toBe(204);
  });

  it('makes the plan 404 everywhere, and a conflict to post to', async () => {
    const made = await plan();
    const comment = await postComment(service, colleague, made);
    await remove(member, made.seriesId);
    const base = `/api/v2/plans/${made.seriesId}`;
    const asKey = { as: withKey(colleague) };
    const asPerson = { as: withSession(colleague) };
    const { versionId } = made;
    const answers = await Promise.all([
      service.request('GET', `${base}/comments`, asKey),
      service.request('POST', `${base}/comments`, { ...asKey, body: { body: 'x', versionId } }),
      service.request('PATCH', `${base}/comments/${comment.id}`, { ...asKey, body: { triageState: 'open' } }),
      service.request('POST', `${base}/pull-requests`, { ...asKey, body: { prNumber: 1 } }),
      ...[
        '',
        '/versions/1',
        '/difference?from=1&to=1',
        '/threads',
        '/activity',
        '/overlap',
        '/changes',
        '/events',
      ].map((rest) => service.request('GET', base + rest, asPerson)),
      ...['approve', 'request-changes'].map((action) =>
        service.request('POST', `${base}/${action}`, { ...asPerson, body: { versionId, note: 'x' } }),
      ),
      ...['withdraw-approval', 'close', 'reopen', 'mark-implemented'].map((action) =>
        service.request('POST', `${base}/${action}`, { ...asPerson, body: {} }),
      ),
      service.request('POST', `${base}/review-requests`, { ...asPerson, body: { userIds: [member.userId] } }),
      service.request('POST', `${base}/threads/${comment.id}/mute`, asPerson),
      remove(admin, made.seriesId),
    ]);
    expect(answers.map(({ body, status }) => [status, body.code])).toEqual(
      answers.map(() => [404, 'not_found']),
    );
    const list = await service.request('GET', '/api/v2/plans?limit=200', asPerson);
    expect(JSON.stringify(list.body)).not.toContain(made.seriesId);
    const posted = await service.call(
      submitPlan,
      { seriesKey: made.seriesId, content: 'x', agentVendor: 'codex' },
      withKey(member),
    );
    expect([posted.status, posted.body.code]).toEqual([409, 'conflict']);
  });

  it('is in the audit log', async () => {
    const made = await plan();
    await remove(member, made.seriesId);
    const log = await service.request('GET', '/api/v2/audit-events?action=plan.deleted&limit=1', {
      as: withSession(admin),
    });
    expect(log.body.events).toMatchObject([{ subject: { id: made.seriesId, name: 'Speed up the export' } }]);
  });
});
