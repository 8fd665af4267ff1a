/** Custom reviewers: creating, editing, versions, who may, and GET /api/v2/reviewer/reviewers. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makeDiscussion } from '../../../../test/helpers/rows/discussions.ts';
import { makePullRequest, makeRepositoryRow } from '../../../../test/helpers/rows/pull-requests.ts';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import {
  type Credential,
  startTestService,
  withKey,
  withSession,
} from '../../../../test/helpers/service/harness.ts';
import { BUILT_IN_REVIEWERS } from '../built-in-reviewers.ts';
import { selectActiveReviewers } from '../store/active-reviewer-store.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;
const asAdmin = withSession(acme.admin);

let count = 0;
const titleFor = (word: string) => {
  count += 1;
  return `${word} ${count}`;
};
const create = async (given: object = {}, as: Credential = asAdmin) =>
  service.request('POST', '/api/v2/reviewers', {
    as,
    body: { title: titleFor('Reviewer'), kind: 'instructions', body: 'Look closely.', ...given },
  });
const list = async (query = '', as: Credential = withKey(acme.viewer)) => {
  const answer = await service.request('GET', `/api/v2/reviewer/reviewers${query}`, { as });
  expect(answer.status).toBe(200);
  return answer.body.reviewers as {
    id: string;
    title: string;
    enabled: boolean;
    needsModel: boolean;
    canEdit: boolean;
    scopes: unknown;
    discussions: { id: string }[];
  }[];
};
const titlesOf = (reviewers: { title: string }[]) => reviewers.map(({ title }) => title);
const call = (method: string, path: string, body?: object, as: Credential = asAdmin) =>
  service.request(method, `/api/v2/reviewers/${path}`, { as, ...(body && { body }) });

describe('GET /api/v2/reviewer/reviewers', () => {
  it('has all ten built-in reviewers, enabled, for every repository, and nobody edits them', async () => {
    const reviewers = await list('', withKey(globex.owner));
    expect(titlesOf(reviewers)).toEqual(
      Object.values(BUILT_IN_REVIEWERS)
        .map(({ title }) => title)
        .sort(),
    );
    for (const reviewer of reviewers) {
      expect(Object.keys(reviewer).sort()).toEqual(
        ['activeVersion', 'canEdit', 'createdAt', 'description', 'discussions', 'enabled', 'id'].concat([
          ...['needsModel', 'scopes', 'title', 'updatedAt'],
        ]),
      );
      expect(reviewer).toMatchObject({
        enabled: true,
        activeVersion: 1,
        canEdit: false,
        discussions: [],
        scopes: [{ repoId: null, repoName: null, paths: [] }],
      });
    }
  });

  it('says which find nothing until a model is set up', async () => {
    const as = withKey(globex.owner);
    const waiting = async () => titlesOf((await list('', as)).filter(({ needsModel }) => needsModel));
    await create(
      { title: 'Read by a model', kind: 'instructions', body: 'Look.' },
      withSession(globex.owner),
    );
    expect(await waiting()).toEqual(['Error Handling', 'Type Inconsistencies', 'Read by a model']);
    await service.db
      .insertInto('model_settings')
      .values({
        ...{ organization_id: globex.id, updated_by: globex.owner.userId, updated_at: new Date() },
        finding: JSON.stringify({ provider: 'openai', baseUrl: 'https://m.test/v1', model: 'm' }) as never,
        ...{ run_tokens: 1, pull_request_tokens: 1, month_tokens: 1 },
      })
      .execute();
    expect(await waiting()).toEqual([]);
  });

  it('has custom ones after built-in ones, by title in any case', async () => {
    for (const title of ['beta checks', 'Alpha checks', 'Zeta checks']) await create({ title });
    const titles = titlesOf(await list()).filter((title) => /checks|Secrets/.test(title));
    expect(titles).toEqual(['Secrets', 'Alpha checks', 'beta checks', 'Zeta checks']);
  });

  it('filters by enabled in every form, and rejects others', async () => {
    const { body: off } = await create({ enabled: false });
    for (const value of ['false', '0', 'FALSE', 'False'])
      expect((await list(`?enabled=${value}`)).map(({ id }) => id)).toContain(off.id);
    for (const value of ['true', '1', 'TRUE', 'tRue'])
      expect((await list(`?enabled=${value}`)).every(({ enabled }) => enabled)).toBe(true);
    expect((await list('?enabled=')).length).toBe((await list()).length);
    for (const value of ['yes', '2', 'null', 'true%20'])
      expect(
        (
          await service.request('GET', `/api/v2/reviewer/reviewers?enabled=${value}`, {
            as: withKey(acme.viewer),
          })
        ).status,
      ).toBe(400);
  });

  it('filters by repository: everywhere, or named in a scope; unknown is 404, ambiguous 400', async () => {
    const one = await makeRepositoryRow(service, acme.id, { name: 'acme/one' });
    const other = await makeRepositoryRow(service, acme.id, { name: 'acme/other' });
    await makeRepositoryRow(service, acme.id, { name: 'fork/one' });
    const { body: everywhere } = await create();
    const { body: only } = await create({ scopes: [{ repoId: one.id, paths: ['src/**'] }] });
    const idsFor = async (name: string) => (await list(`?repoName=${name}`)).map(({ id }) => id);
    expect(await idsFor('ACME/one')).toEqual(expect.arrayContaining([everywhere.id, only.id]));
    expect(await idsFor('other')).toContain(everywhere.id);
    expect(await idsFor(other.name)).not.toContain(only.id);
    const ask = (name: string) =>
      service.request('GET', `/api/v2/reviewer/reviewers?repoName=${name}`, { as: withKey(acme.viewer) });
    expect((await ask('nothing')).body.code).toBe('not_found');
    const ambiguous = await ask('one');
    expect([ambiguous.status, ambiguous.body.code]).toEqual([400, 'ambiguous_repository']);
    expect(ambiguous.body.candidates).toEqual(['acme/one', 'fork/one']);
  });

  it('shows neither scopes nor discussions of repositories that the caller can’t see', async () => {
    const hidden = await makeRepositoryRow(service, acme.id, { name: 'acme/hidden', members: [acme.member] });
    const shared = await makeRepositoryRow(service, acme.id, { name: 'acme/shared' });
    const { body } = await create({
      scopes: [{ repoId: hidden.id }, { repoId: shared.id, paths: ['a', 'a'] }],
    });
    const author = {
      kind: 'reviewer' as const,
      userId: null,
      accountId: null,
      name: 'x',
      reviewerId: body.id,
    };
    const newest: string[] = [];
    for (const [index, repository] of [hidden, shared, hidden].entries()) {
      const { id: pullRequestId } = await makePullRequest(service, repository);
      for (let number = 0; number < 7; number += 1) {
        const at = new Date(Date.UTC(2026, 0, 1 + index, number));
        const ids = { organizationId: acme.id, repositoryId: repository.id, pullRequestId };
        newest.unshift(await makeDiscussion(db, { ...ids, author, at, startLine: 3, endLine: 4 }));
      }
    }
    const seenBy = async (person: typeof acme.member) =>
      (await list('', withKey(person))).find(({ id }) => id === body.id)!;
    const [member, viewer] = [await seenBy(acme.member), await seenBy(acme.viewer)];
    expect(member.scopes).toEqual([
      { repoId: hidden.id, repoName: 'acme/hidden', paths: [] },
      { repoId: shared.id, repoName: 'acme/shared', paths: ['a'] },
    ]);
    expect(member.discussions.map(({ id }) => id)).toEqual(newest.slice(0, 10));
    expect(viewer.scopes).toEqual([{ repoId: shared.id, repoName: 'acme/shared', paths: ['a'] }]);
    expect(viewer.discussions.map(({ id }) => id)).toEqual(newest.slice(7, 14));
    expect(viewer.discussions[0]).toEqual({
      id: newest[7],
      repoName: 'acme/shared',
      prNumber: 1,
      file: 'src/a.ts',
      startLine: 3,
      status: 'open',
      createdAt: '2026-01-02T06:00:00.000Z',
    });
  });
});

it('a discussion shows the current title of the reviewer, as the author of its comments too', async () => {
  const repository = await makeRepositoryRow(service, acme.id, { name: 'acme/titled' });
  const { id: pullRequestId } = await makePullRequest(service, repository, { headBranch: 'titled' });
  const { body } = await create({ title: 'Before' });
  const author = {
    kind: 'reviewer' as const,
    userId: null,
    accountId: null,
    name: 'Before',
    reviewerId: body.id,
  };
  await makeDiscussion(db, { organizationId: acme.id, repositoryId: repository.id, pullRequestId, author });
  const renamed = { title: 'After', kind: 'instructions', body: 'x' };
  expect((await call('POST', `${body.id}/versions`, renamed)).status).toBe(201);
  const shown = async () =>
    (
      await service.request('GET', '/api/v2/discussions/by-branch?repository=acme/titled&branch=titled', {
        as: withKey(acme.viewer),
      })
    ).body[0];
  expect(await shown()).toMatchObject({ reviewerTitle: 'After', comments: [{ author: 'After' }] });
  expect((await call('DELETE', body.id)).status).toBe(204);
  expect(await shown()).toMatchObject({ reviewerTitle: 'After', comments: [{ author: 'After' }] });
  const onPage = await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/discussions`, {
    as: withSession(acme.viewer),
  });
  expect(onPage.body.discussions[0].author).toMatchObject({ kind: 'reviewer', name: 'After' });
});

describe('versions', () => {
  it('every edit is a version; any can be activated and read', async () => {
    const title = titleFor('Versions');
    const { body: first } = await create({ title, description: 'One', body: 'First' });
    expect(first).toMatchObject({ activeVersion: 1, newestVersion: 1, body: 'First', kind: 'instructions' });
    const edit = { title: `${title}!`, kind: 'instructions', body: 'Second', baseVersion: 1 };
    const second = await call('POST', `${first.id}/versions`, edit);
    expect(second.status).toBe(201);
    expect(second.body).toMatchObject({
      activeVersion: 2,
      newestVersion: 2,
      title: `${title}!`,
      description: '',
    });
    const back = await call('POST', `${first.id}/activate`, { version: 1 });
    expect(back.body).toMatchObject({ activeVersion: 1, newestVersion: 2, title, body: 'First' });
    const { body: versions } = await call('GET', `${first.id}/versions`);
    expect(versions).toMatchObject({
      versions: [
        { version: 2, isActive: false, title: `${title}!`, createdBy: { name: 'Acme admin' } },
        { version: 1, isActive: true, title },
      ],
      nextCursor: null,
    });
    const page = (await call('GET', `${first.id}/versions?limit=1`)).body;
    const { body: rest } = await call('GET', `${first.id}/versions?limit=1&cursor=${page.nextCursor}`);
    expect([page.versions[0].version, rest.versions[0].version, rest.nextCursor]).toEqual([2, 1, null]);
    expect((await call('GET', `${first.id}/versions/2`)).body).toMatchObject({
      version: 2,
      body: 'Second',
      scopes: [{ repoId: null, repoName: null, paths: [] }],
    });
    for (const version of [3, 1000])
      expect((await call('GET', `${first.id}/versions/${version}`)).status).toBe(404);
    expect((await call('POST', `${first.id}/activate`, { version: 3 })).status).toBe(404);
  });

  it('a version based on an older one is refused; of two at once one is saved', async () => {
    const { body } = await create();
    const save = (text: string) =>
      call('POST', `${body.id}/versions`, {
        title: body.title,
        kind: 'instructions',
        body: text,
        baseVersion: 1,
      });
    const statuses = (await Promise.all([save('a'), save('b')])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
    expect((await save('c')).body.detail).toContain('version 2');
  });

  it('titles are unique in any case, also of built-in and of activated versions, and free after deletion', async () => {
    const [one, other] = [titleFor('Unique'), titleFor('Unique')];
    const { body: first } = await create({ title: one });
    expect((await create({ title: one.toUpperCase() })).status).toBe(409);
    expect((await create({ title: 'secrets' })).status).toBe(409);
    const renamed = { title: other, kind: 'instructions', body: 'x' };
    await call('POST', `${first.id}/versions`, renamed);
    const { body: second } = await create({ title: one });
    expect((await call('POST', `${first.id}/activate`, { version: 1 })).status).toBe(409);
    await call('DELETE', second.id);
    expect((await call('POST', `${first.id}/activate`, { version: 1 })).status).toBe(200);
    expect((await call('GET', second.id)).status).toBe(404);
  });
});

describe('what is refused', () => {
  it('rules with mistakes, with their line and column', async () => {
    const { body, status } = await create({
      kind: 'rules',
      body: 'id: a\nlanguage: nope\nrule: {kind: x}\n',
    });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'body', message: 'line 2, column 11: nope is not a language of ast-grep' }],
    ]);
    const refused = await create({
      kind: 'rules',
      body: 'id: a\nlanguage: go\nrule: {kind: identifier}\n---\nid: b\nlanguage: go\nrule:\n  any:\n    - kind: no_such_kind\n',
    });
    expect(refused.body.errors).toEqual([
      { path: 'body', message: 'line 9, column 13: ast-grep: Kind `no_such_kind` is invalid' },
    ]);
    const good = await create({ kind: 'rules', body: 'id: a\nlanguage: go\nrule: {kind: identifier}\n' });
    expect([good.status, good.body.kind]).toEqual([201, 'rules']);
  });

  it('unknown repositories, repeated scopes and globs that are none', async () => {
    const mine = await makeRepositoryRow(service, acme.id);
    const theirs = await makeRepositoryRow(service, globex.id);
    const { body } = await create({
      scopes: [{ repoId: mine.id }, { repoId: mine.id }, { repoId: theirs.id }, {}, { paths: [] }],
    });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'scopes[1].repoId',
      'scopes[2].repoId',
      'scopes[4].repoId',
    ]);
    const globs = await create({ title: ' ', scopes: [{ paths: ['[b-a]'] }], kind: 'other' });
    expect(globs.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'kind',
      'scopes[0].paths[0]',
      'title',
    ]);
  });
});

describe('who may', () => {
  it('admins create and edit all; members edit what they created; viewers nothing; built-in ones are only switched', async () => {
    expect((await create({}, withSession(acme.member))).status).toBe(403);
    const user = await makeUser(db, { name: 'Eve', email: 'eve@acme.example' }, clock.now());
    const creator = await makePerson(db, acme.id, user, 'admin', clock.now());
    const { body: own } = await create({}, withSession(creator));
    const demote = (role: 'member' | 'viewer') =>
      db.updateTable('memberships').set({ role }).where('user_id', '=', creator.userId).execute();
    await demote('member');
    const edit = { title: own.title, kind: 'instructions', body: 'Mine' };
    const canEdit = async (id: string) =>
      (await list('', withKey(creator))).find((each) => each.id === id)!.canEdit;
    expect(await canEdit(own.id)).toBe(true);
    expect((await call('POST', `${own.id}/versions`, edit, withSession(creator))).status).toBe(201);
    expect((await call('PATCH', own.id, { enabled: false }, withSession(creator))).body.enabled).toBe(false);
    expect((await call('POST', `${own.id}/versions`, edit, withSession(acme.member))).status).toBe(403);
    await demote('viewer');
    expect(await canEdit(own.id)).toBe(false);
    expect((await call('POST', `${own.id}/versions`, edit, withSession(creator))).status).toBe(403);

    const secrets = (await list()).find(({ title }) => title === 'Secrets')!;
    expect((await call('POST', `${secrets.id}/versions`, edit)).status).toBe(403);
    expect((await call('DELETE', secrets.id)).status).toBe(403);
    expect((await call('PATCH', secrets.id, { enabled: false }, withSession(acme.member))).status).toBe(403);
    const off = await call('PATCH', secrets.id, { enabled: false });
    expect(off.body).toMatchObject({
      enabled: false,
      canEdit: false,
      canSwitch: true,
      builtIn: { key: 'secrets' },
      kind: null,
      body: null,
    });
    await call('PATCH', secrets.id, { enabled: true });
    const actions = await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', 'in', [own.id, secrets.id])
      .orderBy('created_at')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual([
      ...[
        'reviewer.created',
        'reviewer.changed',
        'reviewer.switched',
        'reviewer.switched',
        'reviewer.switched',
      ],
    ]);
  });

  it('admins switch optional checks of built-in reviewers on, and reviews then run them', async () => {
    const drift = (await list()).find(({ title }) => title === 'Documentation Drift')!;
    const name = 'unset_environment_variable';
    const isOn = (body: { builtIn: { optionalChecks: { name: string; isOn: boolean }[] } }) =>
      body.builtIn.optionalChecks.find((each) => each.name === name)?.isOn;
    expect(isOn((await call('GET', drift.id)).body)).toBe(false);
    expect((await call('PATCH', drift.id, { switchedOn: [name] }, withSession(acme.member))).status).toBe(
      403,
    );
    const unknown = await call('PATCH', drift.id, { switchedOn: ['named_path_gone'] });
    expect(unknown.status).toBe(400);
    expect(JSON.stringify(unknown.body)).toContain(`its optional checks are documented_but_removed, ${name}`);
    const { body } = await call('PATCH', drift.id, { switchedOn: [name] });
    expect([isOn(body), body.enabled]).toEqual([true, true]);
    const { id: repositoryId } = await makeRepositoryRow(service, acme.id);
    const active = await selectActiveReviewers(db, { organizationId: acme.id, repositoryId });
    expect(active.flatMap(({ switched_on }) => switched_on)).toEqual([name]);
    expect(isOn((await call('PATCH', drift.id, { switchedOn: [] })).body)).toBe(false);
  });

  it('an editor keeps the scopes that they can’t see', async () => {
    const hidden = await makeRepositoryRow(service, acme.id, { members: [] });
    const shared = await makeRepositoryRow(service, acme.id);
    const { body } = await create({ scopes: [{ repoId: hidden.id, paths: ['x'] }] });
    await db
      .updateTable('reviewers')
      .set({ created_by: acme.member.userId })
      .where('id', '=', body.id)
      .execute();
    const edit = { title: body.title, kind: 'instructions', body: 'x', scopes: [{ repoId: shared.id }] };
    const saved = await call('POST', `${body.id}/versions`, edit, withSession(acme.member));
    expect(saved.body.scopes).toMatchObject([{ repoId: shared.id }]);
    expect((await call('GET', body.id)).body.scopes).toMatchObject([
      { repoId: shared.id, paths: [] },
      { repoId: hidden.id, paths: ['x'] },
    ]);
  });

  it('a reviewer of another organization is not found', async () => {
    const { body } = await create();
    for (const id of [body.id, randomUUID()])
      expect((await call('GET', id, undefined, withSession(globex.owner))).status).toBe(404);
  });
});

it('a reviewer whose repositories were removed applies nowhere', async () => {
  const gone = await makeRepositoryRow(service, acme.id);
  const { body } = await create({ scopes: [{ repoId: gone.id }] });
  await db.deleteFrom('repositories').where('id', '=', gone.id).execute();
  expect((await call('GET', body.id)).body.scopes).toEqual([]);
  const other = await makeRepositoryRow(service, acme.id, { name: 'acme/nowhere' });
  expect((await list(`?repoName=${other.name}`)).map(({ id }) => id)).not.toContain(body.id);
});

it('previews the files that globs match on the default branch', async () => {
  const repository = await addRepository(service, {
    'src/a.ts': '',
    'src/b.js': '',
    'docs/{x': '',
    'README.md': '',
  });
  const preview = (paths: string[], repositoryId = repository.id) =>
    call('POST', 'preview-files', { repositoryId, paths });
  expect((await preview([])).body).toEqual({
    items: ['README.md', 'docs/{x', 'src/a.ts', 'src/b.js'],
    total: 4,
    truncated: false,
  });
  expect((await preview(['*.ts', '{x', '/README.md'])).body.items).toEqual([
    'README.md',
    'docs/{x',
    'src/a.ts',
  ]);
  expect((await preview(['[b-a]'])).status).toBe(400);
  expect((await preview([], randomUUID())).status).toBe(404);
  const empty = await makeRepositoryRow(service, acme.id);
  expect((await preview([], empty.id)).body.code).toBe('repository_not_ready');
});

it('previews where rules match, in scope and with the position of a mistake', async () => {
  const repository = await addRepository(service, {
    'src/a.ts': 'const a = 1;\n  console.log(a);\n',
    'lib/b.ts': 'console.log(2);\n',
    'c.py': 'console.log(3)\n',
  });
  const preview = (rules: string, paths: string[] = []) =>
    call('POST', 'preview-matches', { repositoryId: repository.id, rules, paths });
  const rule = 'id: no-console\nlanguage: TypeScript\nrule:\n  pattern: console.log($A)\n';
  expect((await preview(rule)).body).toEqual({
    matches: [
      { path: 'lib/b.ts', line: 1, ruleId: 'no-console', quote: 'console.log(2);' },
      { path: 'src/a.ts', line: 2, ruleId: 'no-console', quote: 'console.log(a);' },
    ],
    ...{ total: 2, scannedFiles: 2, moreFiles: 0 },
  });
  expect((await preview(rule, ['src/**'])).body).toMatchObject({ total: 1, scannedFiles: 1 });
  const broken = await preview(rule.replace('TypeScript', 'Cobol'));
  expect(broken.status).toBe(400);
  expect(broken.body.errors[0]).toMatchObject({
    path: 'rules',
    message: expect.stringContaining('line 2, column 11'),
  });
});
