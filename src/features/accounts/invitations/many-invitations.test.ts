/** Inviting many people at once and by a link for a domain, with their mails through a real mail server. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { BEHIND_PROXY, freshAddress } from '../../../../test/helpers/service/sign-in-requests.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { changeMember } from '../members/change-member.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { createInvitationLink } from './create-invitation-link.ts';
import { inviteMembers } from './invite-members.ts';
import { listInvitationLinks } from './list-invitation-links.ts';
import { listInvitations } from './list-invitations.ts';
import { lookUpInvitationLink } from './look-up-invitation-link.ts';
import { requestInvitation } from './request-invitation.ts';
import { revokeInvitationLink } from './revoke-invitation-link.ts';
import { sendInvitationMails } from './send-invitation-mails.ts';

const mails: { to: string; text: string }[] = [];
let refuse: number | undefined;
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (refuse) return done(Object.assign(new Error('no'), { responseCode: refuse }));
      const text = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      mails.push({ to: session.envelope.rcptTo[0]!.address, text });
      done();
    });
  },
});
await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', () => done()));
const { port } = smtp.server.address() as AddressInfo;
const service = await startTestService({
  settings: { ...BEHIND_PROXY, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'bot@review.example' },
});
const { acme, clock, db, globex } = service;
afterAll(() => new Promise<void>((done) => smtp.close(() => done())));
beforeEach(() => {
  mails.length = 0;
  refuse = undefined;
});

const mail = { host: '127.0.0.1', port, secure: false, credentials: undefined, from: 'bot@review.example' };
const log = createLog({ level: 'silent', terminal: false });
const send = (secrets = testSecrets) =>
  sendInvitationMails({ db, mail, clock, log, secrets, baseUrl: () => service.url }, clock.now());

const invite = (emails: string[], role = 'member', by: Person = acme.admin) =>
  service.call(inviteMembers, { emails, role }, withSession(by));
const listed = async (by: Person = acme.admin) =>
  (await service.call(listInvitations, { limit: 200 }, withSession(by))).body.invitations;
const tokenIn = (text: string) => /#token=([\w-]+)/.exec(text)![1]!;
const join = (token: string) =>
  service.call(acceptInvitation, { token, name: 'Grace', password: 'a password of hers' }, 'nobody');

describe('many at once', () => {
  it('lists every problem and then invites nobody', async () => {
    const answer = await invite(['ada@acme.example', 'nobody', 'bo@acme.example', '@x']);
    expect([answer.status, answer.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['emails[1]', 'emails[3]'],
    ]);
    expect(await listed()).toEqual([]);
    expect((await invite(['x@acme.example'], 'owner')).status).toBe(403);
    expect((await invite(['x@acme.example'], 'member', acme.member)).status).toBe(403);
  });

  it('invites each person once, however often and by however many admins, and mails the link', async () => {
    const emails = ['Ada@Acme.Example', 'ada@acme.example', 'bo@acme.example', acme.viewer.email];
    const both = await Promise.all([invite(emails), invite(emails, 'viewer', acme.owner)]);
    const outcomes = both.map(({ body }) =>
      body.people.map((each: { email: string; outcome: string }) => [each.email, each.outcome]),
    );
    const [first, second] = outcomes[0]![0]![1] === 'invited' ? [0, 1] : [1, 0];
    expect(outcomes[first]).toEqual([
      ['ada@acme.example', 'invited'],
      ['bo@acme.example', 'invited'],
      [acme.viewer.email, 'already_member'],
    ]);
    expect(outcomes[second]!.map(([, outcome]: string[]) => outcome)).toEqual([
      ...['already_invited', 'already_invited', 'already_member'],
    ]);
    const links = both[first]!.body.people.map(({ link }: { link: string | null }) => link);
    expect(both[second]!.body.people.every(({ link }: { link: string | null }) => link === null)).toBe(true);
    expect((await listed()).map((each: { mail: string }) => each.mail)).toEqual(['pending', 'pending']);
    await Promise.all([send(), send()]);
    expect(mails.map(({ to }) => to).sort()).toEqual(['ada@acme.example', 'bo@acme.example']);
    expect(mails.map(({ text }) => tokenIn(text)).sort()).toEqual(
      links
        .slice(0, 2)
        .map((link: string) => tokenIn(link))
        .sort(),
    );
    expect((await listed()).map((each: { mail: string }) => each.mail)).toEqual(['sent', 'sent']);
    expect((await join(tokenIn(mails[0]!.text))).status).toBe(201);
  });

  it('tries again when the mail server is busy, gives up when it refuses, and never mails what was revoked', async () => {
    await invite(['busy@acme.example']);
    refuse = 451;
    await send();
    const [row] = await listed();
    expect(row).toMatchObject({ email: 'busy@acme.example', mail: 'pending' });
    clock.advance(60 * 60 * 1000);
    refuse = 550;
    await send();
    expect((await listed())[0].mail).toBe('failed');
    await invite(['other@acme.example']);
    await db.updateTable('invitations').set({ revoked_at: clock.now() }).execute();
    refuse = undefined;
    await send();
    expect(mails).toEqual([]);
    await invite(['after@acme.example']);
    await send({ ...testSecrets, derive: () => Buffer.alloc(32) });
    expect((await listed())[0].mail, 'its link can’t be written with another secret').toBe('failed');
  });
});

describe('a link for a domain', () => {
  const create = (input: Record<string, unknown>, by: Person = acme.admin) =>
    service.call(createInvitationLink, input, withSession(by));
  const ask = (token: string, email: string, address = freshAddress()) =>
    service.request('POST', requestInvitation.http.path, {
      body: { token, email },
      headers: { 'x-forwarded-for': address },
    });
  const links = async (by: Person = acme.admin) =>
    (await service.call(listInvitationLinks, {}, withSession(by))).body.invitationLinks;

  it('invites an address at the domain by mail alone, counted and recorded', async () => {
    const audit = await followAudit(db);
    const made = await create({ domain: '@Acme.Example', maxUses: 2, days: 3 });
    expect(made.status).toBe(201);
    const token = tokenIn(made.body.link);
    const { id } = made.body.invitationLink;
    expect(made.body.invitationLink).toMatchObject({
      domain: 'acme.example',
      role: 'member',
      uses: 0,
      joined: 0,
    });
    expect((await service.call(lookUpInvitationLink, { token }, 'nobody')).body).toEqual({
      ...{ organizationId: acme.id, organizationName: 'Acme', domain: 'acme.example', role: 'member' },
    });
    for (const foreign of ['eve@evil.example', 'eve@sub.acme.example', 'eve@notacme.example'])
      expect((await ask(token, foreign)).status).toBe(400);
    const answer = await ask(token, 'New@acme.example');
    expect([answer.status, answer.body]).toEqual([200, { email: 'new@acme.example' }]);
    expect(await ask(token, acme.viewer.email)).toMatchObject({
      status: 200,
      body: { email: acme.viewer.email },
    });
    expect((await ask(token, 'new@acme.example')).status).toBe(200);
    await send();
    expect(mails.map(({ to }) => to)).toEqual(['new@acme.example']);
    // The same invitation again, but not at once.
    clock.advance(11 * 60 * 1000);
    await ask(token, 'new@acme.example');
    await send();
    expect(mails.map(({ text }) => tokenIn(text))).toEqual([
      tokenIn(mails[0]!.text),
      tokenIn(mails[0]!.text),
    ]);
    expect((await join(tokenIn(mails[0]!.text))).body).toMatchObject({
      ...{ role: 'member', organization: { id: acme.id } },
    });
    const two = await Promise.all(['b', 'c', 'd'].map((name) => ask(token, `${name}@acme.example`)));
    expect(two.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await links()).find((each: { id: string }) => each.id === id)).toMatchObject({
      uses: 2,
      joined: 1,
    });
    const recorded = await audit();
    expect(recorded.slice(0, 2)).toMatchObject([
      { action: 'invitation_link.created', userId: acme.admin.userId, subjectName: 'acme.example' },
      { action: 'invitation.created', kind: 'anonymous', detail: { role: 'member', link: 'acme.example' } },
    ]);
  });

  it('ends when it is revoked or over, with the invitations that nobody accepted; other organizations see nothing', async () => {
    const made = await create({ domain: 'end.example', role: 'viewer', days: 1 });
    const token = tokenIn(made.body.link);
    const linkId = made.body.invitationLink.id;
    await ask(token, 'late@end.example');
    await send();
    const sent = mails.find(({ to }) => to === 'late@end.example')!;
    expect((await service.call(revokeInvitationLink, { linkId }, withSession(globex.admin))).status).toBe(
      404,
    );
    expect(await links(globex.admin)).toEqual([]);
    expect((await service.call(revokeInvitationLink, { linkId }, withSession(acme.member))).status).toBe(403);
    const revoked = await service.call(revokeInvitationLink, { linkId }, withSession(acme.admin));
    expect(revoked.body.revokedAt).not.toBeNull();
    for (const answer of [await ask(token, 'b@end.example'), await join(tokenIn(sent.text))])
      expect(answer.status).toBe(404);
    const short = await create({ domain: 'end.example', days: 1 });
    clock.advance(25 * 60 * 60 * 1000);
    expect((await ask(tokenIn(short.body.link), 'b@end.example')).status).toBe(404);
  });

  it('ends when who created it may invite nobody anymore', async () => {
    const now = clock.now();
    const user = await makeUser(db, { name: 'Former', email: 'former@acme.example' }, now);
    const former = await makePerson(db, acme.id, user, 'admin', now);
    const made = await create({ domain: 'former.example' }, former);
    await service.call(changeMember, { userId: former.userId, role: 'member' }, withSession(acme.owner));
    expect((await ask(tokenIn(made.body.link), 'a@former.example')).status).toBe(404);
  });

  it('gives no admin role, covers no domain that is open to everyone, and is limited like sign-in', async () => {
    expect((await create({ domain: 'acme.example', role: 'admin' })).status).toBe(400);
    expect((await create({ domain: 'gmail.com' })).body.errors[0].path).toBe('domain');
    expect((await create({ domain: 'nothing' })).status).toBe(400);
    expect((await create({ domain: 'acme.example' }, acme.member)).status).toBe(403);
    const token = tokenIn((await create({ domain: 'slow.example' })).body.link);
    const address = freshAddress();
    for (let count = 0; count < 10; count += 1) await ask(token, 'a@slow.example', address);
    expect((await ask(token, 'a@slow.example', address)).status).toBe(429);
  });
});

it('needs a mail server', async () => {
  const silent = await startTestService();
  const answer = await silent.call(
    createInvitationLink,
    { domain: 'a.example' },
    withSession(silent.acme.admin),
  );
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  const { body } = await silent.call(listInvitationLinks, {}, withSession(silent.acme.admin));
  expect(body.canCreate).toBe(false);
  const invited = await silent.call(
    inviteMembers,
    { emails: ['a@acme.example'], role: 'member' },
    withSession(silent.acme.admin),
  );
  expect(invited.body.people[0].invitation.mail).toBeNull();
});
