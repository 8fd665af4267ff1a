/** Mail to people, through a real mail server: who gets what and when, and that nothing is sent twice. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addComment, makePlan } from '../../../test/helpers/rows/plan-rows.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { changeMember } from '../accounts/members/change-member.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { notifyPeople } from '../inbox/index.ts';
import { markInboxRead } from '../inbox/mark-inbox-read.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { lockIdlePullRequests } from '../pull-requests/index.ts';
import { changeMailSettings } from './change-mail-settings.ts';
import { getMailSettings } from './get-mail-settings.ts';
import { mailMaker, sendDueMails } from './index.ts';
import { claimMail } from './mail-store.ts';
import { sendTestMail } from './send-test-mail.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

interface Mail {
  to: string[];
  source: string;
}
const received: Mail[] = [];
/** Decides how the server answers a message; it accepts if this is not set. */
let reply: ((socket: { destroy(): void }) => Error | undefined) | undefined;
const sockets = new Map<string, { destroy(): void }>();

function refusal(responseCode: number): Error {
  return Object.assign(new Error('no'), { responseCode });
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session: SMTPServerSession, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const problem = reply?.(sockets.get(String(session.remotePort))!);
      if (!problem) received.push({ to, source: Buffer.concat(chunks).toString('utf8') });
      done(problem);
    });
  },
});
smtp.server.on('connection', (socket: { remotePort?: number; destroy(): void }) =>
  sockets.set(String(socket.remotePort), socket),
);
await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', () => done()));
const { port } = smtp.server.address() as AddressInfo;
const service = await startTestService({
  settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Countersign <bot@review.example>' },
});
const { acme, clock, db, globex, url } = service;
afterAll(() => new Promise<void>((done) => smtp.close(() => done())));

const log = createLog({ level: 'silent', terminal: false });
const outbox = createEventOutbox({
  handlers: [notifyPeople, mailMaker],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce: () => undefined,
  log,
});
const server = { host: '127.0.0.1', port, secure: false, credentials: undefined, from: 'bot@review.example' };
const services = { db, mail: server, clock, log, secrets: testSecrets, baseUrl: () => url };
const send = () => sendDueMails(services, clock.now());
const handle = () => outbox.run(db, clock.now());
const deliver = async () => {
  await handle();
  await send();
};

let made = 0;
async function newPerson(organizationId = acme.id): Promise<Person & { email: string }> {
  made += 1;
  const email = `m${made}@acme.example`;
  const user = await makeUser(db, { name: `P ${made}`, email }, clock.now());
  const person = await makePerson(db, organizationId, user, 'viewer', clock.now());
  return { ...person, email };
}
const mailsTo = ({ email }: { email: string }) => received.filter(({ to }) => to.includes(email));
const states = async ({ userId }: Person) =>
  (await db.selectFrom('mails').select(['state', 'attempts']).where('user_id', '=', userId).execute()).map(
    ({ attempts, state }) => `${state} ${attempts}`,
  );
/** The long lines of a header are folded. */
const header = ({ source }: Mail, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim();
async function commented(body = 'Why not?', title = 'Move the <queue>') {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const plan = await makePlan(db, ada, { title });
  await addComment(db, plan, bob, { body });
  await handle();
  return { ada, bob, plan };
}

beforeEach(async () => {
  reply = undefined;
  await db.deleteFrom('mails').execute();
});

describe('a mail', () => {
  it('has a subject that no mail program decodes to something else', async () => {
    const { ada } = await commented('Why?', 'Title =?utf-8?q?=0D?=');
    await send();
    expect(header(mailsTo(ada)[0]!, 'Subject')).toBe('[Plan] Title = ?utf-8?q?=0D?=');
  });

  it('tells about an item at once, as text and HTML, in the thread of its plan', async () => {
    const { ada, bob, plan } = await commented('Why <job> **not**?');
    await send();
    const [mail] = mailsTo(ada) as [Mail];
    const { id } = await db
      .selectFrom('inbox_items')
      .select('id')
      .where('user_id', '=', ada.userId)
      .executeTakeFirstOrThrow();
    expect(header(mail, 'Message-ID')).toBe(`<item.${id}@127.0.0.1>`);
    expect(header(mail, 'References')).toBe(`<plan.${plan.seriesId}@127.0.0.1>`);
    expect(header(mail, 'Subject')).toBe('[Plan] Move the <queue>');
    expect(header(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(mail.source).toContain('text/plain');
    expect(mail.source).toContain('Why &lt;job&gt; not?');
    expect(mail.source).toContain(`${bob.name} commented`);
    await deliver();
    expect(mailsTo(ada)).toHaveLength(1);
    expect(mailsTo(bob)).toHaveLength(0);
  });

  it('comes once a day with all unread items, if the person prefers that', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    await service.call(changeMailSettings, { comments: 'daily' }, withSession(ada));
    const plans = [await makePlan(db, ada, { title: 'First' }), await makePlan(db, ada, { title: 'Second' })];
    for (const plan of plans) await addComment(db, plan, bob);
    await deliver();
    await addComment(db, plans[1]!, bob, { body: 'Third' });
    await deliver();
    expect(mailsTo(ada)).toHaveLength(0);
    expect(await states(ada)).toEqual(['pending 0']);
    clock.advance(24 * 3_600_000);
    await send();
    const [mail] = mailsTo(ada) as [Mail];
    expect(header(mail, 'Subject')).toMatch(/^Daily summary: 3 updates in /);
    expect(mail.source).toContain('[Plan] First');
    expect(mail.source).toContain('Third');
    await addComment(db, plans[0]!, bob);
    await deliver();
    expect(await states(ada)).toEqual(['sent 1', 'pending 0']);
  });

  it('is not sent about what was read, deleted or switched off, nor to someone who lost access', async () => {
    const read = await commented();
    await service.call(markInboxRead, { all: true }, withSession(read.ada));
    const deleted = await commented();
    await db.updateTable('plans').set({ status: 'deleted' }).where('id', '=', deleted.plan.id).execute();
    const off = await commented();
    await service.call(changeMailSettings, { comments: 'off' }, withSession(off.ada));
    const left = await commented();
    const deactivated = { userId: left.ada.userId, active: false };
    expect((await service.call(changeMember, deactivated, withSession(acme.admin))).status).toBe(200);
    await send();
    for (const { ada } of [read, deleted, off, left]) {
      expect(mailsTo(ada)).toHaveLength(0);
      expect(await states(ada)).toEqual(['skipped 1']);
    }
  });

  it('of one organization says nothing to a person in another', async () => {
    const stranger = await newPerson(globex.id);
    const { ada } = await commented();
    const { id } = await db
      .selectFrom('inbox_items')
      .select('id')
      .where('user_id', '=', ada.userId)
      .executeTakeFirstOrThrow();
    // Even if a row named someone else, nothing of the item would be found for them.
    await db.updateTable('mails').set({ user_id: stranger.userId }).where('id', '=', id).execute();
    await send();
    expect(mailsTo(stranger)).toHaveLength(0);
    expect(await states(stranger)).toEqual(['skipped 1']);
  });
});

describe('a failure', () => {
  it.each([
    [451, 'pending 1'],
    [554, 'failed 1'],
  ])('%i of the server is retried or not', async (code, state) => {
    reply = () => refusal(code);
    const { ada } = await commented();
    await send();
    expect(await states(ada)).toEqual([state]);
    reply = undefined;
    await send();
    expect(mailsTo(ada)).toHaveLength(0);
    clock.advance(60_000);
    await send();
    expect(mailsTo(ada)).toHaveLength(code === 451 ? 1 : 0);
  });

  it('to connect keeps mails for later, and ends after eight attempts', async () => {
    const { ada } = await commented();
    const unreachable = { ...services, mail: { ...server, port: 1 } };
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await sendDueMails(unreachable, clock.now());
      clock.advance(15 * 3_600_000);
    }
    expect(await states(ada)).toEqual(['failed 8']);
  });

  it('after the message was handed over is not repeated: the server may have it', async () => {
    reply = (socket) => {
      socket.destroy();
      return undefined;
    };
    const { ada } = await commented();
    await send();
    expect(await states(ada)).toEqual(['unclear 1']);
    reply = undefined;
    clock.advance(24 * 3_600_000);
    await send();
    expect(mailsTo(ada)).toHaveLength(1);
  });

  it('of the process between sending and recording is not repeated', async () => {
    const { ada } = await commented();
    // A killed process leaves a committed claim behind.
    expect(await claimMail(db, clock.now())).toMatchObject({ user_id: ada.userId });
    await send();
    clock.advance(6 * 60_000);
    await send();
    expect(await states(ada)).toEqual(['unclear 1']);
    expect(mailsTo(ada)).toHaveLength(0);
  });

  it('cannot be caused by two workers: each mail is sent once', async () => {
    const people = [await commented(), await commented(), await commented(), await commented()];
    await Promise.all([send(), send(), send()]);
    for (const { ada } of people) expect(mailsTo(ada)).toHaveLength(1);
  });
});

describe('unsubscribing', () => {
  const oneClick = (token: string) =>
    service.request('POST', `/api/v2/mail/unsubscribe/${token}`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const settingsOf = async (person: Person) =>
    (await service.call(getMailSettings, {}, withSession(person))).body;

  it('works with the link in the header, without signing in, for that person only', async () => {
    const { ada, bob } = await commented();
    await send();
    const [, link] = /<(.+)>/.exec(header(mailsTo(ada)[0]!, 'List-Unsubscribe')!)!;
    expect((await service.request('GET', link!.slice(url.length))).status).not.toBe(204);
    expect(await settingsOf(ada)).toMatchObject({ comments: 'now' });
    expect((await oneClick(link!.split('/').at(-1)!)).status).toBe(204);
    expect(await settingsOf(ada)).toMatchObject({ comments: 'off', replies: 'off', updates: 'off' });
    expect(await settingsOf(bob)).toMatchObject({ comments: 'now', updates: 'daily' });
  });

  it('refuses a token that was changed', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const token = Buffer.from(unsubscribeToken(testSecrets, ada), 'base64url');
    Buffer.from(bob.userId.replaceAll('-', ''), 'hex').copy(token, 16);
    for (const wrong of [token.toString('base64url'), 'x', 'A'.repeat(86)]) {
      expect((await oneClick(wrong)).status).toBe(404);
    }
    expect(await settingsOf(bob)).toMatchObject({ comments: 'now' });
  });
});

it('sends a test to oneself, and says what the server said if it fails', async () => {
  const ada = await newPerson();
  const sent = await service.call(sendTestMail, {}, withSession(ada));
  expect(sent).toMatchObject({ status: 200, body: { address: ada.email } });
  expect(mailsTo(ada)).toHaveLength(1);
  reply = () => refusal(550);
  expect(await service.call(sendTestMail, {}, withSession(ada))).toMatchObject({ status: 503 });
});
