/** Repositories over HTTP: adding, listing, changing and removing them, and access control. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makePerson, makeUser, type Person } from '../../../test/factories.ts';
import { type FixtureRepository, makeRepository } from '../../../test/git-fixtures.ts';
import { startTestService, withSession } from '../../../test/harness.ts';
import { testSecrets } from '../../../test/secrets.ts';
import { openCredential } from './index.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const strict = await startTestService();
const { acme, db, globex } = service;

const made: FixtureRepository[] = [];
async function fixture(name: string): Promise<FixtureRepository> {
  const repository = await makeRepository({ 'a.txt': 'a\n' }, { name });
  made.push(repository);
  return repository;
}
afterAll(() => Promise.all(made.map((repository) => repository.remove())));
beforeEach(() => db.deleteFrom('repositories').execute());

const local = await fixture('acme/api.git');

const call = (method: string, path: string, person: Person, body?: unknown) =>
  service.request(method, `/api/v2/repositories${path}`, { as: withSession(person), body });
const add = (body: Record<string, unknown>, person = acme.admin) => call('POST', '', person, body);
const addLocal = async (name: string, more: Record<string, unknown> = {}) => {
  const { body, status } = await add({ url: local.folder, name, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const list = async (person: Person, query = '') =>
  (await call('GET', query, person)).body.repositories.map((each: { name: string }) => each.name);
const auditOf = async (id: string) => {
  const rows = await db
    .selectFrom('audit_events')
    .select(['action', 'detail', 'actor_user_id', 'subject_name'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  return rows;
};
const rowOf = (id: string) =>
  db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('adding', () => {
  it('returns a repository that waits for its first clone', async () => {
    const { body, status } = await add({ url: local.folder });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'acme/api',
      url: local.folder,
      state: 'waiting',
      activity: { phase: 'waiting', percent: null },
      problem: null,
      defaultBranch: null,
      headCommit: null,
      branchCount: 0,
      visibility: 'organization',
      members: [],
      credentialKind: 'none',
      refreshedAt: null,
      canManage: true,
    });
    expect(await auditOf(body.id)).toMatchObject([
      { action: 'repository.added', actor_user_id: acme.admin.userId, subject_name: 'acme/api' },
    ]);
  });

  it('rejects a name that the organization already has, ignoring case; another organization can use it', async () => {
    await addLocal('acme/api');
    const { body, status } = await add({ url: local.folder, name: 'Acme/API' });
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect((await add({ url: local.folder, name: 'acme/api' }, globex.admin)).status).toBe(201);
  });

  it('gives a name to one of two concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => add({ url: local.folder, name: 'acme/twice' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each(['api', 'a/b/c', 'acme/.github', 'a_b/c-d.e+f~g'])('accepts the name %s', async (name) => {
    expect((await addLocal(name)).name).toBe(name);
  });

  it.each([
    'acme/',
    '/api',
    'a//b',
    '..',
    'a/../b',
    'a b',
    '-x',
    'a/-x',
    'ä/b',
    'a\nb',
    `${'x'.repeat(301)}`,
  ])('rejects the name %j', async (name) => {
    const { body, status } = await add({ url: local.folder, name });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', 'name']);
  });

  it('requires a name when the URL has none', async () => {
    const { body, status } = await add({ url: 'http://127.0.0.1:1/-.git' });
    expect([status, body.errors[0].path]).toEqual([400, 'name']);
  });

  it.each([
    ['https://user:secret@example.com/a/b', 'url'],
    ['ext::sh -c id', 'url'],
    ['--upload-pack=x', 'url'],
    ['relative/path', 'url'],
    ['/no/such/folder', 'url'],
  ])('rejects the URL %s', async (url, path) => {
    const { body, status } = await add({ url, name: 'a/b' });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', path]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('rejects local paths and private addresses unless the operator allows them', async () => {
    for (const url of [
      local.folder,
      `file://${local.folder}`,
      'https://127.0.0.1/a/b',
      'https://10.0.0.1/a/b',
    ]) {
      const { body, status } = await strict.request('POST', '/api/v2/repositories', {
        as: withSession(strict.acme.admin),
        body: { url, name: 'a/b' },
      });
      expect([status, body.errors[0].path], url).toEqual([400, 'url']);
    }
  });

  it('rejects mirrors of other organizations in the data folder', async () => {
    const { id } = await addLocal('acme/copied');
    await service.mirrors.sync(id, { signal: AbortSignal.timeout(30_000) });
    const copy = service.mirrors.folderOf(id).gitDir;
    const { body, status } = await add({ url: copy, name: 'globex/stolen' }, globex.admin);
    expect([status, body.errors[0].path]).toEqual([400, 'url']);
    const { body: own } = await add({ url: local.folder, name: 'globex/own' }, globex.admin);
    expect((await call('PATCH', `/${own.id}`, globex.admin, { url: copy })).status).toBe(400);
    // An existing one is not fetched either.
    await db.updateTable('repositories').set({ url: copy }).where('id', '=', own.id).execute();
    const refresh = { onlyWhenDue: false, signal: AbortSignal.timeout(30_000) };
    expect(await service.mirrors.refresh(own.id, refresh)).toMatchObject({ kind: 'failed' });
  });

  it('rejects members of no or another organization', async () => {
    const { body, status } = await add({
      url: local.folder,
      name: 'a/b',
      memberIds: [acme.member.userId, globex.member.userId],
    });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'memberIds[1]', message: 'is not a member of your organization' }],
    ]);
  });
});

describe('a credential', () => {
  const credential = { kind: 'password', username: 'ada', password: 'hunter2-secret' };
  const url = 'http://127.0.0.1:1/acme/private.git';

  it('is stored encrypted for this repository only, and never returned', async () => {
    const { body } = await add({ url, credential });
    expect(body.credentialKind).toBe('password');
    const row = await rowOf(body.id);
    expect(row.credential!.includes('hunter2')).toBe(false);
    expect(openCredential(testSecrets, body.id, row.credential)).toEqual(credential);
    expect(() => openCredential(testSecrets, acme.id, row.credential)).toThrow();
    const shown = JSON.stringify([
      body,
      (await call('GET', `/${body.id}`, acme.owner)).body,
      await auditOf(body.id),
    ]);
    expect(shown).not.toContain('hunter2');
    expect(service.logLines.join('')).not.toContain('hunter2');
  });

  it('must match the URL', async () => {
    const { body, status } = await add({ url: local.folder, name: 'a/b', credential });
    expect([status, body.errors[0].path]).toEqual([400, 'credential']);
  });

  it('must match the stored URL', async () => {
    const { body } = await add({ url });
    const key = { credential: { kind: 'ssh_key', privateKey: 'a key' } };
    for (const more of [{}, { url }]) {
      const refused = await call('PATCH', `/${body.id}`, acme.admin, { ...key, ...more });
      expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'credential']);
    }
    expect((await call('PATCH', `/${body.id}`, acme.admin, { credential })).status).toBe(200);
  });

  it('must be sent again when the URL changes, so that it cannot be sent elsewhere', async () => {
    const { body } = await add({ url, credential });
    const other = { url: 'http://127.0.0.1:2/acme/private.git' };
    const refused = await call('PATCH', `/${body.id}`, acme.admin, other);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'credential']);
    const moved = await call('PATCH', `/${body.id}`, acme.admin, { ...other, credential: null });
    expect(moved.body).toMatchObject({ url: other.url, credentialKind: 'none' });
    expect((await rowOf(body.id)).credential).toBeNull();
  });

  it('can be removed', async () => {
    const { body } = await add({ url, credential });
    const changed = await call('PATCH', `/${body.id}`, acme.admin, { credential: null });
    expect(changed.body.credentialKind).toBe('none');
    expect((await auditOf(body.id)).at(-1)).toMatchObject({
      action: 'repository.changed',
      detail: { credential: { from: 'password', to: 'none' } },
    });
  });
});

describe('changing', () => {
  it('renames and keeps the id', async () => {
    const { id } = await addLocal('acme/old');
    const { body, status } = await call('PATCH', `/${id}`, acme.owner, { name: 'acme/new' });
    expect([status, body.id, body.name]).toEqual([200, id, 'acme/new']);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      detail: { name: { from: 'acme/old', to: 'acme/new' } },
    });
  });

  it('can change the case of its own name, but not take another’s', async () => {
    const { id } = await addLocal('acme/one');
    await addLocal('acme/two');
    expect((await call('PATCH', `/${id}`, acme.admin, { name: 'Acme/One' })).body.name).toBe('Acme/One');
    expect((await call('PATCH', `/${id}`, acme.admin, { name: 'ACME/TWO' })).status).toBe(409);
  });

  it('lets one of two concurrent renames succeed', async () => {
    const ids = await Promise.all(['a/1', 'a/2', 'a/3'].map(async (name) => (await addLocal(name)).id));
    const answers = await Promise.all(
      ids.map((id) => call('PATCH', `/${id}`, acme.admin, { name: 'a/same' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('does nothing without changes', async () => {
    const before = await addLocal('acme/api');
    const { body, status } = await call('PATCH', `/${before.id}`, acme.admin, {});
    expect([status, body]).toEqual([200, before]);
    expect(await auditOf(before.id)).toHaveLength(1);
  });

  it('fetches again from another URL, even if the operator had added the repository', async () => {
    const { id } = await addLocal('acme/api');
    const other = await fixture('other.git');
    await sql`UPDATE repositories SET added_by_operator = true, failures = 3, problem = 'x', problem_at = now(),
      next_refresh_at = now() + interval '1 day' WHERE id = ${id}`.execute(db);
    const { body } = await call('PATCH', `/${id}`, acme.admin, { url: other.folder });
    expect(body).toMatchObject({ url: other.folder, problem: null });
    expect(await rowOf(id)).toMatchObject({ added_by_operator: false, failures: 0 });
    expect((await rowOf(id)).next_refresh_at!.getTime()).toBeLessThanOrEqual(Date.now() + 5000);
  });
});

describe('visibility', () => {
  it('is the whole organization, or named members, and admins and owners always', async () => {
    const user = await makeUser(db, { name: 'Other', email: `other${Date.now()}@acme.example` }, new Date());
    const other = await makePerson(db, acme.id, user, 'member', new Date());
    const open = await addLocal('acme/open');
    const closed = await addLocal('acme/closed', { visibility: 'members', memberIds: [acme.member.userId] });
    expect(closed.members).toEqual([{ id: acme.member.userId, name: acme.member.name }]);
    expect(await list(acme.member)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(acme.owner)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(other)).toEqual(['acme/open']);
    expect(await list(acme.viewer)).toEqual(['acme/open']);
    for (const path of [`/${closed.id}`, `/${closed.id}/refs`]) {
      expect((await call('GET', path, other)).status).toBe(404);
      expect((await call('GET', path, acme.member)).status).toBe(200);
    }
    await call('PATCH', `/${closed.id}`, acme.admin, { memberIds: [other.userId] });
    expect(await list(other)).toEqual(['acme/closed', 'acme/open']);
    expect(await list(acme.member)).toEqual(['acme/open']);
    await call('PATCH', `/${open.id}`, acme.admin, { visibility: 'members' });
    expect(await list(acme.viewer)).toEqual([]);
  });

  it('shows the URL only to those who manage it', async () => {
    const { id } = await addLocal('acme/api');
    expect((await call('GET', `/${id}`, acme.member)).body).toMatchObject({ url: null, canManage: false });
    expect((await call('GET', `/${id}`, acme.admin)).body).toMatchObject({
      url: local.folder,
      canManage: true,
    });
  });
});

it('shows the problem only to those who manage it, because it names servers and folders', async () => {
  const { id } = await addLocal('acme/api');
  const problem = { problem: 'There is no folder /srv/secret.', problem_at: new Date() };
  await db.updateTable('repositories').set(problem).where('id', '=', id).execute();
  expect((await call('GET', `/${id}`, acme.admin)).body.problem.message).toContain('/srv/secret');
  expect(JSON.stringify((await call('GET', `/${id}`, acme.member)).body)).not.toContain('/srv/secret');
  expect(JSON.stringify((await call('GET', '', acme.member)).body)).not.toContain('/srv/secret');
});

describe('the list', () => {
  it('is ordered by name, paginated, and filtered by part of the name', async () => {
    for (const name of ['b/two', 'A/one', 'c/three', 'b/twenty']) await addLocal(name);
    const first = (await call('GET', '?limit=3', acme.viewer)).body;
    expect(first.repositories.map((each: { name: string }) => each.name)).toEqual([
      'A/one',
      'b/twenty',
      'b/two',
    ]);
    expect(await list(acme.viewer, `?limit=3&cursor=${first.nextCursor}`)).toEqual(['c/three']);
    expect(await list(acme.viewer, '?search=TW')).toEqual(['b/twenty', 'b/two']);
    expect(await list(acme.viewer, '?search=%25')).toEqual([]);
    expect((await call('GET', '?cursor=x', acme.viewer)).status).toBe(400);
  });
});

describe('refs', () => {
  it('are paginated: the default branch first, then branches, then tags', async () => {
    const { id } = await addLocal('acme/api');
    await db.updateTable('repositories').set({ default_branch: 'main' }).where('id', '=', id).execute();
    const refs = [
      ['branch', 'Zeta'],
      ['branch', 'alpha'],
      ['branch', 'main'],
      ['tag', 'main'],
      ['tag', 'v1'],
    ] as const;
    await db
      .insertInto('repository_refs')
      .values(
        refs.map(([kind, name]) => ({
          repository_id: id,
          organization_id: acme.id,
          kind,
          name,
          commit: 'c'.repeat(40),
        })),
      )
      .execute();
    const page = async (query: string) => {
      const { body } = await call('GET', `/${id}/refs${query}`, acme.viewer);
      return [
        body.refs.map(
          (ref: Record<string, unknown>) => `${ref.kind} ${ref.name}${ref.isDefault ? ' *' : ''}`,
        ),
        body.nextCursor,
      ];
    };
    const all = ['branch main *', 'branch Zeta', 'branch alpha', 'tag main', 'tag v1'];
    expect(await page('')).toEqual([all, null]);
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const [names, next]: [string[], string | null] = (await page(
        `?limit=1${cursor && `&cursor=${cursor}`}`,
      )) as never;
      seen.push(...names);
      cursor = next;
    } while (cursor);
    expect(seen).toEqual(all);
    expect((await page('?kind=tag'))[0]).toEqual(['tag main', 'tag v1']);
    expect((await page('?search=MA'))[0]).toEqual(['branch main *', 'tag main']);
    expect((await page('?search=v'))[0]).toEqual(['tag v1']);
  });
});

describe('requesting a refresh', () => {
  it('makes it due, even repeatedly, and is recorded', async () => {
    const { id } = await addLocal('acme/api');
    await sql`UPDATE repositories SET next_refresh_at = now() + interval '1 day', refresh_started_at = now()`.execute(
      db,
    );
    const { body, status } = await call('POST', `/${id}/refresh`, acme.admin);
    expect([status, body.activity.phase]).toEqual([200, 'waiting']);
    expect((await call('POST', `/${id}/refresh`, acme.admin)).status).toBe(200);
    const due = await sql<{
      due: boolean;
    }>`SELECT next_refresh_at <= clock_timestamp() AS due FROM repositories`.execute(db);
    expect(due.rows).toEqual([{ due: true }]);
    expect((await auditOf(id)).map(({ action }) => action)).toContain('repository.refreshed');
  });

  it('by a push requires the token of its URL, which never changes', async () => {
    const { id } = await addLocal('acme/api');
    const other = await addLocal('acme/other');
    await sql`UPDATE repositories SET next_refresh_at = now() + interval '1 day'`.execute(db);
    const { body } = await call('POST', `/${id}/push-url`, acme.admin);
    expect((await call('POST', `/${id}/push-url`, acme.owner)).body).toEqual(body);
    const path = body.url.slice(service.url.length);
    const token = path.split('/').at(-1);
    const push = (to: string) =>
      service.request('POST', to, { body: { ref: 'refs/heads/main', repository: {} } });
    expect((await push(path)).status).toBe(204);
    expect((await push(`/api/v2/repositories/${id}/pushes/${token.slice(0, -1)}x`)).status).toBe(404);
    expect((await push(`/api/v2/repositories/${other.id}/pushes/${token}`)).status).toBe(404);
    expect((await push(`/api/v2/repositories/${acme.id}/pushes/${token}`)).status).toBe(404);
    const due = await sql<{
      name: string;
    }>`SELECT name FROM repositories WHERE next_refresh_at <= clock_timestamp()`.execute(db);
    expect(due.rows).toEqual([{ name: 'acme/api' }]);
    expect(service.logLines.join('')).not.toContain(token);
    expect((await rowOf(id)).push_token!.includes(token)).toBe(false);
  });
});

describe('removing', () => {
  it('deletes everything of it, and plans keep its name', async () => {
    const { id } = await addLocal('acme/api', { visibility: 'members', memberIds: [acme.member.userId] });
    const plan = await service.request('POST', '/api/v2/plans', {
      as: { key: acme.member.key },
      body: { seriesKey: crypto.randomUUID(), content: '# Plan', agentVendor: 'codex', repoIds: [id] },
    });
    const link = (prNumber: number) =>
      service.request('POST', `/api/v2/plans/${plan.body.seriesId}/pull-requests`, {
        as: { key: acme.member.key },
        body: { prNumber, repoId: id },
      });
    await link(7);
    await link(8);
    // A link by name only, as created before the repository was added.
    await sql`INSERT INTO plan_pull_requests SELECT gen_random_uuid(), plan_id, organization_id, NULL, 'Acme/API', number,
      linked_by, linked_at FROM plan_pull_requests WHERE number = 7`.execute(db);
    expect((await call('DELETE', `/${id}`, acme.admin)).status).toBe(204);
    expect((await call('GET', `/${id}`, acme.owner)).status).toBe(404);
    expect((await call('DELETE', `/${id}`, acme.admin)).status).toBe(404);
    const { body } = await service.request('GET', `/api/v2/plans/${plan.body.seriesId}`, {
      as: withSession(acme.viewer),
    });
    expect(body.repos).toEqual([{ repoId: null, repoName: 'acme/api' }]);
    const links = body.pullRequests.map((each: Record<string, unknown>) => [each.repoId, each.prNumber]);
    expect(links.sort()).toEqual([
      [null, 7],
      [null, 8],
    ]);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'repository.removed',
      subject_name: 'acme/api',
    });
  });
});
