/** Teams kept in step with teams and groups of code hosts: through linked accounts, with webhooks, and asked for reviews by the host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../../../test/code-hosts/connected.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { changeTeam } from '../../teams/change-team.ts';
import { changeTeamMembers } from '../../teams/change-team-members.ts';
import { createTeam } from '../../teams/create-team.ts';
import { getTeam } from '../../teams/get-team.ts';
import { checkHost } from '../checks/check-host.ts';
import { disconnectCodeHost } from '../connections/disconnect-code-host.ts';
import { followTeamOfHost } from './follow-host-team.ts';
import { linkHostAccount } from './link-host-account.ts';
import { unlinkHostAccount } from './unlink-host-account.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db, globex } = service;
const audit = await followAudit(db);
const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
const { fake, model } = host;
const ada = model.account('ada');
const grace = model.account('grace');
const robot = model.account('robot[bot]', { bot: true });
const there = model.team('acme', 'platform', [ada, grace, robot]);
const codeHostId = host.id;
let teamId: string;
afterAll(async () => {
  await fake.close();
  expect(fake.problems).toEqual([]);
});

const check = () => checkHost(host.services, codeHostId, new AbortController().signal);
const follow = (team: string, as: Person = acme.admin, id = teamId) =>
  service.call(followTeamOfHost, { teamId: id, codeHostId, team }, withSession(as));
const get = async () => (await service.call(getTeam, { teamId }, withSession(acme.viewer))).body;
const members = async () => (await get()).people.map(({ id }: { id: string }) => id).sort();
const accountOf = async (login: string) =>
  (
    await db
      .selectFrom('host_accounts')
      .select('id')
      .where('code_host_id', '=', codeHostId)
      .where('login', '=', login)
      .executeTakeFirstOrThrow()
  ).id;
const link = async (login: string, person: Person) =>
  service.call(
    linkHostAccount,
    { codeHostId, accountId: await accountOf(login), userId: person.userId },
    withSession(acme.admin),
  );
/** As the service's queue would: everything that was asked for. */
const isCheckDue = async () => {
  const { next_check_at } = await db
    .selectFrom('code_hosts')
    .select('next_check_at')
    .where('id', '=', codeHostId)
    .executeTakeFirstOrThrow();
  return next_check_at === null || next_check_at.getTime() <= Date.now();
};

beforeAll(async () => {
  teamId = (
    await service.call(
      createTeam,
      { name: 'platform', userIds: [acme.viewer.userId] },
      withSession(acme.admin),
    )
  ).body.id;
});

describe('a team that follows one of a code host', () => {
  it('has whoever is in it there with a linked account, and says who is not linked', async () => {
    await check();
    await audit();
    const { body, status } = await follow('acme/platform');
    expect([status, body.codeHost.team, body.codeHost.syncedAt]).toEqual([200, 'acme/platform', null]);
    expect(await isCheckDue()).toBe(true);
    await check();
    expect(await get()).toMatchObject({
      people: [],
      codeHost: { problem: null, syncedAt: expect.any(String), unlinked: ['ada', 'grace'] },
    });
    await link('ada', acme.member);
    expect(await isCheckDue()).toBe(true);
    await check();
    expect(await members()).toEqual([acme.member.userId]);
    expect((await get()).codeHost.unlinked).toEqual(['grace']);
    expect((await audit()).map(({ action, detail }) => [action, detail])).toEqual([
      ['team.changed', { hostTeam: { from: null, to: 'acme/platform' } }],
      ['code_host.account_linked', { userId: acme.member.userId, by: 'admin' }],
    ]);
    const add = { teamId, add: [acme.owner.userId] };
    expect((await service.call(changeTeamMembers, add, withSession(acme.admin))).body.detail).toContain(
      'come from acme/platform on the code host',
    );
  });

  it('loses who leaves there as soon as a webhook says so, and who is unlinked at once', async () => {
    await link('grace', acme.viewer);
    await check();
    expect(await members()).toEqual([acme.member.userId, acme.viewer.userId].sort());
    there.members = [ada];
    await check();
    // Read every hour: nothing said that something changed.
    expect(await members()).toHaveLength(2);
    await db
      .updateTable('code_hosts')
      .set({ access_asked_at: new Date() })
      .where('id', '=', codeHostId)
      .execute();
    await check();
    expect(await members()).toEqual([acme.member.userId]);
    const unlink = { codeHostId, accountId: await accountOf('ada') };
    await service.call(unlinkHostAccount, unlink, withSession(acme.admin));
    expect(await members()).toEqual([]);
    await link('ada', acme.member);
    await check();
    expect(await members()).toEqual([acme.member.userId]);
  });

  it('says why it can’t be read, and has nobody if it is gone there', async () => {
    await follow('acme/nothing');
    await check();
    expect(await get()).toMatchObject({
      people: [],
      codeHost: { problem: expect.stringContaining('no such team') },
    });
    await follow('acme/platform');
    await check();
    expect(await members()).toEqual([acme.member.userId]);
  });

  it('is set by admins of its organization alone', async () => {
    expect((await follow('acme/platform', acme.member)).status).toBe(403);
    expect((await follow('acme/platform', globex.admin)).status).toBe(404);
    const other = (await service.call(createTeam, { name: 'other' }, withSession(globex.admin))).body.id;
    expect((await follow('acme/platform', globex.admin, other)).status).toBe(404);
    expect((await follow('acme/platform', acme.admin, other)).status).toBe(404);
    expect((await follow('platform')).status).toBe(400);
  });

  it('is asked for a review when the host asks it, once, until one of them has answered', async () => {
    const { id: repositoryId, there: repository } = await host.repository('acme/api');
    repository.private = false;
    const commit = 'a'.repeat(40);
    const opened = model.openPullRequest(repository, { author: grace, commit, requestedTeams: [there] });
    await host.work();
    const { id } = await db
      .selectFrom('pull_requests')
      .select('id')
      .where('repository_id', '=', repositoryId)
      .executeTakeFirstOrThrow();
    const requests = () =>
      db
        .selectFrom('pull_request_review_requests')
        .select(['team_id', 'host_team', 'name'])
        .where('pull_request_id', '=', id)
        .execute();
    expect(await requests()).toEqual([{ team_id: teamId, host_team: 'acme/platform', name: 'platform' }]);
    const asked = async () => {
      const { body } = await service.request('GET', `/api/v2/pull-requests/${id}/activity`, {
        as: withSession(acme.admin),
      });
      return body.events.filter(({ kind }: { kind: string }) => kind === 'pull_request_review_requested');
    };
    const unknown = model.team('acme', 'unknown', []);
    model.change(opened, { requestedTeams: [there, unknown] });
    await host.becomeDue();
    await host.work();
    expect((await requests()).map(({ host_team, team_id }) => [host_team, team_id]).sort()).toEqual([
      ['acme/platform', teamId],
      ['acme/unknown', null],
    ]);
    expect((await asked()).map(({ data }: { data: object }) => data)).toMatchObject([
      { names: ['unknown'] },
      { names: ['platform'], teamIds: [teamId] },
    ]);
    await service.db
      .insertInto('pull_request_verdicts')
      .values({
        ...{ id: teamId, pull_request_id: id, organization_id: acme.id, user_id: acme.member.userId },
        ...{ name: 'Member', verdict: 'approved', commit, created_at: new Date(), sending: 'sent' },
      })
      .execute();
    await db.deleteFrom('pull_request_review_requests').where('team_id', '=', teamId).execute();
    await host.becomeDue();
    await host.work();
    expect((await requests()).map(({ host_team }) => host_team)).toEqual(['acme/unknown']);
    expect(await asked()).toHaveLength(2);
  });

  it('has its members chosen here again when that is wanted, or when the host is disconnected', async () => {
    const freed = await service.call(changeTeam, { teamId, group: '' }, withSession(acme.admin));
    expect(freed.body).toMatchObject({ codeHost: null, group: null, members: 1 });
    await follow('acme/platform');
    await service.call(disconnectCodeHost, { codeHostId }, withSession(acme.admin));
    expect(await get()).toMatchObject({ codeHost: null, members: 1 });
  });
});
