/** Teams: who makes and changes them, their names beside those of people, groups of single sign-on, and two admins at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { startIdentityProvider } from '../../../test/helpers/servers/identity-provider.ts';
import { followAudit } from '../../../test/helpers/service/audit-trail.ts';
import type { Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { Browser, SETTINGS } from '../../../test/helpers/service/single-sign-on.ts';
import { changeMember } from '../accounts/members/change-member.ts';
import { findPeopleByHandle } from '../memberships/index.ts';
import { changeSingleSignOn } from '../single-sign-on/settings/change-single-sign-on.ts';
import { changeTeam } from './change-team.ts';
import { changeTeamMembers } from './change-team-members.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { getTeam } from './get-team.ts';
import { findTeamsByName, membersOf } from './index.ts';
import { listTeams } from './list-teams.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db, globex } = service;
const audit = await followAudit(db);
beforeEach(async () => {
  await audit();
});

let made = 0;
function newName(): string {
  made += 1;
  return `team-${made}`;
}
const create = (input: Record<string, unknown> = {}, as: Person = acme.admin) =>
  service.call(createTeam, { name: newName(), ...input }, withSession(as));
const get = (teamId: string, as: Person = acme.viewer) => service.call(getTeam, { teamId }, withSession(as));
const idsOf = (people: { id: string }[]) => people.map(({ id }) => id).sort();
const ids = (...people: Person[]) => people.map(({ userId }) => userId).sort();

describe('a team', () => {
  it('is made, renamed, changed and deleted by admins, seen by everybody, and recorded', async () => {
    const { body: team, status } = await create({ userIds: [acme.member.userId, acme.viewer.userId] });
    expect([status, idsOf(team.people), team.group]).toEqual([201, ids(acme.member, acme.viewer), null]);
    const { id: teamId } = team;
    const renamed = await service.call(changeTeam, { teamId, name: 'Platform' }, withSession(acme.owner));
    expect(renamed.body.name).toBe('Platform');
    const input = { teamId, add: [acme.admin.userId, acme.member.userId], remove: [acme.viewer.userId] };
    const changed = await service.call(changeTeamMembers, input, withSession(acme.admin));
    expect(idsOf(changed.body.people)).toEqual(ids(acme.admin, acme.member));
    const { body } = await service.call(listTeams, {}, withSession(acme.member));
    expect(body.teams.find(({ id }: { id: string }) => id === teamId)).toMatchObject({
      name: 'Platform',
      members: 2,
      isMember: true,
    });
    for (const person of [acme.member, acme.viewer]) {
      const as = withSession(person);
      expect((await get(teamId, person)).status).toBe(200);
      const refused = [
        await service.call(createTeam, { name: newName() }, as),
        await service.call(changeTeam, { teamId, name: 'x' }, as),
        await service.call(changeTeamMembers, { teamId, add: [person.userId] }, as),
        await service.call(deleteTeam, { teamId }, as),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
    }
    expect((await service.call(deleteTeam, { teamId }, withSession(acme.admin))).status).toBe(204);
    expect((await get(teamId)).status).toBe(404);
    const records = await audit();
    expect(records.map(({ action, detail }) => [action, detail])).toEqual([
      ['team.created', { userIds: [acme.member.userId, acme.viewer.userId] }],
      ['team.changed', { name: { from: team.name, to: 'Platform' } }],
      ['team.members_changed', { added: [acme.admin.userId], removed: [acme.viewer.userId] }],
      ['team.deleted', { reviewRequests: 0 }],
    ]);
  });

  it('is another organization’s secret', async () => {
    const { body: team } = await create();
    const as = withSession(globex.owner);
    const { id: teamId } = team;
    const statuses = [
      await get(teamId, globex.owner),
      await service.call(changeTeam, { teamId, name: 'x' }, as),
      await service.call(changeTeamMembers, { teamId, add: [globex.owner.userId] }, as),
      await service.call(deleteTeam, { teamId }, as),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect((await service.call(listTeams, {}, as)).body).toEqual({ teams: [] });
    expect((await create({ userIds: [globex.owner.userId] })).body.errors[0].path).toBe('userIds[0]');
    expect((await create({ name: team.name }, globex.admin)).status).toBe(201);
  });

  it('has a name that no other team and no person answers to', async () => {
    const name = newName();
    expect((await create({ name })).status).toBe(201);
    expect((await create({ name: name.toUpperCase() })).body.detail).toBe(
      `There is already a team named ${name.toUpperCase()}.`,
    );
    // The handle of member@acme.example.
    expect((await create({ name: 'Member' })).body.detail).toContain('mentions a member');
    const { body: other } = await create();
    const rename = (to: string) =>
      service.call(changeTeam, { teamId: other.id, name: to }, withSession(acme.admin));
    expect([(await rename(name)).status, (await rename('viewer')).status]).toEqual([409, 409]);
    expect((await rename(other.name.toUpperCase())).status).toBe(200);
    for (const bad of ['', '-a', 'a b', 'a/b', '@a', 'a'.repeat(101)])
      expect([bad, (await create({ name: bad })).status]).toEqual([bad, 400]);
  });

  it('keeps what two admins change at once', async () => {
    const { body: team } = await create();
    const change = (as: Person, input: object) =>
      service.call(changeTeamMembers, { teamId: team.id, ...input }, withSession(as));
    const answers = await Promise.all([
      change(acme.admin, { add: [acme.member.userId] }),
      change(acme.owner, { add: [acme.viewer.userId] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(idsOf((await get(team.id)).body.people)).toEqual(ids(acme.member, acme.viewer));
    const name = newName();
    const both = await Promise.all([create({ name }, acme.admin), create({ name }, acme.owner)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('has no deactivated members when it is asked, and has them back with their account', async () => {
    const { body: team } = await create({ userIds: [acme.viewer.userId] });
    const setActive = (active: boolean) =>
      service.call(changeMember, { userId: acme.viewer.userId, active }, withSession(acme.owner));
    await setActive(false);
    expect(await membersOf(db, [team.id])).toEqual(new Map());
    expect((await get(team.id, acme.member)).body).toMatchObject({
      members: 0,
      people: [{ id: acme.viewer.userId, active: false }],
    });
    expect((await create({ userIds: [acme.viewer.userId] })).status).toBe(400);
    await setActive(true);
    expect(await membersOf(db, [team.id])).toEqual(new Map([[team.id, [acme.viewer.userId]]]));
  });
});

describe('a name after an at sign', () => {
  it('is a team, an email address, what stands before its at sign, or a login, and nobody if it is several people', async () => {
    const { body: team } = await create({ name: 'Core.Team' });
    expect(await findTeamsByName(db, acme.id, ['core.TEAM', 'nobody'])).toEqual(
      new Map([['core.team', { id: team.id, name: 'Core.Team' }]]),
    );
    const found = await findPeopleByHandle(db, acme.id, ['Member', acme.viewer.email, 'nobody']);
    expect(found).toEqual(
      new Map([
        ['member', acme.member.userId],
        [acme.viewer.email, acme.viewer.userId],
      ]),
    );
    await db
      .updateTable('users')
      .set({ email: 'member@elsewhere.example' })
      .where('id', '=', acme.admin.userId)
      .execute();
    expect(await findPeopleByHandle(db, acme.id, ['member'])).toEqual(new Map());
    expect(await findPeopleByHandle(db, globex.id, ['member'])).toEqual(
      new Map([['member', globex.member.userId]]),
    );
    await db
      .updateTable('users')
      .set({ email: acme.admin.email })
      .where('id', '=', acme.admin.userId)
      .execute();
  });
});

describe('a team of a group of single sign-on', () => {
  it('follows what the provider says at each sign-in, also for teams that are made later', async () => {
    expect((await create({ group: 'platform' })).body.detail).toContain('Set up single sign-on first');
    const provider = await startIdentityProvider({
      redirectUrl: `${service.url}/sign-in/return`,
      signsIn: () => 'ada',
    });
    const set = { ...SETTINGS, issuer: provider.issuer };
    await service.call(changeSingleSignOn, set, withSession(acme.owner));
    const signIn = async (groups: string[]) => {
      const email = 'ada@acme.example';
      provider.people.set('ada', { email, email_verified: true, name: 'Ada', groups });
      const { body } = await new Browser(service).signIn({ organizationId: acme.id });
      return body.session.user.id as string;
    };
    const before = (await create({ group: 'platform' })).body;
    expect(before).toMatchObject({ group: 'platform', people: [] });
    const adaId = await signIn(['platform', 'security']);
    const after = (await create({ group: 'security' })).body;
    expect(idsOf(after.people)).toEqual([adaId]);
    expect(await membersOf(db, [before.id])).toEqual(new Map([[before.id, [adaId]]]));
    const add = { teamId: before.id, add: [acme.member.userId] };
    expect((await service.call(changeTeamMembers, add, withSession(acme.admin))).body.detail).toContain(
      'come from the group platform',
    );
    await signIn(['security']);
    expect(await membersOf(db, [before.id, after.id])).toEqual(new Map([[after.id, [adaId]]]));
    // The members stay when they are chosen here from then on.
    const freed = { teamId: after.id, group: '' };
    expect((await service.call(changeTeam, freed, withSession(acme.admin))).body).toMatchObject({
      group: null,
      members: 1,
    });
    await signIn([]);
    expect(await membersOf(db, [after.id])).toEqual(new Map([[after.id, [adaId]]]));
  });
});
