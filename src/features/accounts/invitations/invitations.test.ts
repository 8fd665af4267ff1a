/** Invitations over HTTP: created, listed, looked up, accepted and revoked; by status. */
import { describe, expect, it } from 'vitest';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser, PASSWORD } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import {
  BEHIND_PROXY,
  freshAddress,
  sessionCookie,
  signInFrom,
  tokenFrom,
} from '../../../../test/helpers/service/sign-in-requests.ts';
import type { Role } from '../../../platform/core/operations/actor.ts';
import { changeMember } from '../members/change-member.ts';
import { getSession } from '../sessions/get-session.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { inviteMember } from './invite-member.ts';
import { listInvitations } from './list-invitations.ts';
import { lookUpInvitation } from './look-up-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

const service = await startTestService({ settings: BEHIND_PROXY });
const { acme, globex } = service;
const NEW_PERSON = { name: 'Grace Hopper', password: 'a password of hers' };
const DAY_MS = 24 * 60 * 60 * 1000;

let made = 0;
async function invite(given: { email?: string; role?: Role; by?: { token: string } } = {}) {
  made += 1;
  const { email = `guest${made}@acme.example`, role = 'member', by = acme.admin } = given;
  const answer = await service.call(inviteMember, { email, role }, { session: by.token });
  expect(answer.status).toBe(201);
  const [address, token] = answer.body.link.split('#token=') as [string, string];
  return { id: answer.body.invitation.id as string, email, address, token, answer };
}

const accept = (given: Record<string, unknown>, address = freshAddress()) =>
  service.request('POST', acceptInvitation.http.path, {
    body: given,
    headers: { 'x-forwarded-for': address },
  });

describe('inviting', () => {
  it('201: returns a link once, which is in no list and no table', async () => {
    const { address, answer, token } = await invite({ email: 'Grace@Acme.Example', role: 'admin' });
    expect(address).toBe(`${service.url}/invitation`);
    expect(answer.body.invitation).toMatchObject({
      email: 'grace@acme.example',
      role: 'admin',
      invitedBy: { id: acme.admin.userId, name: acme.admin.name },
      acceptedAt: null,
      revokedAt: null,
    });
    const { createdAt, expiresAt } = answer.body.invitation;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY_MS);
    const list = await service.call(listInvitations, {}, withSession(acme.admin));
    expect(list.body.invitations[0]).toEqual(answer.body.invitation);
    const rows = await service.db.selectFrom('invitations').selectAll().execute();
    const records = await service.db.selectFrom('audit_events').selectAll().execute();
    for (const place of [list.body, rows, records]) expect(JSON.stringify(place)).not.toContain(token);
  });

  it('201: is recorded', async () => {
    const audit = await followAudit(service.db);
    const { email, id } = await invite({ role: 'viewer' });
    expect(await audit()).toEqual([
      {
        action: 'invitation.created',
        organizationId: acme.id,
        kind: 'session',
        userId: acme.admin.userId,
        subjectId: id,
        subjectName: email,
        detail: { role: 'viewer' },
      },
    ]);
  });

  it('403: only owners can invite an owner', async () => {
    const byAdmin = await service.call(
      inviteMember,
      { email: 'x@acme.example', role: 'owner' },
      withSession(acme.admin),
    );
    expect([byAdmin.status, byAdmin.body.code]).toEqual([403, 'forbidden']);
    expect((await invite({ role: 'owner', by: acme.owner })).answer.status).toBe(201);
  });

  it('400: an invalid address, and an unknown role', async () => {
    const answer = await service.call(
      inviteMember,
      { email: 'grace', role: 'queen' },
      withSession(acme.admin),
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['email', 'role']);
  });

  it('409: a member of the organization, but not a member of another one', async () => {
    const answer = await service.call(
      inviteMember,
      { email: acme.viewer.email.toUpperCase(), role: 'member' },
      withSession(acme.admin),
    );
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect((await invite({ email: globex.viewer.email })).answer.status).toBe(201);
  });
});

describe('listing invitations', () => {
  it('200: newest first, in pages, and none of another organization', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await invite({ by: globex.admin })).id);
    const first = await service.call(listInvitations, { limit: 3 }, withSession(globex.admin));
    const { nextCursor } = first.body;
    const second = await service.call(
      listInvitations,
      { limit: 3, cursor: nextCursor },
      withSession(globex.admin),
    );
    const idsOf = ({ body }: typeof first) => body.invitations.map(({ id }: { id: string }) => id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    const ours = await service.call(listInvitations, { limit: 200 }, withSession(acme.admin));
    for (const id of ids) expect(idsOf(ours)).not.toContain(id);
  });
});

describe('looking up an invitation', () => {
  it('200: says what the link offers and whether the address has an account', async () => {
    const stranger = await invite({ role: 'viewer' });
    const known = await invite({ email: globex.member.email });
    const first = await service.call(lookUpInvitation, { token: stranger.token }, 'nobody');
    expect(first.body).toEqual({
      organizationId: acme.id,
      organizationName: 'Acme',
      email: stranger.email,
      role: 'viewer',
      knownUser: false,
    });
    const second = await service.call(lookUpInvitation, { token: known.token }, 'nobody');
    expect(second.body.knownUser).toBe(true);
  });
});

describe('accepting', () => {
  it('201: creates the account with the offered role, and signs in', async () => {
    const { email, id, token } = await invite({ role: 'viewer' });
    const audit = await followAudit(service.db);
    const answer = await accept({ token, ...NEW_PERSON });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { name: NEW_PERSON.name, email },
      organization: { id: acme.id },
      role: 'viewer',
    });
    const seen = await service.call(getSession, {}, { session: tokenFrom(answer) });
    expect(seen.body).toEqual(answer.body);
    const who = { organizationId: acme.id, kind: 'anonymous', userId: answer.body.user.id };
    expect(await audit()).toEqual([
      {
        action: 'invitation.accepted',
        ...who,
        subjectId: id,
        subjectName: NEW_PERSON.name,
        detail: { role: 'viewer' },
      },
      {
        action: 'member.added',
        ...who,
        subjectId: answer.body.user.id,
        subjectName: NEW_PERSON.name,
        detail: { role: 'viewer' },
      },
    ]);
    const signedIn = await signInFrom(service, { email, password: NEW_PERSON.password });
    expect(signedIn.status).toBe(200);
  });

  it('201: adds the organization to an existing account, with its own password', async () => {
    made += 1;
    const user = { name: 'Alan', email: `alan${made}@globex.example` };
    const alan = await makePerson(
      service.db,
      globex.id,
      await makeUser(service.db, user, service.clock.now()),
      'owner',
      service.clock.now(),
    );
    const { token } = await invite({ email: alan.email, role: 'viewer' });
    const answer = await accept({ token, password: PASSWORD, name: 'Another name' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ user: { id: alan.userId, name: 'Alan' }, role: 'viewer' });
    expect(answer.body.organizations).toHaveLength(2);
    expect((await service.call(getSession, {}, withSession(alan))).body.role).toBe('owner');
  });

  it('400: a new account needs a name and a password that is long enough', async () => {
    const { token } = await invite();
    const answer = await accept({ token, password: 'short' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'password']);
    expect((await accept({ token, ...NEW_PERSON })).status).toBe(201);
  });

  it('401: a wrong password for an existing account is recorded, and counts as an attempt', async () => {
    made += 1;
    const email = `known${made}@globex.example`;
    const known = await makePerson(
      service.db,
      globex.id,
      await makeUser(service.db, { name: 'Known', email }, service.clock.now()),
      'member',
      service.clock.now(),
    );
    const { token } = await invite({ email });
    const audit = await followAudit(service.db);
    const address = freshAddress();
    const answer = await accept({ token, name: 'Mallory', password: 'a password of mine' }, address);
    expect([answer.status, answer.body.code, sessionCookie(answer)]).toEqual([
      401,
      'sign_in_failed',
      undefined,
    ]);
    expect(await audit()).toMatchObject([
      { action: 'session.refused', organizationId: globex.id, subjectId: known.userId },
    ]);
    for (let count = 0; count < 9; count += 1)
      await accept({ token, password: `guess number ${count}` }, address);
    expect((await accept({ token, password: PASSWORD }, address)).status).toBe(429);
    expect((await signInFrom(service, { email }, address)).status).toBe(429);
  });

  it('404: a link that never existed, was used, was revoked, or has expired', async () => {
    const [used, revoked, old] = [await invite(), await invite(), await invite()];
    await accept({ token: used.token, ...NEW_PERSON });
    await service.call(revokeInvitation, { invitationId: revoked.id }, withSession(acme.admin));
    service.clock.advance(7 * DAY_MS - 60_000);
    expect((await service.call(lookUpInvitation, { token: old.token }, 'nobody')).status).toBe(200);
    service.clock.advance(60_000);
    for (const token of ['x'.repeat(43), used.token, revoked.token, old.token]) {
      const look = await service.call(lookUpInvitation, { token }, 'nobody');
      const take = await accept({ token, ...NEW_PERSON });
      expect([look.status, take.status, sessionCookie(take)]).toEqual([404, 404, undefined]);
    }
  });

  it('409: an account that is already a member, active or deactivated', async () => {
    const { email, token } = await invite();
    const again = await invite({ email });
    const joined = await accept({ token, ...NEW_PERSON });
    const first = await accept({ token: again.token, password: NEW_PERSON.password });
    expect([first.status, first.body.code]).toEqual([409, 'conflict']);
    const owner = { session: tokenFrom(await signInFrom(service, acme.owner)) };
    const { id } = joined.body.user;
    expect((await service.call(changeMember, { userId: id, active: false }, owner)).status).toBe(200);
    const second = await accept({ token: again.token, password: NEW_PERSON.password });
    expect([second.status, sessionCookie(second)]).toEqual([409, undefined]);
    expect((await signInFrom(service, { email, password: NEW_PERSON.password })).status).toBe(401);
  });

  it('succeeds for exactly one of many concurrent requests', async () => {
    const { email, token } = await invite({ by: { token: await ownerToken() } });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        accept({ token, name: `Grace ${index}`, password: NEW_PERSON.password }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([201, 401, 404, 409]).toContain(status);
    const users = await service.db.selectFrom('users').select('name').where('email', '=', email).execute();
    expect(users).toHaveLength(1);
  });

  it('creates one account when two organizations invite the same new person at the same time', async () => {
    made += 1;
    const email = `both${made}@acme.example`;
    const ours = await invite({ email, by: { token: await ownerToken() } });
    const theirs = await invite({
      email,
      by: { token: tokenFrom(await signInFrom(service, globex.owner)) },
    });
    const answers = await Promise.all([ours, theirs].map(({ token }) => accept({ token, ...NEW_PERSON })));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const loser = answers.findIndex(({ status }) => status === 409);
    if (loser >= 0) {
      const again = await accept({
        token: [ours, theirs][loser]!.token,
        password: NEW_PERSON.password,
      });
      expect(again.status).toBe(201);
    }
    const { body } = await signInFrom(service, { email, password: NEW_PERSON.password });
    expect(body.organizations).toHaveLength(2);
  });
});

describe('revoking an invitation', () => {
  it('200: is recorded once, and returns the same when repeated', async () => {
    const { email, id } = await invite({ by: { token: await ownerToken() } });
    const session = { session: await ownerToken() };
    const audit = await followAudit(service.db);
    const first = await service.call(revokeInvitation, { invitationId: id }, session);
    expect([first.status, typeof first.body.revokedAt]).toEqual([200, 'string']);
    const second = await service.call(revokeInvitation, { invitationId: id }, session);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await audit()).toMatchObject([
      { action: 'invitation.revoked', userId: acme.owner.userId, subjectId: id, subjectName: email },
    ]);
  });

  it('404: one of another organization, which keeps working', async () => {
    const theirs = await invite({
      by: { token: tokenFrom(await signInFrom(service, globex.owner)) },
    });
    const answer = await service.call(
      revokeInvitation,
      { invitationId: theirs.id },
      { session: await ownerToken() },
    );
    expect(answer.status).toBe(404);
    const look = await service.call(lookUpInvitation, { token: theirs.token }, 'nobody');
    expect(look.status).toBe(200);
  });

  it('409: one that was accepted', async () => {
    const session = { session: await ownerToken() };
    const { id, token } = await invite({ by: { token: session.session } });
    await accept({ token, ...NEW_PERSON });
    const answer = await service.call(revokeInvitation, { invitationId: id }, session);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  it('either succeeds or fails cleanly when the person accepts at the same time', async () => {
    const session = { session: await ownerToken() };
    for (let round = 0; round < 5; round += 1) {
      const { email, id, token } = await invite({ by: { token: session.session } });
      const [revoked, accepted] = await Promise.all([
        service.call(revokeInvitation, { invitationId: id }, session),
        accept({ token, ...NEW_PERSON }),
      ]);
      expect([
        [200, 404],
        [409, 201],
      ]).toContainEqual([revoked!.status, accepted!.status]);
      const users = await service.db.selectFrom('users').select('id').where('email', '=', email).execute();
      expect(users).toHaveLength(accepted!.status === 201 ? 1 : 0);
    }
  });
});

/** The clock has been moved past the life of the sessions that the service began with. */
async function ownerToken(): Promise<string> {
  return tokenFrom(await signInFrom(service, acme.owner));
}
