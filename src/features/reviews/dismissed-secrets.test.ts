/** Dismissing a secret: one at a time, and never beyond its repository. */
import { expect, it } from 'vitest';
import { addRepository } from '../../../test/code.ts';
import { reviewNow, scriptedFinding } from '../../../test/code-hosts/scripted-review.ts';
import { startTestService, withSession } from '../../../test/harness.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, db } = service;
const as = withSession(acme.admin);
const SECRET = scriptedFinding({
  ...{ reviewer: 'secrets', check: 'leaked_secret', claim: 'secret', subject: 'GitHub token 0123456789ab' },
  ...{ title: 'GitHub token in the code', file: 'src/a.ts', line: 1, quote: "const key = 'ghp_aB…" },
});
const SECURITY = scriptedFinding({ reviewer: 'security', check: 'unsafe_workflow', quote: 'run: echo' });

type Repository = Awaited<ReturnType<typeof addRepository>>;

async function openAndReview(repository: Repository, branch: string, found = [SECRET]) {
  await repository.commit({ [`${branch}.ts`]: 'export {};\n' }, { branch, from: 'main' });
  await repository.refresh();
  const body = { repository: repository.fullName, head: branch, title: branch };
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body,
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  await reviewNow(service, acme, opened.body.id, found);
  const discussions = async () => {
    const path = `/api/v2/pull-requests/${opened.body.id}/discussions`;
    return (await service.request('GET', path, { as })).body.discussions as { id: string; status: string }[];
  };
  return {
    id: (await discussions())[0]?.id,
    statuses: async () => (await discussions()).map((each) => each.status),
  };
}

const dismissal = (id: string | undefined) => `/api/v2/discussions/${id}/dismissal`;
const dismiss = (id: string | undefined, scope: string) =>
  service.request('POST', dismissal(id), { as, body: { reason: 'intended', scope } });
const preview = async (id: string | undefined, scope: string) =>
  (await service.request('GET', `${dismissal(id)}?scope=${scope}`, { as })).body;

const [here, elsewhere] = [
  await addRepository(service, { 'a.ts': '' }),
  await addRepository(service, { 'a.ts': '' }),
];

it('resolves no other secret, silences its value in the repository alone, and is refused for the organization', async () => {
  const first = await openAndReview(here, 'first');
  const second = await openAndReview(here, 'second');
  const other = await openAndReview(elsewhere, 'other');
  expect(await preview(first.id, 'repository')).toMatchObject({
    scopes: ['pull_request', 'repository'],
    hides: [],
  });
  expect(await preview(first.id, 'organization')).toMatchObject({ hides: [] });
  for (const scope of ['organization', 'path', 'symbol'])
    expect((await dismiss(first.id, scope)).status).toBe(409);
  expect(await first.statuses()).toEqual(['open']);

  expect((await dismiss(first.id, 'repository')).status).toBe(200);
  expect(await first.statuses()).toEqual(['resolved']);
  expect([await second.statuses(), await other.statuses()]).toEqual([['open'], ['open']]);
  expect(await (await openAndReview(here, 'third')).statuses()).toEqual([]);
  expect(await (await openAndReview(elsewhere, 'fourth')).statuses()).toEqual(['open']);
});

it('is resolved by anyone but the author of the pull request', async () => {
  const { id, statuses } = await openAndReview(elsewhere, 'own');
  const resolve = (session: Parameters<typeof withSession>[0]) =>
    service.request('PATCH', `/api/v2/discussions/${id}`, {
      as: withSession(session),
      body: { status: 'resolved' },
    });
  expect(await resolve(acme.member)).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('in your own pull request') },
  });
  expect(await statuses()).toEqual(['open']);
  expect((await resolve(acme.admin)).status).toBe(200);
  expect(await statuses()).toEqual(['resolved']);
});

it('of the whole organization by an earlier version holds in its repository only', async () => {
  await db.updateTable('finding_decisions').set({ scope: 'organization' }).execute();
  expect(await (await openAndReview(here, 'fifth')).statuses()).toEqual([]);
  expect(await (await openAndReview(elsewhere, 'sixth')).statuses()).toEqual(['open']);
});

it('leaves security findings as they were: the very same one is dismissed in all repositories', async () => {
  const first = await openAndReview(here, 'seventh', [SECURITY]);
  const other = await openAndReview(elsewhere, 'eighth', [SECURITY]);
  expect(await preview(first.id, 'organization')).toMatchObject({
    scopes: ['pull_request', 'repository', 'organization'],
    hides: [{ discussionId: other.id }],
  });
  expect((await dismiss(first.id, 'organization')).status).toBe(200);
  expect(await other.statuses()).toEqual(['resolved']);
});
