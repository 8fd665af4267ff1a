/** Code owners of pull requests on code hosts, from the file in real git to the check on the host: GitHub's rules and GitLab's. */
import { expect, it } from 'vitest';
import { type ConnectedHost, connectHost } from '../../../../test/code-hosts/connected.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startGitLabFake } from '../../../../test/code-hosts/gitlab-fake.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { rememberAccounts } from '../../code-hosts/accounts/host-account-store.ts';
import { connectRepository } from '../../code-hosts/index.ts';
import { readOwnersOfPullRequests } from './read-owners.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db } = service;
const log = createLog({ level: 'silent', terminal: false });
const person = async (name: string): Promise<Person> => {
  const user = await makeUser(db, { name, email: `${name.toLowerCase()}@elsewhere.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
};
const ada = await person('Ada');
const grace = await person('Grace');

/** A pull request that changes `api/a.ts`, under a rule that needs owners; both members have a linked account. */
async function open(host: ConnectedHost, fullName: string, files: Record<string, string>) {
  const repository = await addRepository(service, { ...files, 'api/a.ts': 'a\n' }, { fullName });
  const base = await repository.git('rev-parse', 'main');
  const commit = await repository.commit({ 'api/a.ts': 'b\n' }, { branch: 'topic', from: base });
  await repository.refresh();
  const { model } = host;
  const there = model.repository(fullName, { private: false });
  model.grant(there, host.bot.login, 'admin');
  await connectRepository(db, {
    ...{ repositoryId: repository.id, organizationId: acme.id, codeHostId: host.id },
    ...{ hostRepositoryId: String(there.id), fullName, isPrivate: false, at: new Date(0) },
  });
  for (const [login, { userId }] of [
    ['ada-there', ada],
    ['grace-there', grace],
  ] as const) {
    const { id: accountId } = model.account(login);
    const account = { id: String(accountId), login, name: null, bot: false };
    await rememberAccounts(db, { id: host.id, organizationId: acme.id }, [account]);
    await db
      .updateTable('host_accounts')
      .set({ user_id: userId, linked_by: 'admin', linked_at: clock.now() })
      .where('code_host_id', '=', host.id)
      .where('login', '=', login)
      .execute();
  }
  const body = { pattern: 'main', repositoryId: repository.id, owners: true };
  await service.request('PUT', '/api/v2/merge-rules', { as: withSession(acme.admin), body });
  model.openPullRequest(there, {
    ...{ author: model.account('linus'), commit, base: { branch: 'main', commit: base } },
    head: { branch: 'topic', commit, repository: there },
  });
  await host.work();
  await readOwnersOfPullRequests(
    { db, code: service.mirrors.code, log, announce: () => undefined, now: () => clock.now() },
    { organizationId: acme.id, repositoryId: repository.id },
    new AbortController().signal,
  );
  const { id } = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repository.id)
    .executeTakeFirstOrThrow();
  return {
    async owners() {
      const { body: read } = await service.request('GET', `/api/v2/pull-requests/${id}`, {
        as: withSession(acme.admin),
      });
      return read.mergeRequirements.requirements.find(({ kind }: { kind: string }) => kind === 'owners');
    },
    async approve(by: Person) {
      const { status } = await service.request('POST', `/api/v2/pull-requests/${id}/reviews`, {
        as: withSession(by),
        body: { verdict: 'approved', commit },
      });
      expect(status).toBe(200);
    },
    async onHost() {
      await host.work();
      return there.statuses.find(({ name }) => name === 'Countersign: approved')?.state;
    },
  };
}

it('on GitHub the first place and the last match count, and one owner suffices', async () => {
  const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
  const { approve, onHost, owners } = await open(host, 'acme/on-github', {
    '.github/CODEOWNERS': '* @ada-there\n/api/ @ada-there @grace-there\n*.md @ada-there\n',
    CODEOWNERS: '* @ada-there\n',
  });
  expect(await owners()).toMatchObject({
    ...{ isMet: false, title: 'An owner of /api/ has to approve', detail: 'Ada or Grace can approve.' },
    people: [{ id: ada.userId }, { id: grace.userId }],
  });
  expect(await onHost()).toBe('pending');
  await approve(grace);
  expect(await owners()).toMatchObject({ isMet: true, title: 'Approved by the code owners' });
  expect(await onHost()).toBe('success');
  await host.fake.close();
  expect(host.fake.problems).toEqual([]);
});

it('on GitLab every section counts for itself, with as many owners as it asks for', async () => {
  const host = await connectHost(service, acme, 'gitlab', (model) => startGitLabFake(model));
  const { approve, onHost, owners } = await open(host, 'acme/on-gitlab', {
    '.gitlab/CODEOWNERS':
      '[API][2]\n/api/ @ada-there @grace-there\n^[Advice]\n*.ts @grace-there\n[All]\n* @ada-there\n!/docs/\n',
  });
  expect(await owners()).toMatchObject({ isMet: false, title: 'Owners of /api/ and * have to approve' });
  await approve(ada);
  expect(await owners()).toMatchObject({ isMet: false, title: 'An owner of /api/ has to approve' });
  // GitLab’s word for pending.
  expect(await onHost()).toBe('running');
  await approve(grace);
  expect(await owners()).toMatchObject({ isMet: true });
  expect(await onHost()).toBe('success');
  await host.fake.close();
  expect(host.fake.problems).toEqual([]);
});
