/** Dismissals in force: who sees them in the list, and what undoing one does to its discussion and to later reviews. */
import { expect, it } from 'vitest';
import { reviewNow, scriptedFinding } from '../../../../test/code-hosts/scripted-review.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { PullRequestChange, selectPullRequestById } from '../../pull-requests/index.ts';
import { decideByReaction } from '../index.ts';
import { exportDecisions } from './export-decisions.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, db, globex } = service;
const [admin, member] = [withSession(acme.admin), withSession(acme.member)];
type As = typeof admin;

async function openAndReview(
  repository: Awaited<ReturnType<typeof addRepository>>,
  branch: string,
  check?: string,
) {
  await repository.commit({ [`${branch}.ts`]: 'export {};\n' }, { branch, from: 'main' });
  await repository.refresh();
  const body = { repository: repository.fullName, head: branch, title: branch };
  const opened = await service.request('POST', '/api/v2/pull-requests', { as: member, body });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const pullRequestId = opened.body.id as string;
  await reviewNow(service, acme, pullRequestId, [scriptedFinding({ ...(check && { check }) })]);
  const read = async () =>
    (await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/discussions`, { as: admin })).body
      .discussions as { id: string; status: string; statusReason: string | null }[];
  return { discussionId: (await read())[0]?.id, pullRequestId, read };
}

const dismiss = async (discussionId: string | undefined, scope = 'repository', reason = 'intended') => {
  const body = { reason, scope, note: 'For now.' };
  const path = `/api/v2/discussions/${discussionId}/dismissal`;
  expect((await service.request('POST', path, { as: member, body })).status).toBe(200);
};
const list = async (query = '', as: As = admin) =>
  (await service.request('GET', `/api/v2/dismissals${query}`, { as })).body as {
    dismissals: { id: string; title: string; discussionId: string }[];
    nextCursor: string | null;
  };
const undo = (id: string | undefined, as: As = member) =>
  service.request('DELETE', `/api/v2/dismissals/${id}`, { as });
const only = async (repositoryId: string) => (await list(`?repositoryId=${repositoryId}`)).dismissals[0]?.id;

it('lists those in force with what they cover, by repository and reviewer, page by page', async () => {
  const [one, two] = [await addRepository(service, { a: '' }), await addRepository(service, { a: '' })];
  const first = await openAndReview(one, 'first');
  const second = await openAndReview(two, 'second', 'unsafe_workflow');
  await dismiss(first.discussionId, 'path');
  await dismiss(second.discussionId, 'pull_request', 'later');
  const { dismissals } = await list();
  expect(dismissals).toMatchObject([
    { discussionId: second.discussionId, check: 'unsafe_workflow', reason: 'later', scope: 'pull_request' },
    {
      ...{
        title: 'A focused test hides the others',
        check: 'focused_test',
        path: 'src/a.ts',
        subject: 'formats',
      },
      ...{
        repository: { id: one.id, name: one.fullName },
        pullRequest: { id: first.pullRequestId, number: 1 },
      },
      ...{ discussionId: first.discussionId, reason: 'intended', note: 'For now.', scope: 'path' },
      ...{ dismissedBy: acme.member.name, dismissedAt: expect.any(String), reviewer: expect.any(String) },
    },
  ]);
  const ids = dismissals.map(({ id }) => id);
  const newest = await list('?limit=1');
  const rest = await list(`?limit=1&cursor=${newest.nextCursor}`);
  expect([...newest.dismissals, ...rest.dismissals].map(({ id }) => id)).toEqual(ids);
  expect(rest.nextCursor).toBeNull();
  expect((await list(`?repositoryId=${one.id}`)).dismissals.map(({ id }) => id)).toEqual([ids[1]]);
  const { reviewer_id: reviewerId } = await db
    .selectFrom('discussions')
    .select('reviewer_id')
    .where('id', '=', first.discussionId!)
    .executeTakeFirstOrThrow();
  expect((await list(`?reviewerId=${reviewerId}`)).dismissals.map(({ id }) => id)).toContain(ids[1]);
  expect((await list(`?reviewerId=${one.id}`)).dismissals).toEqual([]);

  await db.updateTable('repositories').set({ visibility: 'members' }).where('id', '=', two.id).execute();
  expect((await list('', member)).dismissals.map(({ id }) => id)).toEqual([ids[1]]);
  expect((await list('', withSession(globex.admin))).dismissals).toEqual([]);
  expect((await undo(ids[0])).status).toBe(404);
  expect((await undo(ids[0], withSession(globex.admin))).status).toBe(404);
  expect((await undo(ids[1], withSession(acme.viewer))).status).toBe(403);
  // Reopening the discussion takes it off the list too.
  const path = `/api/v2/discussions/${first.discussionId}`;
  await service.request('PATCH', path, { as: member, body: { status: 'open' } });
  expect((await list()).dismissals.map(({ id }) => id)).toEqual([ids[0]]);
});

it('is undone once by two people at the same time: the discussion is open, and later reviews raise the finding', async () => {
  const repository = await addRepository(service, { a: '' });
  const first = await openAndReview(repository, 'first');
  await dismiss(first.discussionId);
  const silent = await openAndReview(repository, 'silent');
  expect(await silent.read()).toEqual([]);
  const id = await only(repository.id);
  const replies = await Promise.all([undo(id), undo(id, admin)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  expect(await first.read()).toMatchObject([{ status: 'open' }]);
  expect(await only(repository.id)).toBeUndefined();
  expect(await (await openAndReview(repository, 'later')).read()).toMatchObject([{ status: 'open' }]);
  const audit = await service.request('GET', '/api/v2/audit-events?action=dismissal.undone', { as: admin });
  expect(
    audit.body.events.filter(({ subject }: { subject: { id: string } }) => subject.id === id),
  ).toMatchObject([
    {
      subject: { name: 'A focused test hides the others' },
      detail: { scope: 'repository', reason: 'intended' },
    },
  ]);
});

it('leaves the discussion of a closed pull request alone, and ends in every place that reads dismissals', async () => {
  const repository = await addRepository(service, { a: '' });
  const first = await openAndReview(repository, 'first');
  await dismiss(first.discussionId, 'repository', 'wrong');
  const place = { organizationId: acme.id, repositoryId: repository.id };
  expect(await exportDecisions(db, place)).toHaveLength(1);
  const closed = await service.request('PATCH', `/api/v2/pull-requests/${first.pullRequestId}`, {
    as: member,
    body: { state: 'closed' },
  });
  expect(closed.status, JSON.stringify(closed.body)).toBe(200);
  expect((await undo(await only(repository.id))).status).toBe(204);
  expect(await first.read()).toMatchObject([{ status: 'resolved' }]);
  expect(await exportDecisions(db, place)).toEqual([]);
  const later = await openAndReview(repository, 'later');
  expect(await later.read()).toMatchObject([{ status: 'open' }]);
  // It doesn't count towards the two that pause a check.
  const preview = `/api/v2/discussions/${later.discussionId}/dismissal?scope=repository`;
  expect((await service.request('GET', preview, { as: member })).body.pausesCheck).toBe(false);
});

it('leaves what a person resolved since as it is, and a 👎 that was read before does not dismiss it again', async () => {
  const repository = await addRepository(service, { a: '' });
  const first = await openAndReview(repository, 'first');
  await dismiss(first.discussionId);
  const id = await only(repository.id);
  for (const status of ['open', 'resolved'])
    await service.request('PATCH', `/api/v2/discussions/${first.discussionId}`, {
      as: admin,
      body: { status },
    });
  expect((await undo(id)).status).toBe(204);
  expect(await first.read()).toMatchObject([{ status: 'resolved' }]);
  await inTransaction(db, async (transaction) => {
    const row = await selectPullRequestById(transaction, acme.id, first.pullRequestId);
    const change = new PullRequestChange(transaction, row!, service.clock.now());
    await decideByReaction(change, first.discussionId!, [{ isBot: false, userId: acme.member.userId }]);
  });
  expect(await only(repository.id)).toBeUndefined();
});

it('is made once if it is sent again, also at the same time, until it says something new', async () => {
  const repository = await addRepository(service, { a: '' });
  const { discussionId } = await openAndReview(repository, 'twice');
  const inForce = async () => (await list(`?repositoryId=${repository.id}`)).dismissals.length;
  await Promise.all(Array.from({ length: 8 }, () => dismiss(discussionId)));
  expect(await inForce()).toBe(1);
  await dismiss(discussionId, 'path');
  await dismiss(discussionId, 'path', 'wrong');
  expect(await inForce()).toBe(3);
  expect((await undo(await only(repository.id))).status).toBeLessThan(300);
  await dismiss(discussionId, 'path', 'wrong');
  expect(await inForce()).toBe(1);
});
