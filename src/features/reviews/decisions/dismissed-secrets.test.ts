/** Dismissing a secret: one at a time, and never beyond its repository. */
import { expect, it } from 'vitest';
import { reviewNow, scriptedFinding } from '../../../../test/code-hosts/scripted-review.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { lockIdlePullRequests } from '../../pull-requests/index.ts';
import { tellOfLeftSecrets } from './tell-of-left-secrets.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db } = service;
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
  const actionsOf = async (person: typeof acme.member) => {
    const path = `/api/v2/pull-requests/${opened.body.id}/discussions`;
    return (await service.request('GET', path, { as: withSession(person) })).body.discussions[0]
      .allowedActions;
  };
  return {
    actionsOf,
    id: (await discussions())[0]?.id,
    statuses: async () => (await discussions()).map((each) => each.status),
  };
}

const dismissal = (id: string | undefined) => `/api/v2/discussions/${id}/dismissal`;
const dismiss = (id: string | undefined, scope: string, reason = 'intended') =>
  service.request('POST', dismissal(id), { as, body: { reason, scope } });
const preview = async (id: string | undefined, scope: string) =>
  (await service.request('GET', `${dismissal(id)}?scope=${scope}`, { as })).body;

const [here, elsewhere, fresh] = [
  await addRepository(service, { 'a.ts': '' }),
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

it('reaches the author at once and, if it is neither removed nor dismissed within an hour, admins once', async () => {
  const [left, handled] = [await openAndReview(fresh, 'left'), await openAndReview(fresh, 'handled')];
  const outbox = createEventOutbox({
    handlers: [notifyPeople],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: () => undefined,
    log: createLog({ level: 'silent', terminal: false }),
  });
  const secretsOf = async (person: typeof acme.member): Promise<string[]> => {
    await outbox.run(db, clock.now());
    const { body } = await service.request('GET', '/api/v2/inbox', { as: withSession(person) });
    return body.items
      .filter(
        ({ discussionId, kind }: { kind: string; discussionId: string }) =>
          kind === 'leaked_secret' && [left.id, handled.id].includes(discussionId),
      )
      .map(({ discussionId }: { discussionId: string }) => discussionId)
      .sort();
  };
  const both = [left.id!, handled.id!].sort();
  expect([await secretsOf(acme.member), await secretsOf(acme.admin)]).toEqual([both, []]);
  expect((await dismiss(handled.id, 'pull_request')).status).toBe(200);
  const tell = (minutes: number) =>
    tellOfLeftSecrets(db, new Date(clock.now().getTime() + minutes * 60_000), { announce: () => undefined });
  await tell(59);
  expect(await secretsOf(acme.admin)).toEqual([]);
  await Promise.all([tell(61), tell(61)]);
  await tell(122);
  expect(await secretsOf(acme.admin)).toEqual([left.id]);
  expect(await secretsOf(acme.viewer)).toEqual([]);
});

it('is resolved by anyone but the author of the pull request', async () => {
  const { actionsOf, id, statuses } = await openAndReview(elsewhere, 'own');
  expect(await actionsOf(acme.member)).toEqual(['reply']);
  expect(await actionsOf(acme.admin)).toEqual(['reply', 'resolve']);
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
  expect(await actionsOf(acme.member)).toEqual(['reply', 'reopen']);
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

it('pauses no check, however often it is wrong; the second wrong finding of another check does, and that is told before', async () => {
  const repository = await addRepository(service, { 'a.ts': '' });
  const of = (finding: typeof SECRET, quote: string) => ({
    ...finding,
    quote,
    key: `${finding.check} ${quote}`,
  });
  const focused = scriptedFinding({});
  const raise = async (finding: typeof SECRET, branch: string) => {
    const { id, statuses } = await openAndReview(repository, branch, [of(finding, branch)]);
    return {
      id,
      raised: (await statuses()).length,
      told: id && (await preview(id, 'pull_request')).pausesCheck,
    };
  };
  for (const [finding, expected] of [
    [SECRET, [false, false, 1]],
    [SECURITY, [false, false, 1]],
    [focused, [false, true, 0]],
  ] as const) {
    const first = await raise(finding, `${finding.check}-1`);
    await dismiss(first.id, 'pull_request', 'wrong');
    const second = await raise(finding, `${finding.check}-2`);
    await dismiss(second.id, 'pull_request', 'wrong');
    const third = await raise(finding, `${finding.check}-3`);
    expect([finding.check, first.told, second.told, third.raised]).toEqual([finding.check, ...expected]);
  }
  // A tool's result under the name of a check is something else.
  const producer = {
    kind: 'tool',
    userId: null,
    userName: null,
    vendor: 'Lint',
    model: null,
    sessionId: null,
  };
  const reported = {
    ...focused,
    producer: producer as NonNullable<typeof focused.producer>,
    proof: 'proven' as const,
  };
  expect((await raise(reported, 'reported')).raised).toBe(1);
});
