/** Adding repositories over HTTP: names, URLs and credentials. */
import { describe, expect, it } from 'vitest';
import { startRepositories } from '../../../test/helpers/rows/repositories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { openCredential } from './index.ts';

const { acme, globex, db, add, addLocal, auditOf, call, local, rowOf, service } = await startRepositories();
const strict = await startTestService();

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
