/** Watching repositories and paths, with real git: what comes into the inboxes and mail of members and teams, once, and of whom nothing is told. */
import { expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { makePerson, makeUser, type Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import type { MailServer } from '../../platform/core/ports/mail-server.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { createEventOutbox } from '../events/index.ts';
import { notifyPeople } from '../inbox/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { createPlainGitFollower, lockIdlePullRequests } from '../pull-requests/index.ts';
import { pullRequestJobs } from '../pull-requests/jobs.ts';
import { notifyWatchers } from './notify-watchers.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
const { code } = service.mirrors;
const log = createLog({ level: 'silent', terminal: false });
const announce = () => undefined;
const follower = createPlainGitFollower({ code, announce, log });
const outbox = createEventOutbox({
  handlers: [notifyPeople],
  lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
  announce,
  log,
});
const owners = pullRequestJobs.find(({ name }) => name === 'read-owners')!;
if (!('run' in owners) || 'everyMs' in owners) throw new Error('Owners are read by a queued job.');
const readOwners = owners.run as unknown as (
  services: object,
  of: object,
  signal: AbortSignal,
) => Promise<void>;

const person = async (name: string): Promise<Person> => {
  const user = await makeUser(db, { name, email: `${name.toLowerCase()}@acme.example` }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
};
const [ada, bob, cyd, dan] = [
  await person('Ada'),
  await person('Bob'),
  await person('Cyd'),
  await person('Dan'),
];
const repository = await addRepository(service, { 'src/pay/a.ts': 'a\n'.repeat(20), 'docs/a.md': 'a\n' });
const root = await repository.git('rev-parse', 'main');
const watchPath = `/api/v2/repositories/${repository.id}/watch`;
const watch = (by: Person, body: object = {}) =>
  service.request('PUT', watchPath, { as: withSession(by), body });
const call = async (by: Person, method: 'POST' | 'PATCH', path: string, body: object) => {
  const reply = await service.request(method, `/api/v2/${path}`, { as: withSession(by), body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
};
const { id: teamId } = await call(acme.admin, 'POST', 'teams', {
  name: 'core',
  userIds: [cyd.userId, dan.userId],
});

/** As workers do, two at once. */
async function work(): Promise<void> {
  await repository.refresh();
  await follower.run(db, clock.now());
  const of = { organizationId: acme.id, repositoryId: repository.id };
  await readOwners({ db, code, log, announce, now: () => clock.now() }, of, new AbortController().signal);
  await outbox.run(db, clock.now());
  const services = { code, log, announce, mail: {} as MailServer };
  await Promise.all([notifyWatchers(db, clock.now(), services), notifyWatchers(db, clock.now(), services)]);
  clock.advance(60_000);
}
async function open(by: Person, branch: string, files: Record<string, string | null>, more: object = {}) {
  await repository.commit(files, { branch, from: root });
  await repository.refresh();
  const body = { repository: repository.fullName, head: branch, title: branch, ...more };
  const { id } = await call(by, 'POST', 'pull-requests', body);
  await work();
  return id as string;
}
const told = async (by: Person): Promise<string[]> => {
  const { body } = await service.request('GET', '/api/v2/inbox', { as: withSession(by) });
  return body.items.map(
    (item: { kind: string; actor: { name: string } | null; pullRequest: { title: string } }) =>
      `${item.kind} ${item.pullRequest.title} ${item.actor?.name}`,
  );
};
const itemsOfDan = () =>
  db.selectFrom('inbox_items').select('id').where('user_id', '=', dan.userId).execute();
const forget = () => db.deleteFrom('inbox_items').execute();

it('is off until someone chooses it: for themselves, for paths, or an admin for a team', async () => {
  const before = await open(ada, 'before', { 'src/pay/a.ts': 'b\n' });
  expect(await told(bob)).toEqual([]);
  expect((await service.request('GET', watchPath, { as: withSession(bob) })).body).toEqual({
    ...{ watching: false, paths: [], since: null, teams: [] },
  });
  expect((await watch(ada)).body).toMatchObject({ watching: true, paths: [] });
  expect((await watch(bob, { paths: ['src/pay/**', '*.sql', '*.sql'] })).body).toMatchObject({
    ...{ watching: true, paths: ['src/pay/**', '*.sql'] },
  });
  expect((await watch(bob, { paths: ['[z-a]'] })).status).toBe(400);
  expect((await watch(bob, { teamId })).status).toBe(403);
  expect((await watch(acme.admin, { teamId: repository.id })).status).toBe(404);
  expect((await watch(acme.admin, { teamId, paths: ['docs/'] })).body).toMatchObject({
    ...{ watching: false, teams: [{ id: teamId, name: 'core', isMember: false, paths: ['docs/'] }] },
  });
  const actions = await db.selectFrom('audit_events').select(['action', 'detail']).execute();
  expect(actions.filter(({ action }) => action === 'team.watching_changed')).toEqual([
    {
      action: 'team.watching_changed',
      detail: expect.objectContaining({ watching: true, paths: ['docs/'] }),
    },
  ]);
  const { body } = await service.request('GET', '/api/v2/watches', { as: withSession(cyd) });
  expect(body.watches).toMatchObject([
    { repository: { id: repository.id }, team: { id: teamId, name: 'core' }, paths: ['docs/'] },
  ]);
  // A pull request that was opened before is no news, but a push there is.
  await work();
  expect([...(await told(ada)), ...(await told(bob))]).toEqual([]);
  await repository.commit({ 'src/pay/a.ts': 'c\n' }, { branch: 'before' });
  await work();
  expect([await told(ada), await told(bob)]).toEqual([[], ['watched before Ada']]);
  expect(await told(acme.admin)).toEqual([]);
  expect(before).toBeTruthy();
});

it('brings each pull request once, when it is opened, ready, or first changes a watched path', async () => {
  await forget();
  const pay = await open(cyd, 'pay', { 'src/pay/b.ts': 'x\n' });
  expect([await told(ada), await told(bob), await told(dan)]).toEqual([
    ['watched pay Cyd'],
    ['watched pay Cyd'],
    [],
  ]);
  await repository.commit({ 'docs/b.md': 'x\n' }, { branch: 'pay' });
  await work();
  // The author is in the team, too.
  expect([await told(ada), await told(cyd), await told(dan)]).toEqual([
    ['watched pay Cyd'],
    [],
    ['team_watched pay Cyd'],
  ]);
  // A file that was moved away is a change of its path, too.
  await open(cyd, 'moved', { 'src/pay/a.ts': null, 'src/b.ts': 'a\n'.repeat(20) });
  expect(await told(bob)).toEqual(['watched moved Cyd', 'watched pay Cyd']);

  const draft = await open(cyd, 'draft', { 'src/pay/c.ts': 'x\n' }, { draft: true });
  expect((await told(bob)).length).toBe(2);
  await call(cyd, 'PATCH', `pull-requests/${draft}`, { state: 'open' });
  await work();
  expect((await told(bob))[0]).toBe('watched draft Cyd');
  await repository.commit({ 'src/pay/c.ts': 'y\n' }, { branch: 'draft' });
  await work();
  expect((await told(bob)).length).toBe(3);
  expect(pay).toBeTruthy();
});

it('says nothing more to whom it concerns anyway, who muted it, left, stopped, or can’t see it', async () => {
  await forget();
  await open(cyd, 'asked', { 'src/pay/d.ts': 'x\n' }, { reviewers: ['bob'] });
  expect(await told(bob)).toEqual(['review_requested asked Cyd']);
  expect(await told(ada)).toEqual(['watched asked Cyd']);
  await service.request('DELETE', watchPath, { as: withSession(ada) });
  const seenBy = { visibility: 'members', memberIds: [cyd.userId, bob.userId] };
  await call(acme.admin, 'PATCH', `repositories/${repository.id}`, seenBy);
  expect((await service.request('GET', watchPath, { as: withSession(dan) })).status).toBe(404);
  expect((await watch(globex.admin)).status).toBe(404);
  expect((await service.request('GET', '/api/v2/watches', { as: withSession(dan) })).body.watches).toEqual(
    [],
  );
  await open(cyd, 'hidden', { 'src/pay/e.ts': 'x\n', 'docs/c.md': 'x\n' });
  expect([await told(ada), await told(bob), await told(dan)]).toEqual([
    [],
    ['watched hidden Cyd', 'review_requested asked Cyd'],
    [],
  ]);
  expect(await itemsOfDan()).toEqual([]);
  await call(acme.admin, 'PATCH', `repositories/${repository.id}`, {
    visibility: 'organization',
    memberIds: [],
  });
  await db
    .updateTable('memberships')
    .set({ deactivated_at: clock.now() })
    .where('user_id', '=', dan.userId)
    .execute();
  await open(ada, 'left', { 'docs/d.md': 'x\n' });
  expect(await itemsOfDan()).toEqual([]);
  expect((await told(cyd))[0]).toBe('team_watched left Ada');

  // Muted before it touches what they watch.
  const muted = await open(ada, 'muted', { 'other.ts': 'x\n' });
  await call(bob, 'POST', `pull-requests/${muted}/mute`, {});
  await repository.commit({ 'src/pay/g.ts': 'x\n' }, { branch: 'muted' });
  await work();
  expect((await told(bob))[0]).toBe('watched hidden Cyd');
});

it('is mailed by the choice of each person, daily by default', async () => {
  await db.deleteFrom('mails').execute();
  await call(bob, 'PATCH', 'mail-settings', { watching: 'now' });
  await open(ada, 'mailed', { 'src/pay/f.ts': 'x\n', 'docs/e.md': 'x\n' });
  const mails = await db.selectFrom('mails').select(['user_id', 'digest']).orderBy('digest').execute();
  expect(mails).toEqual([
    { user_id: bob.userId, digest: false },
    { user_id: cyd.userId, digest: true },
  ]);
});

it('has its turn although the changes of a hundred others can’t be read', async () => {
  await forget();
  const id = await open(cyd, 'turn', { 'src/pay/h.ts': 'x\n' });
  expect(await told(bob)).toEqual(['watched turn Cyd']);
  await forget();
  await db.updateTable('pull_requests').set({ watched_head: null }).where('id', '=', id).execute();
  const { folded_head_owner: _, ...row } = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('title', '=', 'pay')
    .executeTakeFirstOrThrow();
  const others = Array.from({ length: 100 }, (_, index) => ({
    ...row,
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    number: 1000 + index,
    head_branch: `other-${index}`,
    watched_head: null,
  }));
  await db.insertInto('pull_requests').values(others).execute();
  const compare: typeof code.compare = (name, repositoryId, params, by) =>
    params.to === row.head_commit
      ? Promise.reject(new Error('The disk is gone.'))
      : code.compare(name, repositoryId, params, by);
  await notifyWatchers(db, clock.now(), { code: { compare }, log, announce });
  expect(await told(bob)).toEqual(['watched turn Cyd']);
});
