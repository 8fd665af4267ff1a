/** Code owners of plain-git pull requests, with real git: who owns what, who is asked, what blocks, and what follows members and teams. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { operatorOf } from '../../audit/index.ts';
import { lockIdleCodeHosts } from '../../code-hosts/index.ts';
import { createEventOutbox } from '../../events/index.ts';
import { notifyPeople } from '../../inbox/index.ts';
import { lockIdlePlans } from '../../plans/index.ts';
import { makeTeam } from '../../teams/index.ts';
import { approvalByOwners, createPlainGitFollower, lockIdlePullRequests, selectOwners } from '../index.ts';
import { claimUnreadOwners } from '../ownership/owners-store.ts';
import { readOwnersOfPullRequests } from './read-owners.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;
const log = createLog({ level: 'silent', terminal: false });
const { code } = service.mirrors;
const announce = () => undefined;
const follower = createPlainGitFollower({ code, announce, log });
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce,
  log,
});
const never = new AbortController().signal;

async function person(name: string): Promise<Person> {
  const user = await makeUser(db, { name, email: `${name.toLowerCase()}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}
const [ada, bob, cleo, dan] = [
  await person('Ada'),
  await person('Bob'),
  await person('Cleo'),
  await person('Dan'),
];
const teamId = await makeTeam(db, operatorOf(acme.id, clock.now()), {
  name: 'core',
  group: null,
  userIds: [bob.userId, cleo.userId],
});

const OWNERS = '*.md @ada\n/api/ @core\n/web/ nobody@elsewhere.example\n/web/own.ts @dan\n';
const repository = await addRepository(service, {
  '.github/CODEOWNERS': OWNERS,
  'docs/a.md': 'a\n',
  'web/a.ts': 'a\n'.repeat(20),
});
const root = await repository.git('rev-parse', 'main');

async function open(
  branch: string,
  files: Record<string, string | null>,
  more: Record<string, unknown> = {},
) {
  await repository.commit(files, { branch, from: root });
  await repository.refresh();
  const body = { repository: repository.fullName, head: branch, title: branch, ...more };
  return service.request('POST', '/api/v2/pull-requests', { as: withSession(dan), body });
}
const run = () =>
  readOwnersOfPullRequests(
    { db, code, log, announce, now: () => clock.now() },
    { organizationId: acme.id, repositoryId: repository.id },
    never,
  );
async function openAndRead(branch: string, files: Record<string, string | null>, more = {}): Promise<string> {
  const { body } = await open(branch, files, more);
  await run();
  return body.id;
}
const get = async (id: string, as = ada) =>
  (await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(as) })).body;
const asked = async (id: string): Promise<string[]> =>
  (await get(id)).requestedReviewers.map(({ name }: { name: string }) => name).sort();
const shown = async (id: string) =>
  (await selectOwners(db, id)).owned.map(
    ({ owners, paths }) =>
      `${paths.join(' ')}: ${owners.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`,
  );
const review = async (id: string, by: Person, verdict = 'approved') => {
  const { headCommit: commit } = await get(id);
  const body = { verdict, commit, note: verdict };
  return service.request('POST', `/api/v2/pull-requests/${id}/reviews`, { as: withSession(by), body });
};
const waitingFor = async (by: Person): Promise<string[]> => {
  const path = '/api/v2/pull-requests?scope=waiting';
  const { body } = await service.request('GET', path, { as: withSession(by) });
  return body.pullRequests.map(({ id }: { id: string }) => id);
};

beforeAll(() => run());

describe('owners', () => {
  it('are those at the base commit, of both sides of a rename, and asked when it is ready, never the author', async () => {
    const id = await openAndRead(
      'changes',
      { 'docs/a.md': 'b\n', 'api/x.ts': 'x\n', 'web/own.ts': 'o\n' },
      { draft: true },
    );
    expect(await shown(id)).toEqual([
      'docs/a.md: person Ada',
      'api/x.ts: team core',
      'web/own.ts: person Dan',
    ]);
    expect(await asked(id)).toEqual([]);
    const body = { state: 'open' };
    await service.request('PATCH', `/api/v2/pull-requests/${id}`, { as: withSession(dan), body });
    expect((await selectOwners(db, id)).isCurrent).toBe(false);
    expect(await claimUnreadOwners(db)).toEqual([{ organizationId: acme.id, repositoryId: repository.id }]);
    expect(await claimUnreadOwners(db)).toEqual([]);
    // Two nodes at once ask once.
    await Promise.all([run(), run()]);
    expect(await asked(id)).toEqual(['Ada', 'core']);
    const requested = (await get(id)).timeline.findLast(
      ({ kind }: { kind: string }) => kind === 'pull_request_review_requested',
    );
    expect(requested).toMatchObject({ data: { asOwners: true }, names: ['Ada', 'core'] });
    expect(await waitingFor(bob)).toEqual([id]);
    await outbox.run(db, clock.now());
    const { body: inbox } = await service.request('GET', '/api/v2/inbox', { as: withSession(cleo) });
    expect(inbox.items.map(({ kind }: { kind: string }) => kind)).toEqual(['team_review_requested']);

    // The head's own file says nothing, and moving a file away concerns whoever owned it.
    const moved = await openAndRead('moved', {
      '.github/CODEOWNERS': '* @dan\n',
      'api/a.ts': 'a\n'.repeat(20),
      'web/a.ts': null,
    });
    expect(await shown(moved)).toEqual(['api/a.ts: team core', 'web/a.ts: unknown nobody@elsewhere.example']);
  });

  it('are not asked again after a push, once they answered, and one member answers for a team', async () => {
    const id = await openAndRead('answered', { 'docs/a.md': 'c\n', 'api/x.ts': 'y\n' });
    expect(await asked(id)).toEqual(['Ada', 'core']);
    expect((await review(id, bob)).status).toBe(200);
    expect(await asked(id)).toEqual(['Ada']);
    expect(await waitingFor(cleo)).not.toContain(id);
    await repository.commit({ 'api/x.ts': 'z\n' }, { branch: 'answered' });
    await repository.refresh();
    await follower.run(db, clock.now());
    expect((await selectOwners(db, id)).isCurrent).toBe(false);
    await run();
    expect(await asked(id)).toEqual(['Ada']);
  });

  it('who wrote some of it are not named as those who can approve', async () => {
    await service.request('PUT', '/api/v2/merge-rules', {
      as: withSession(acme.admin),
      body: { pattern: 'main', owners: true },
    });
    const id = await openAndRead('written', { 'docs/a.md': 'w\n', 'api/x.ts': 'w\n' });
    const owners = async () =>
      (await get(id)).mergeRequirements.requirements.find(({ kind }: { kind: string }) => kind === 'owners');
    const who = async () =>
      (await get(id)).requestedReviewers.map(
        ({ canApprove, name }: { canApprove: boolean; name: string }) => `${name} ${canApprove}`,
      );
    expect(await owners()).toMatchObject({
      title: 'Owners of *.md and /api/ have to approve',
      detail: '*.md: Ada can approve. /api/: core can approve.',
      people: [{ id: ada.userId }],
      teams: [{ id: teamId }],
    });
    expect((await who()).sort()).toEqual(['Ada true', 'core true']);
    // As a suggestion that was applied does.
    await repository.commit(
      { 'docs/a.md': 'x\n' },
      { branch: 'written', message: `x\n\nCo-authored-by: Ada <${ada.email}>` },
    );
    await repository.refresh();
    await follower.run(db, clock.now());
    await run();
    expect((await who()).sort()).toEqual(['Ada false', 'core true']);
    expect((await get(id, ada)).allowedVerdicts).toEqual(['changes_requested', 'commented']);
    expect(await owners()).toMatchObject({
      title: 'No other owner of *.md can approve',
      detail: expect.stringMatching(/^Ada opened, wrote, .* an admin bypasses the rule, with a reason\.$/),
    });
    // Who only reads can't review.
    await db
      .updateTable('memberships')
      .set({ role: 'viewer' })
      .where('user_id', 'in', [bob.userId, cleo.userId])
      .execute();
    expect(await owners()).toMatchObject({ title: 'Too few people can approve /api/' });
    await db
      .updateTable('memberships')
      .set({ role: 'member' })
      .where('user_id', 'in', [bob.userId, cleo.userId])
      .execute();
  });

  it('who can’t be found, or are missing, block; what names stand for follows members and teams', async () => {
    const id = await openAndRead('blocked', { 'docs/a.md': 'd\n', 'web/b.ts': 'b\n' });
    const approvals = async (...by: Person[]) => {
      const { isMet, missing } = approvalByOwners(
        await selectOwners(db, id),
        new Set(by.map(({ userId }) => userId)),
      );
      return [
        isMet,
        ...missing.map(
          ({ isImpossible, missing: count, owned }) => `${owned.pattern} ${count} ${isImpossible}`,
        ),
      ];
    };
    expect(await shown(id)).toEqual(['docs/a.md: person Ada', 'web/b.ts: unknown nobody@elsewhere.example']);
    expect(await approvals()).toEqual([false, '*.md 1 false', '/web/ 1 true']);
    expect(await approvals(ada)).toEqual([false, '/web/ 1 true']);
    const user = await makeUser(db, { name: 'Nina', email: 'nobody@elsewhere.example' }, clock.now());
    const nina = await makePerson(db, acme.id, user, 'member', clock.now());
    expect(await shown(id)).toEqual(['docs/a.md: person Ada', 'web/b.ts: person Nina']);
    expect(await approvals(ada, nina)).toEqual([true]);
    await db
      .updateTable('memberships')
      .set({ deactivated_at: clock.now() })
      .where('user_id', '=', nina.userId)
      .execute();
    expect(await approvals(ada, nina)).toEqual([false, '/web/ 1 true']);
    await db
      .updateTable('pull_requests')
      .set({ base_commit: 'd'.repeat(40) })
      .where('id', '=', id)
      .execute();
    await run();
    expect(await selectOwners(db, id)).toMatchObject({
      isCurrent: true,
      problems: [{ line: null, reason: 'CODEOWNERS could not be read at the base commit' }],
    });
    expect(await approvals(ada)).toEqual([false]);
  });
});

describe('reviewers named when it is opened', () => {
  it('are asked at once, by handle, address or team, but not the author, strangers and names of nobody', async () => {
    const reviewers = ['@Ada', 'bob@acme.example', 'core'];
    const { body, status } = await open('named', { 'x.txt': 'x\n' }, { reviewers });
    expect([status, await asked(body.id)]).toEqual([201, ['Ada', 'Bob', 'core']]);
    for (const name of ['dan', 'nobody', globex.member.email])
      expect([name, (await open(`no-${name}`, { 'x.txt': 'x\n' }, { reviewers: [name] })).status]).toEqual([
        name,
        400,
      ]);
    const request = (input: object, as = dan) =>
      service.request('POST', `/api/v2/pull-requests/${body.id}/review-requests`, {
        as: withSession(as),
        body: input,
      });
    expect((await request({})).status).toBe(400);
    expect((await request({ teamIds: [globex.id] })).body.errors[0].path).toBe('teamIds[0]');
    expect((await request({ teamIds: [teamId] }, acme.viewer)).status).toBe(403);
    expect((await request({ teamIds: [teamId] }, globex.owner)).status).toBe(404);
    await review(body.id, cleo, 'changes_requested');
    expect(await asked(body.id)).toEqual(['Ada', 'Bob']);
    expect((await request({ teamIds: [teamId], userIds: [ada.userId] })).status).toBe(200);
    expect(await asked(body.id)).toEqual(['Ada', 'Bob', 'core']);
  });
});

describe('before it is opened', () => {
  it('names exactly whom it will ask, with the rule of the file, and never who opens it', async () => {
    const files = { 'docs/a.md': 'f\n', 'api/x.ts': 'x\n', 'web/own.ts': 'p\n', 'b.txt': 'b\n' };
    await repository.commit(files, { branch: 'expected', from: root });
    await repository.refresh();
    const expected = async (query: string, as = dan) => {
      const path = `/api/v2/repositories/${repository.id}/expected-reviewers?${query}`;
      return service.request('GET', path, { as: withSession(as) });
    };
    const { body } = await expected('head=expected');
    expect(body).toEqual({
      ...{ known: true, file: '.github/CODEOWNERS', problems: [] },
      onlyCommit: expect.stringMatching(/^Commit \d+$/),
      reviewers: [
        { kind: 'team', id: teamId, name: 'core', always: false, owns: [{ line: 2, pattern: '/api/' }] },
        { kind: 'person', id: ada.userId, name: 'Ada', always: false, owns: [{ line: 1, pattern: '*.md' }] },
      ],
    });
    const id = await openAndRead('expected', files);
    expect(await asked(id)).toEqual(['Ada', 'core']);
    const unknown = { known: false, file: null, reviewers: [], problems: [], onlyCommit: null };
    for (const query of ['head=none', 'head=main', 'head=main&base=expected'])
      expect([query, (await expected(query)).body]).toEqual([query, unknown]);
    expect((await expected('head=expected', acme.viewer)).status).toBe(403);
    expect((await expected('head=expected', globex.owner)).status).toBe(404);
  });
});

describe('whom a repository asks', () => {
  it('is set by admins, and they are asked when a pull request is opened; owners only if they shall be', async () => {
    const path = `/api/v2/repositories/${repository.id}/review-settings`;
    const change = (body: object, as: Person = acme.admin) =>
      service.request('PATCH', path, { as: withSession(as), body });
    expect((await service.request('GET', path, { as: withSession(acme.viewer) })).body).toEqual({
      askOwners: true,
      reviewers: [],
      teams: [],
    });
    expect((await change({ askOwners: false }, acme.member)).status).toBe(403);
    expect((await change({ askOwners: false }, globex.owner)).status).toBe(404);
    expect((await change({ reviewerIds: [globex.owner.userId] })).body.errors[0].path).toBe('reviewerIds[0]');
    expect((await change({ teamIds: [globex.id] })).body.errors[0].path).toBe('teamIds[0]');
    // Two admins at once keep both their changes.
    const answers = await Promise.all([
      change({ askOwners: false }),
      change({ reviewerIds: [bob.userId, dan.userId], teamIds: [teamId] }, acme.owner),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await change({})).body).toMatchObject({ askOwners: false, teams: [{ name: 'core' }] });
    const id = await openAndRead('defaults', { 'docs/a.md': 'e\n' });
    expect(await asked(id)).toEqual(['Bob', 'core']);

    const owners = (as: Person) =>
      service.request('GET', `/api/v2/pull-requests/${id}/owners`, { as: withSession(as) });
    const ownedBy = (approved: boolean) => [
      {
        ...{ section: null, line: 1, pattern: '*.md', paths: ['docs/a.md'], required: 1 },
        ...{ missing: approved ? 0 : 1, owners: [{ kind: 'person', id: ada.userId, name: 'Ada', approved }] },
      },
    ];
    expect((await owners(acme.viewer)).body).toEqual({
      ...{ known: true, file: '.github/CODEOWNERS', problems: [] },
      owned: ownedBy(false),
    });
    expect((await owners(globex.owner)).status).toBe(404);
    await review(id, ada);
    expect((await owners(acme.viewer)).body.owned).toEqual(ownedBy(true));
  });
});
