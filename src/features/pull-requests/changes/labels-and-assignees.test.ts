/** Labels and assignees of pull requests of plain git: who changes them, their limits, and two people at once. */
import { expect, it } from 'vitest';
import {
  makePullRequest,
  makeRepositoryRow,
  type PullRequestOptions,
} from '../../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { deletePerson } from '../../privacy/index.ts';

const service = await startTestService();
const { acme, clock, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const secret = await makeRepositoryRow(service, acme.id, { name: 'acme/secret', members: [member] });
const TOKEN = `ghp_${'aB3dE6gH9jK2'.repeat(3)}`;

async function open(options: PullRequestOptions = {}, repository = api) {
  const { id } = await makePullRequest(service, repository, { author: member, ...options });
  const path = `/api/v2/pull-requests/${id}`;
  const change = (what: 'labels' | 'assignees', body: object, person: Person = member) =>
    service.request('PATCH', `${path}/${what}`, { as: withSession(person), body });
  const read = async () => (await service.request('GET', path, { as: withSession(member) })).body;
  const events = async () =>
    (await service.request('GET', `${path}/activity`, { as: withSession(viewer) })).body.events.map(
      ({ data, kind }: { data: object; kind: string }) => ({ kind, ...data }),
    );
  return { change, events, id, path, read };
}
const numbers = (length: number) => Array.from({ length }, (_, place) => String(place));
const labelsFor = async (person: Person, repositoryId?: string) => {
  const query = repositoryId ? `?repositoryId=${repositoryId}` : '';
  const reply = await service.request('GET', `/api/v2/pull-request-labels${query}`, {
    as: withSession(person),
  });
  return reply.body.labels;
};

it('keeps the labels that people add at the same time, each once, and says who changed which', async () => {
  const { change, events, read } = await open();
  const names = Array.from({ length: 8 }, (_, place) => `label ${place}`);
  const added = await Promise.all(
    names.map((name, place) => change('labels', { add: [name] }, [member, admin][place % 2])),
  );
  expect(added.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect((await read()).labels.toSorted()).toEqual(names);
  const [one, two] = await Promise.all([
    change('labels', { add: ['BUG', ' label  3 '], remove: ['Label 0'] }),
    change('labels', { add: ['bug'], remove: ['label 1'] }, admin),
  ]);
  expect([one.status, two.status]).toEqual([200, 200]);
  const { labels } = await read();
  expect(labels.map((label: string) => label.toLowerCase()).toSorted()).toEqual(['bug', ...names.slice(2)]);
  expect((await events())[0]).toMatchObject({ kind: 'pull_request_labels_changed' });
  expect(await events()).toHaveLength(11);
  await change('labels', { add: ['Label 2'], remove: ['none'] });
  expect(await events()).toHaveLength(11);
});

it('masks tokens, and refuses long labels, several lines and more than 20', async () => {
  const { change, read } = await open();
  const masked = await change('labels', { add: [TOKEN] });
  expect(masked.body.labels).toEqual(['ghp_…']);
  for (const wrong of [['x'.repeat(51)], ['a\nb'], [' '], ['\u200b'], ['\u202egnp'], numbers(21)])
    expect((await change('labels', { add: wrong })).status).toBe(400);
  expect((await change('labels', { add: numbers(19) })).body.labels).toHaveLength(20);
  expect((await change('labels', { add: ['one more'] })).body.errors).toMatchObject([{ path: 'add' }]);
  expect((await change('labels', { add: ['one more'], remove: ['0'] })).status).toBe(200);
  expect((await read()).labels).toHaveLength(20);
});

it('assigns members who see the repository, ten at most, in the order of assignment', async () => {
  const { change, events, read } = await open();
  const [one, two] = await Promise.all([
    change('assignees', { add: [admin.userId] }),
    change('assignees', { add: [owner.userId, owner.userId] }, admin),
  ]);
  expect([one.status, two.status]).toEqual([200, 200]);
  const both = [admin, owner].map(({ name, userId }) => ({ id: userId, name }));
  expect((await read()).assignees).toEqual(expect.arrayContaining(both));
  await change('assignees', { add: [admin.userId], remove: [owner.userId, member.userId] });
  expect((await read()).assignees).toEqual([both[0]]);
  expect((await events())[0]).toEqual({
    ...{ kind: 'pull_request_assignees_changed', userIds: [], removedIds: [owner.userId] },
  });
  expect((await change('assignees', { add: [globex.member.userId] })).body.errors).toMatchObject([
    { path: 'add[0]' },
  ]);
  const hidden = await open({}, secret);
  expect((await hidden.change('assignees', { add: [viewer.userId] })).status).toBe(400);
  const people: Person[] = [];
  for (let count = 1; count <= 10; count += 1) {
    const user = await makeUser(db, { name: `P ${count}`, email: `p${count}@acme.example` }, clock.now());
    people.push(await makePerson(db, acme.id, user, 'member', clock.now()));
  }
  const ids = people.map(({ userId }) => userId);
  expect((await change('assignees', { add: ids })).body.errors).toMatchObject([{ path: 'add' }]);
  const halves = await Promise.all([
    change('assignees', { add: ids.slice(0, 5) }),
    change('assignees', { add: ids.slice(5) }, admin),
  ]);
  expect(halves.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await read()).assignees).toHaveLength(6);

  const [leaving] = (await read()).assignees.filter((each: { id: string }) => ids.includes(each.id));
  const { email, name, userId } = people.find((each) => each.userId === leaving.id)!;
  await deletePerson(db, { id: userId, name, email }, clock.now());
  expect((await read()).assignees).toHaveLength(5);
});

it('is for members with a session, and not for pull requests of a code host', async () => {
  const plain = await open();
  const host = await open({ origin: 'host', labels: ['theirs'], url: 'https://host.example/1' });
  for (const [what, body] of [
    ['labels', { add: ['x'] }],
    ['assignees', { add: [admin.userId] }],
  ] as const) {
    expect((await plain.change(what, body, viewer)).status).toBe(403);
    expect((await plain.change(what, body, globex.owner)).status).toBe(404);
    const byKey = await service.request('PATCH', `${plain.path}/${what}`, { as: withKey(member), body });
    expect(byKey.status).toBe(403);
    const refused = await host.change(what, body);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('https://host.example/1'),
    ]);
  }
  expect((await host.read()).labels).toEqual(['theirs']);
});

it('suggests the labels of the repositories that the caller sees, most used first', async () => {
  const quiet = await makeRepositoryRow(service, acme.id, { name: 'acme/quiet' });
  await open({ labels: ['rare', 'often'] }, quiet);
  await open({ labels: ['often'], state: 'merged' }, quiet);
  await open({ labels: ['secret plan'] }, secret);
  const foreign = await makeRepositoryRow(service, globex.id, { name: 'globex/api' });
  await makePullRequest(service, foreign, { author: globex.member, labels: ['theirs alone'] });
  expect(await labelsFor(viewer, quiet.id)).toEqual(['often', 'rare']);
  const { change } = await open({}, quiet);
  expect((await change('labels', { add: ['OFTEN', '👩‍💻 pair'] })).body.labels).toEqual([
    'often',
    '👩‍💻 pair',
  ]);
  expect(await labelsFor(viewer)).not.toContain('secret plan');
  expect(await labelsFor(viewer, secret.id)).toEqual([]);
  expect(await labelsFor(member)).toContain('secret plan');
  expect(await labelsFor(admin)).not.toContain('theirs alone');
});
