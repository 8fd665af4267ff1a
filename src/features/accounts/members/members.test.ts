/** Members of an organization over HTTP: listed, changed, deactivated and reactivated; by status. */
import { describe, expect, it } from 'vitest';
import { untilWaiting } from '../../../../test/helpers/database/waiting.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makeOrganization, makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { BEHIND_PROXY, signInFrom } from '../../../../test/helpers/service/sign-in-requests.ts';
import type { Role } from '../../../platform/core/operations/actor.ts';
import { createApiKey } from '../../api-keys/create-api-key.ts';
import { operatorOf } from '../../audit/index.ts';
import { recordSessionEvent } from '../../planner-events/record-session-event.ts';
import { alterMember } from '../index.ts';
import { inviteMember } from '../invitations/invite-member.ts';
import { lookUpInvitation } from '../invitations/look-up-invitation.ts';
import { getSession } from '../sessions/get-session.ts';
import { changeMember } from './change-member.ts';
import { listMembers } from './list-members.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, globex } = service;
const EVENT = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };

let made = 0;
async function newPerson(role: Role = 'member', organizationId = acme.id, name?: string) {
  made += 1;
  const now = service.clock.now();
  const user = { name: name ?? `P ${made}`, email: `p${made}@acme.example` };
  return makePerson(service.db, organizationId, await makeUser(service.db, user, now), role, now);
}

/** An organization of its own with so many owners, for what is about the last of them. */
async function withOwners(count: number) {
  made += 1;
  const organization = await makeOrganization(service.db, `Org${made}`, service.clock.now());
  const owners = [organization.owner];
  while (owners.length < count) owners.push(await newPerson('owner', organization.id));
  return { organization, owners };
}

/** The sessions and active keys of a person, whether or not they could be used at present. */
async function leftOf(userId: string) {
  const { db } = service;
  return {
    sessions: await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute(),
    keys: await db
      .selectFrom('api_keys')
      .select('id')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute(),
  };
}

const activeOwners = (organizationId: string) =>
  service.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('deactivated_at', 'is', null)
    .execute();

describe('listing members', () => {
  it('200: lists everyone in this organization and no one else, for viewers too', async () => {
    const { body, status } = await service.call(listMembers, {}, withSession(globex.viewer));
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.members.map(({ name, role }: Record<string, string>) => [name, role])).toEqual([
      ['Globex admin', 'admin'],
      ['Globex member', 'member'],
      ['Globex owner', 'owner'],
      ['Globex viewer', 'viewer'],
    ]);
    expect(Object.keys(body.members[0]).sort()).toEqual([
      'can',
      'createdAt',
      'deactivatedAt',
      'email',
      'name',
      'role',
      'suspendedAt',
      'userId',
    ]);
  });

  it('200: pages contain everyone once, including people with the same name and with the longest name', async () => {
    const { organization } = await withOwners(1);
    for (const name of ['Same', 'Same', 'Same', '😀'.repeat(200), `${'"\u0001'.repeat(100)}`, 'Ünal'])
      await newPerson('member', organization.id, name);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body, status } = await service.call(
        listMembers,
        { limit: 2, ...(cursor && { cursor }) },
        withSession(organization.viewer),
      );
      expect(status).toBe(200);
      expect(body.members.length).toBeLessThanOrEqual(2);
      seen.push(...body.members.map(({ userId }: { userId: string }) => userId));
      cursor = body.nextCursor;
    } while (cursor);
    const whole = await service.call(listMembers, { limit: 200 }, withSession(organization.viewer));
    expect(seen).toEqual(whole.body.members.map(({ userId }: { userId: string }) => userId));
    expect(new Set(seen).size).toBe(10);
  });

  it('200: a cursor that names a member of another organization shows none of its members', async () => {
    const cursor = Buffer.from(JSON.stringify(['A', globex.admin.userId])).toString('base64url');
    const { body } = await service.call(listMembers, { cursor }, withSession(acme.viewer));
    expect(body.members.map(({ email }: { email: string }) => email).join()).not.toContain('globex');
  });

  it('200: renaming a member between two pages does not shift the others', async () => {
    const { organization } = await withOwners(1);
    const list = async (cursor?: string) =>
      (
        await service.call(
          listMembers,
          { limit: 2, ...(cursor && { cursor }) },
          withSession(organization.viewer),
        )
      ).body;
    const first = await list();
    const last = first.members[1];
    await service.db.updateTable('users').set({ name: 'Zoe' }).where('id', '=', last.userId).execute();
    const rest = await list(first.nextCursor);
    const others = [organization.owner.userId, organization.viewer.userId];
    expect(rest.members.map(({ userId }: { userId: string }) => userId)).toEqual(others);
  });

  it('200: accepts a cursor with the longest name', async () => {
    const cursor = Buffer.from(JSON.stringify(['\u0001'.repeat(200), acme.owner.userId])).toString(
      'base64url',
    );
    expect((await service.call(listMembers, { cursor }, withSession(acme.viewer))).status).toBe(200);
  });

  it('200: says what the caller may change about each member', async () => {
    const { organization } = await withOwners(1);
    const { body } = await service.call(listMembers, {}, withSession(organization.owner));
    const can = Object.fromEntries(
      body.members.map((member: { role: string; can: object }) => [member.role, member.can]),
    );
    expect(can.owner).toEqual({ deactivate: false, reactivate: false, changeRoleTo: [] });
    expect(can.member).toEqual({
      deactivate: true,
      reactivate: false,
      changeRoleTo: ['viewer', 'admin', 'owner'],
    });
    const seenByMember = await service.call(listMembers, {}, withSession(organization.member));
    for (const { can } of seenByMember.body.members)
      expect(can).toEqual({ deactivate: false, reactivate: false, changeRoleTo: [] });
  });

  it.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no uuid', Buffer.from('["x"]').toString('base64url')],
    ['a NUL', Buffer.from(JSON.stringify(['\0', acme.owner.userId])).toString('base64url')],
    ['an object', Buffer.from('{"length":1}').toString('base64url')],
  ])('400: a cursor that is %s', async (_name, cursor) => {
    const answer = await service.call(listMembers, { cursor }, withSession(acme.viewer));
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'cursor']);
  });

  it.each([0, 201, 1.5, 'many'])('400: a limit of %s', async (limit) => {
    const answer = await service.call(listMembers, { limit }, withSession(acme.viewer));
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'limit']);
  });
});

describe('changing a role', () => {
  it('200: applies from the next request on, for sessions and keys', async () => {
    const person = await newPerson('viewer');
    expect((await service.call(recordSessionEvent, EVENT, withKey(person))).status).toBe(403);
    const answer = await service.call(
      changeMember,
      { userId: person.userId, role: 'member' },
      withSession(acme.admin),
    );
    expect([answer.status, answer.body.role]).toEqual([200, 'member']);
    expect((await service.call(recordSessionEvent, EVENT, withKey(person))).status).toBe(204);
    expect((await service.call(getSession, {}, withSession(person))).body.role).toBe('member');
  });

  it('200: is recorded with the old and the new role; setting the same role is not', async () => {
    const person = await newPerson('viewer');
    const audit = await followAudit(service.db);
    for (const role of ['admin', 'admin'])
      await service.call(changeMember, { userId: person.userId, role }, withSession(acme.owner));
    await service.call(changeMember, { userId: person.userId }, withSession(acme.owner));
    expect(await audit()).toEqual([
      {
        action: 'member.role_changed',
        organizationId: acme.id,
        kind: 'session',
        userId: acme.owner.userId,
        subjectId: person.userId,
        subjectName: person.name,
        detail: { from: 'viewer', to: 'admin' },
      },
    ]);
  });

  it('400: an unknown role, and a body without a known field', async () => {
    const { userId } = await newPerson();
    const unknown = await service.call(changeMember, { userId, role: 'king' }, withSession(acme.owner));
    expect([unknown.status, unknown.body.errors[0].path]).toEqual([400, 'role']);
    const nothing = await service.call(changeMember, { userId, color: 'red' }, withSession(acme.owner));
    expect(nothing.status).toBe(400);
  });

  it.each<[string, Role, Role, Record<string, unknown>]>([
    ['a member changes a viewer', 'member', 'viewer', { role: 'member' }],
    ['a viewer raises themself', 'viewer', 'viewer', { role: 'owner' }],
    ['an admin makes an owner', 'admin', 'member', { role: 'owner' }],
    ['an admin lowers an owner', 'admin', 'owner', { role: 'member' }],
    ['an admin deactivates an owner', 'admin', 'owner', { active: false }],
  ])('403: %s', async (_name, by, target, change) => {
    const [caller, person] = [await newPerson(by), await newPerson(target)];
    const audit = await followAudit(service.db);
    const answer = await service.call(
      changeMember,
      { userId: person.userId, ...change },
      withSession(caller),
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect(await audit()).toEqual([]);
  });

  it('404: a member of another organization, and a user who does not exist', async () => {
    for (const userId of [globex.member.userId, '0198c1f2-7a3b-7c4d-8e5f-0123456789ab']) {
      const answer = await service.call(changeMember, { userId, active: false }, withSession(acme.owner));
      expect(answer.status).toBe(404);
    }
    expect((await service.call(getSession, {}, withSession(globex.member))).status).toBe(200);
  });

  it('409: the last owner cannot be demoted or deactivated, by themselves or by the operator', async () => {
    const { organization, owners } = await withOwners(1);
    const { userId } = owners[0]!;
    for (const change of [{ role: 'admin' }, { active: false }]) {
      const answer = await service.call(changeMember, { userId, ...change }, withSession(owners[0]!));
      expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    }
    const operator = operatorOf(organization.id, service.clock.now());
    await expect(alterMember(service.db, 'owner', operator, { userId, active: false })).rejects.toMatchObject(
      { code: 'conflict' },
    );
    expect(await activeOwners(organization.id)).toHaveLength(1);
  });

  it('succeeds for one of two owners who demote each other, so that an owner remains', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { organization, owners } = await withOwners(2);
      const [first, second] = owners as [(typeof owners)[0], (typeof owners)[0]];
      const change = round % 2 === 0 ? { role: 'member' } : { active: false };
      const answers = await Promise.all([
        service.call(changeMember, { userId: second.userId, ...change }, withSession(first)),
        service.call(changeMember, { userId: first.userId, ...change }, withSession(second)),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status } of answers) expect([200, 401, 403, 409]).toContain(status);
      expect(await activeOwners(organization.id)).toHaveLength(1);
    }
  });

  it('succeeds for one of the two even if there is a third owner: a demoted owner cannot demote', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { organization, owners } = await withOwners(3);
      const [first, second] = owners as [(typeof owners)[0], (typeof owners)[0]];
      const answers = await Promise.all([
        service.call(changeMember, { userId: second.userId, role: 'member' }, withSession(first)),
        service.call(changeMember, { userId: first.userId, role: 'member' }, withSession(second)),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect(await activeOwners(organization.id)).toHaveLength(2);
    }
  });
});

describe('deactivating', () => {
  it('200: ends sessions and keys immediately on every node, and reactivating restores neither', async () => {
    const node = await startAnotherNode(service);
    const person = await newPerson();
    const elsewhere = {
      session: () =>
        fetch(`${node.url}/api/v2/session`, { headers: { cookie: `countersign=${person.token}` } }),
      key: () =>
        fetch(`${node.url}/api/v2/mcp-sessions/events`, {
          method: 'POST',
          headers: { 'x-api-key': person.key, 'content-type': 'application/json' },
          body: JSON.stringify(EVENT),
        }),
    };
    expect([(await elsewhere.session()).status, (await elsewhere.key()).status]).toEqual([200, 204]);
    const gone = await service.call(
      changeMember,
      { userId: person.userId, active: false },
      withSession(acme.admin),
    );
    expect([gone.status, typeof gone.body.deactivatedAt]).toEqual([200, 'string']);
    expect([(await elsewhere.session()).status, (await elsewhere.key()).status]).toEqual([401, 401]);
    expect((await signInFrom(service, person)).status).toBe(401);
    const back = await service.call(
      changeMember,
      { userId: person.userId, active: true },
      withSession(acme.admin),
    );
    expect([back.status, back.body.deactivatedAt]).toEqual([200, null]);
    expect([(await elsewhere.session()).status, (await elsewhere.key()).status]).toEqual([401, 401]);
    expect((await signInFrom(service, person)).status).toBe(200);
  });

  it('200: does not affect the person in another organization', async () => {
    const person = await newPerson();
    const user = { id: person.userId, name: person.name, email: person.email };
    const inGlobex = await makePerson(service.db, globex.id, user, 'member', service.clock.now());
    await service.call(changeMember, { userId: person.userId, active: false }, withSession(acme.admin));
    expect((await service.call(getSession, {}, withSession(inGlobex))).status).toBe(200);
    expect((await service.call(recordSessionEvent, EVENT, withKey(inGlobex))).status).toBe(204);
  });

  it('200: each step is recorded once', async () => {
    const person = await newPerson();
    const audit = await followAudit(service.db);
    for (const active of [false, false, true, true])
      await service.call(changeMember, { userId: person.userId, active }, withSession(acme.owner));
    await service.call(
      changeMember,
      { userId: person.userId, active: false, role: 'viewer' },
      withSession(acme.owner),
    );
    expect((await audit()).map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['member.deactivated', person.userId],
      ['member.reactivated', person.userId],
      ['member.role_changed', person.userId],
      ['member.deactivated', person.userId],
    ]);
  });

  it('200: makes a concurrent sign-in and a new key wait, and refuses both', async () => {
    const person = await newPerson();
    const { waiting } = await service.db.transaction().execute(async (transaction) => {
      const operator = operatorOf(acme.id, service.clock.now());
      await alterMember(transaction, 'owner', operator, { userId: person.userId, active: false });
      const waiting = Promise.all([
        signInFrom(service, person),
        service.call(createApiKey, { name: 'late' }, withSession(person)),
      ]);
      await untilWaiting(service.db, 2);
      return { waiting };
    });
    const [signedIn, created] = await waiting;
    expect([signedIn.status, created.status]).toEqual([401, 409]);
    expect(await leftOf(person.userId)).toEqual({ sessions: [], keys: [] });
  });

  it('200: leaves no session and no key that were created at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson();
      const answers = await Promise.all([
        signInFrom(service, person),
        service.call(createApiKey, { name: 'late' }, withSession(person)),
        service.call(changeMember, { userId: person.userId, active: false }, withSession(acme.owner)),
        service.call(createApiKey, { name: 'later' }, withSession(person)),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect(await leftOf(person.userId)).toEqual({ sessions: [], keys: [] });
    }
  });

  it('200: revokes the invitations that the person created; demoting revokes those above the new role', async () => {
    const admin = await newPerson('owner');
    const invite = async (role: Role) => {
      made += 1;
      const { body } = await service.call(
        inviteMember,
        { email: `guest${made}@acme.example`, role },
        withSession(admin),
      );
      return body.link.split('#token=')[1] as string;
    };
    const opens = async (token: string) =>
      (await service.call(lookUpInvitation, { token }, 'nobody')).status === 200;
    const [toOwner, toAdmin] = [await invite('owner'), await invite('admin')];
    await service.call(changeMember, { userId: admin.userId, role: 'admin' }, withSession(acme.owner));
    expect([await opens(toOwner), await opens(toAdmin)]).toEqual([false, true]);
    await service.call(changeMember, { userId: admin.userId, active: false }, withSession(acme.owner));
    expect(await opens(toAdmin)).toBe(false);
    await service.call(changeMember, { userId: admin.userId, active: true }, withSession(acme.owner));
    expect(await opens(toAdmin)).toBe(false);
  });
});
