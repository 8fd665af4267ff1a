/** Merge rules over HTTP: who sets them, what they change about a pull request, and what of it is recorded. */
import { describe, expect, it } from 'vitest';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const { acme, globex } = service;
const { admin, member, owner, viewer } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const secret = await makeRepositoryRow(service, acme.id, { name: 'acme/secret', members: [] });
const HEAD = 'a'.repeat(40);

const set = (body: Record<string, unknown>, person: Person = admin) =>
  service.request('PUT', '/api/v2/merge-rules', { as: withSession(person), body });
const list = async (person: Person = member) =>
  (await service.request('GET', '/api/v2/merge-rules', { as: withSession(person) })).body.rules;
const remove = (id: string, person: Person = admin) =>
  service.request('DELETE', `/api/v2/merge-rules/${id}`, { as: withSession(person) });
const open = () => makePullRequest(service, api, { author: member });
const approve = (id: string, person: Person = owner) =>
  service.request('POST', `/api/v2/pull-requests/${id}/reviews`, {
    as: withSession(person),
    body: { verdict: 'approved', commit: HEAD },
  });
const missing = async (id: string, person: Person = owner) => {
  const { body } = await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(person) });
  return body.mergeRequirements.requirements
    .filter(({ isMet }: { isMet: boolean }) => !isMet)
    .map(({ kind }: { kind: string }) => kind);
};
const audited = async () =>
  (
    await service.db
      .selectFrom('audit_events')
      .select(['action', 'subject_name', 'actor_user_id', 'detail'])
      .where('organization_id', '=', acme.id)
      .where('action', 'like', 'merge_rule.%')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map((row) => [row.action, row.subject_name, row.detail]);

describe('without a rule', () => {
  it('one approval by a second person is needed, and nothing is once it is closed', async () => {
    const { id } = await open();
    expect(await missing(id)).toEqual(['approvals', 'mergeability']);
    await approve(id);
    expect(await missing(id)).toEqual(['mergeability']);
    await service.db.updateTable('pull_requests').set({ state: 'closed' }).where('id', '=', id).execute();
    const { body } = await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(owner) });
    expect(body.mergeRequirements).toBeNull();
  });

  it('an approval of own work, which a switch lets through, doesn’t count and says so in its row', async () => {
    const { id } = await open();
    await service.request('PATCH', '/api/v2/organization/switches/self_approval', {
      as: withSession(admin),
      body: { enabled: true },
    });
    expect((await approve(id, member)).status).toBe(200);
    await service.request('PATCH', '/api/v2/organization/switches/self_approval', {
      as: withSession(admin),
      body: { enabled: false },
    });
    expect(await missing(id)).toEqual(['approvals', 'mergeability']);
    const rows = service.db
      .selectFrom('pull_request_verdicts')
      .select('own_work')
      .where('pull_request_id', '=', id);
    expect(await rows.execute()).toEqual([{ own_work: 'self_approval' }]);
  });
});

describe('a rule', () => {
  it('applies to its branches, is shown with names, and is replaced and deleted as a whole', async () => {
    const { id } = await open();
    await approve(id);
    const rule = {
      ...{
        repositoryId: api.id,
        pattern: 'ma*',
        approvals: 2,
        keepApprovals: true,
        resolvedDiscussions: true,
      },
      ...{ mergeRole: 'nobody', mergeUserIds: [admin.userId] },
      statuses: [{ name: 'ci', userIds: [member.userId], hostAccounts: ['actions'] }],
    };
    const { body, status } = await set(rule);
    expect([status, body.rules]).toEqual([
      200,
      [
        {
          id: expect.any(String),
          repository: { id: api.id, name: 'acme/api' },
          ...{ pattern: 'ma*', approvals: 2, owners: false, resolvedDiscussions: true, approvedPlan: false },
          ...{ keepApprovals: true, allowOnlyPerson: false, mergeRole: null },
          statuses: [
            { name: 'ci', people: [{ id: member.userId, name: member.name }], hostAccounts: ['actions'] },
          ],
          mergePeople: [{ id: admin.userId, name: admin.name }],
          updatedBy: { id: admin.userId, name: admin.name },
          updatedAt: expect.any(String),
        },
      ],
    ]);
    expect(await missing(id)).toEqual(['approvals', 'status', 'mergeability', 'who_may_merge']);
    expect(await missing(id, admin)).toEqual(['approvals', 'status', 'mergeability']);
    await set({ repositoryId: api.id, pattern: 'ma*', approvals: 0 });
    expect(await missing(id)).toEqual(['mergeability']);
    expect(await list()).toMatchObject([
      { id: body.rules[0].id, approvals: 0, statuses: [], mergeRole: 'member' },
    ]);
    expect((await remove(body.rules[0].id)).body.rules).toEqual([]);
    expect((await remove(body.rules[0].id)).status).toBe(404);
    const told = await audited();
    expect(told.map(([action, name]) => [action, name])).toEqual([
      ['merge_rule.created', 'acme/api: ma*'],
      ['merge_rule.changed', 'acme/api: ma*'],
      ['merge_rule.deleted', 'acme/api: ma*'],
    ]);
    expect(told[1]![2]).toMatchObject({
      approvals: { from: 2, to: 0 },
      mergeRole: { from: null, to: 'member' },
    });
  });

  it('is one rule when two people set it at once, and both are recorded unless nothing changed', async () => {
    const before = (await audited()).length;
    await Promise.all(
      [1, 2, 3, 4].map((approvals) => set({ pattern: 'main', approvals }, approvals % 2 ? admin : owner)),
    );
    expect(await list()).toHaveLength(1);
    expect(await audited()).toHaveLength(before + 4);
    const [{ approvals, id }] = await list();
    await set({ pattern: 'main', approvals });
    expect(await audited()).toHaveLength(before + 4);
    await remove(id);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['a pattern with a question mark', { pattern: 'mai?' }, 400],
    ['a pattern that begins with a slash', { pattern: '/main' }, 400],
    ['too many approvals', { approvals: 11 }, 400],
    ['nobody who may merge', { mergeRole: 'nobody' }, 400],
    ['a status that nobody may set', { statuses: [{ name: 'ci' }] }, 400],
    ['a person of another organization', { mergeUserIds: [globex.admin.userId] }, 400],
    ['a repository that is not there', { repositoryId: globex.admin.userId }, 404],
  ])('is refused with %s', async (_, body, status) => {
    expect((await set({ pattern: 'main', ...body })).status).toBe(status);
    expect(await list()).toEqual([]);
  });

  it('is set by admins alone, in their organization, and hidden with its repository', async () => {
    for (const person of [member, viewer]) expect((await set({ pattern: 'x' }, person)).status).toBe(403);
    expect((await set({ pattern: 'x', repositoryId: api.id }, globex.admin)).status).toBe(404);
    const { body } = await set({ pattern: 'main', repositoryId: secret.id });
    const [rule] = body.rules;
    expect([await list(viewer), await list(globex.member), (await list(owner)).length]).toEqual([[], [], 1]);
    expect((await remove(rule.id, globex.admin)).status).toBe(404);
    expect((await remove(rule.id, member)).status).toBe(403);
    expect((await remove(rule.id)).status).toBe(200);
  });
});
