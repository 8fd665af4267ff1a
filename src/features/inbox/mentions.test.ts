/** Who is mentioned: by name, address or team, once for each text, and never in a repository that they can't see. */
import { expect, it } from 'vitest';
import { postPlan } from '../../../test/helpers/rows/plans.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { mailMaker } from '../mail/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { lockIdlePullRequests } from '../pull-requests/index.ts';
import { notifyPeople } from './index.ts';

const service = await startTestService();
const { acme, clock, db } = service;
const outboxes = [1, 2].map(() =>
  createEventOutbox({
    handlers: [notifyPeople, mailMaker],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: () => undefined,
    log: createLog({ level: 'silent', terminal: false }),
  }),
);
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const call = async (person: Person, method: 'POST' | 'PATCH' | 'GET', path: string, body?: object) => {
  const reply = await service.request(method, `/api/v2/${path}`, {
    as: withSession(person),
    ...(body && { body }),
  });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
};
const person = async (email: string) =>
  makePerson(db, acme.id, await makeUser(db, { name: email, email }, clock.now()), 'member', clock.now());
const [ada, bob, cyd, dan] = [
  await person('ada@acme.example'),
  await person('bob@acme.example'),
  await person('cyd@acme.example'),
  await person('dan@acme.example'),
];
await person('bob@other.example');
/** Since the last time. */
const told = async () => {
  await Promise.all(outboxes.map((outbox) => outbox.run(db, clock.now())));
  const items = await Promise.all(
    [ada, bob, cyd, dan].map(async (each) => {
      const { items: found } = await call(each, 'GET', 'inbox?unread=true');
      await call(each, 'POST', 'inbox/read', { all: true });
      return found.map(({ excerpt, kind }: { kind: string; excerpt: string }) => `${kind}: ${excerpt}`);
    }),
  );
  return { ada: items[0], bob: items[1], cyd: items[2], dan: items[3] };
};

it('in comments: by name, address or team, and after an edit only who is new in it', async () => {
  const { id } = await makePullRequest(service, api, { author: ada });
  await call(acme.admin, 'POST', 'teams', { name: 'core', userIds: [cyd.userId, dan.userId] });
  await told();
  // Two people have the name `bob`: only an address is clear.
  await call(acme.owner, 'POST', `pull-requests/${id}/comments`, { body: '@bob, @ada, `@cyd`' });
  expect(await told()).toEqual({ ada: ['mentioned: @bob, @ada, @cyd'], bob: [], cyd: [], dan: [] });
  await call(dan, 'POST', `pull-requests/${id}/comments`, { body: '@bob@acme.example and @Core' });
  const text = 'mentioned: @bob@acme.example and @Core';
  expect(await told()).toEqual({
    ada: ['comment: @bob@acme.example and @Core'],
    bob: [text],
    cyd: [text],
    dan: [],
  });

  const content = '# Plan\n\nAsk @dan.';
  const { seriesId, versionId } = (await postPlan(service, ada, { content })).body;
  expect(await told()).toMatchObject({ ada: [], dan: [expect.stringMatching(/^mentioned/)] });
  const comment = await call(ada, 'POST', `plans/${seriesId}/comments`, { body: 'Hi @cyd', versionId });
  expect(await told()).toMatchObject({ cyd: ['mentioned: Hi @cyd'], dan: [] });
  await call(ada, 'PATCH', `plans/${seriesId}/comments/${comment.id}`, { body: 'Hi @cyd and @dan' });
  expect(await told()).toMatchObject({ cyd: [], dan: ['mentioned: Hi @cyd and @dan'] });
});

it('in a repository that they can’t see: not at all, and it isn’t kept', async () => {
  const hidden = await makeRepositoryRow(service, acme.id, { name: 'acme/hidden' });
  await call(acme.admin, 'PATCH', `repositories/${hidden.id}`, {
    visibility: 'members',
    memberIds: [ada.userId],
  });
  const { id } = await makePullRequest(service, hidden, { author: ada });
  await told();
  await call(ada, 'POST', `pull-requests/${id}/comments`, { body: '@cyd, @dan' });
  expect(await told()).toMatchObject({ cyd: [], dan: [] });
  await call(acme.admin, 'PATCH', `repositories/${hidden.id}`, { memberIds: [ada.userId, dan.userId] });
  await call(dan, 'POST', `pull-requests/${id}/comments`, { body: '@ada, @cyd' });
  expect(await told()).toMatchObject({ ada: ['mentioned: @ada, @cyd'], cyd: [], dan: [] });
});

it('is mailed by the choice of each person', async () => {
  const { id } = await makePullRequest(service, api, { author: ada });
  await call(cyd, 'PATCH', 'mail-settings', { mentions: 'off' });
  await call(ada, 'POST', `pull-requests/${id}/comments`, { body: '@cyd and @dan' });
  const before = await db.selectFrom('mails').select('user_id').execute();
  await told();
  const mails = await db.selectFrom('mails').select('user_id').execute();
  expect(mails.slice(before.length).map(({ user_id }) => user_id)).toEqual([dan.userId]);
});
