/** Connecting, changing, testing and disconnecting code hosts over HTTP, with fake hosts. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../test/helpers/processes/free-port.ts';
import { HOST_TOKEN, startConnectedHosts } from '../../../../test/helpers/service/connected-hosts.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { APP_PERMISSIONS } from '../../../engines/code-hosts/github/app-manifest.ts';
import { openHostCredential } from './host-secrets.ts';

const hosts = await startConnectedHosts();
const { acme, auditOf, call, clock, connect, db, gitea, github, globex, checkNow, onGitea, run } = hosts;
const strict = await startTestService();
beforeEach(async () => {
  await db.deleteFrom('code_hosts').execute();
  gitea.forbidden = [];
  github.tokenHeaders = {};
});
const checksOf = (host: { checks: { name: string; state: string }[] }) =>
  Object.fromEntries(host.checks.map(({ name, state }) => [name, state]));
const rowOf = (id: string) =>
  db.selectFrom('code_hosts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('connecting', () => {
  it('tries the token, stores it encrypted, and never returns it', async () => {
    const host = await run('connect-code-host', { kind: 'gitea', url: `${gitea.url}/`, token: HOST_TOKEN });
    expect(host).toMatchObject({
      kind: 'gitea',
      url: gitea.url,
      name: new URL(gitea.url).host,
      account: 'countersign-bot',
      state: 'working',
      updates: 'polling',
      canSignIn: false,
      repositoryCount: 0,
    });
    expect(checksOf(host)).toEqual({
      connection: 'ok',
      credential: 'ok',
      permissions: 'ok',
      repositories: 'warning',
    });
    const row = await rowOf(host.id);
    expect(openHostCredential(testSecrets, host.id, row.credential!)).toEqual({
      kind: 'token',
      token: HOST_TOKEN,
    });
    expect(JSON.stringify([host, await auditOf(host.id)])).not.toContain(HOST_TOKEN);
    expect(row.credential!.includes(HOST_TOKEN)).toBe(false);
    expect(await auditOf(host.id)).toMatchObject([{ action: 'code_host.connected', actor_kind: 'session' }]);
  });

  it('lists missing permissions and when the token expires', async () => {
    github.tokenHeaders = {
      'x-oauth-scopes': 'read:org',
      'github-authentication-token-expiration': new Date(clock.now().getTime() + 6 * 86_400_000 - 1000)
        .toISOString()
        .replace(/T(.*)\..*/, ' $1 UTC'),
    };
    const host = await run('connect-code-host', { kind: 'github', url: github.url, token: HOST_TOKEN });
    expect(checksOf(host)).toMatchObject({ permissions: 'problem', credential: 'warning' });
    expect(JSON.stringify(host.checks)).toContain('expires in 6 days');
    expect(JSON.stringify(host.checks)).toContain('write:repo_hook');
  });

  it('refuses a token that the host refuses, an address that is no such host, and one that does not answer', async () => {
    const refused = await call('connect-code-host', { kind: 'gitea', url: gitea.url, token: 'wrong' });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'token']);
    const other = await call('connect-code-host', { kind: 'github', url: gitea.url, token: HOST_TOKEN });
    expect(other.status).toBe(409);
    expect(await db.selectFrom('code_hosts').selectAll().execute()).toEqual([]);
  });

  it.each([
    [
      'whose name cannot be resolved',
      async () => 'https://git.nowhere.invalid',
      "its name can't be resolved",
    ],
    [
      'that refuses connections',
      async () => `http://127.0.0.1:${await freePort()}`,
      'it refused the connection',
    ],
  ])('refuses an address %s as a mistake in the field, and stores nothing', async (_what, urlOf, reason) => {
    const sent = { kind: 'gitea', url: await urlOf(), token: HOST_TOKEN };
    const { body, status } = await call('connect-code-host', sent);
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_request',
      [{ path: 'url', message: expect.stringContaining(`can't be reached: ${reason}`) }],
    ]);
    expect(await db.selectFrom('code_hosts').selectAll().execute()).toEqual([]);
  });

  it.each([
    'not a url',
    'ftp://git.example',
    'https://a:b@git.example',
    'https://git.example?x',
    'file:///etc',
  ])('refuses %s', async (url) => {
    const { body, status } = await call('connect-code-host', { kind: 'gitea', url, token: 'x' });
    expect([status, body.errors[0].path]).toEqual([400, 'url']);
  });

  it('refuses private addresses and plain HTTP unless the operator allows them', async () => {
    const send = (url: string) =>
      strict.request('POST', '/api/v2/code-hosts', {
        as: withSession(strict.acme.admin),
        body: { kind: 'gitea', url, token: 'x' },
      });
    for (const url of [gitea.url, 'https://127.0.0.1:1', 'https://localhost:1']) {
      const { body, status } = await send(url);
      expect([status, body.errors[0].path, body.detail]).toEqual([
        400,
        'url',
        expect.stringContaining('ALLOW_PRIVATE_ADDRESSES'),
      ]);
    }
  });
});

describe('listing and getting', () => {
  it('shows hosts of the own organization only', async () => {
    const id = await connect({ name: 'Our Gitea' });
    expect((await run('list-code-hosts', {})).codeHosts).toMatchObject([{ id, name: 'Our Gitea' }]);
    expect((await run('list-code-hosts', {}, globex.admin)).codeHosts).toEqual([]);
    for (const name of [
      'get-code-host',
      'test-code-host',
      'disconnect-code-host',
      'list-host-repositories',
    ]) {
      expect((await call(name, { codeHostId: id }, globex.admin)).status).toBe(404);
    }
    expect((await call('list-code-hosts', {}, acme.member)).status).toBe(403);
  });
});

describe('changing', () => {
  it('replaces the token only if the host accepts the new one', async () => {
    const id = await connect();
    const before = (await rowOf(id)).credential!;
    const refused = await call('change-code-host', { codeHostId: id, token: 'wrong' });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'token']);
    expect((await rowOf(id)).credential!.equals(before)).toBe(true);
    gitea.tokens.set('newer', gitea.model.account('countersign-bot'));
    await db.updateTable('code_hosts').set({ state: 'unauthorized' }).execute();
    const after = await run('change-code-host', { codeHostId: id, token: 'newer', name: 'Forge' });
    expect(after).toMatchObject({ name: 'Forge', state: 'working' });
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'code_host.changed',
      detail: { credential: 'replaced', name: { to: 'Forge' } },
    });
  });

  it('sets and removes the OAuth application for linking accounts', async () => {
    const id = await connect();
    const signIn = { clientId: 'client', clientSecret: 'client-secret' };
    const set = await run('change-code-host', { codeHostId: id, signIn });
    expect(set.canSignIn).toBe(true);
    expect(JSON.stringify([set, await auditOf(id)])).not.toContain('client-secret');
    expect((await run('change-code-host', { codeHostId: id, signIn: null })).canSignIn).toBe(false);
  });
});

describe('testing', () => {
  it('says what does not work now, and recovers', async () => {
    const id = await connect();
    gitea.forbidden = ['/repos/issues/search'];
    expect(checksOf(await run('test-code-host', { codeHostId: id }))).toMatchObject({
      permissions: 'problem',
    });
    gitea.tokens.delete(HOST_TOKEN);
    const refused = await run('test-code-host', { codeHostId: id });
    expect(refused.state).toBe('unauthorized');
    expect(checksOf(refused)).toMatchObject({ credential: 'problem' });
    gitea.tokens.set(HOST_TOKEN, gitea.model.account('countersign-bot'));
    gitea.forbidden = [];
    const fine = await run('test-code-host', { codeHostId: id });
    expect([fine.state, checksOf(fine)]).toMatchObject(['working', { credential: 'ok', permissions: 'ok' }]);
  });
});

describe('disconnecting', () => {
  it('keeps repositories visible to the same people, and says what stops', async () => {
    const id = await connect();
    onGitea('acme/kept', { readers: ['ada'] });
    const { added } = await run('add-host-repositories', { codeHostId: id, names: ['acme/kept'] });
    await checkNow(id);
    const reply = await run('disconnect-code-host', { codeHostId: id });
    expect(reply.repositoryCount).toBe(1);
    expect(reply.stopped.length).toBeGreaterThan(2);
    const kept = await db
      .selectFrom('repositories')
      .select(['visibility', 'visibility_from', 'code_host_id'])
      .where('id', '=', added[0].repositoryId)
      .executeTakeFirst();
    expect(kept).toEqual({ visibility: 'members', visibility_from: 'admin', code_host_id: null });
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'code_host.disconnected' });

    // Connecting again continues with the same repository.
    const again = await connect();
    const { added: continued } = await run('add-host-repositories', {
      codeHostId: again,
      names: ['acme/kept'],
    });
    expect(continued).toEqual([{ repositoryId: added[0].repositoryId, fullName: 'acme/kept' }]);
  });
});

describe('a GitHub App', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const permissions = Object.fromEntries(
    Object.entries(APP_PERMISSIONS).map(([name, { access }]) => [name, access]),
  );
  const start = async () => {
    const form = await run('start-github-app', { url: github.url, organization: 'acme' });
    return { form, state: new URL(form.action).searchParams.get('state')! };
  };
  function created(code: string, slug = 'countersign-acme') {
    github.app = {
      id: 77,
      slug,
      publicKey,
      permissions,
      installations: [{ id: 5, login: 'acme', permissions, suspended: false }],
      hook: null,
    };
    github.manifestCodes.set(code, {
      id: 77,
      pem: privateKey,
      webhook_secret: 'hook-secret',
      client_id: 'Iv1.abc',
      client_secret: 'app-client-secret',
    });
  }

  it('is created on GitHub with one click and connected with its code', async () => {
    const { form, state } = await start();
    expect(form.action).toContain('/organizations/acme/settings/apps/new');
    const manifest = JSON.parse(form.manifest);
    expect(manifest.hook_attributes.url).toMatch(/\/api\/v2\/code-hosts\/[\w-]+\/webhook$/);
    created('code-1');
    const host = await run('finish-github-app', { code: 'code-1', state });
    expect(host).toMatchObject({ kind: 'github', credentialKind: 'app', canSignIn: true, state: 'working' });
    expect(host.installUrl).toMatch(/\/installations\/new$/);
    expect(manifest.hook_attributes.url).toContain(host.id);
    const told = JSON.stringify([host, await auditOf(host.id)]);
    for (const secret of [privateKey, 'hook-secret', 'app-client-secret']) expect(told).not.toContain(secret);
  });

  it('needs the state that the same person was given, once, within an hour', async () => {
    const { state } = await start();
    created('code-2');
    const finish = (as = acme.admin) => call('finish-github-app', { code: 'code-2', state }, as);
    expect((await finish(acme.owner)).status).toBe(409);
    expect((await finish(globex.admin)).status).toBe(409);
    expect((await call('finish-github-app', { code: 'code-2', state: 'forged' })).status).toBe(409);
    expect((await finish()).status).toBe(201);
    expect((await finish()).status).toBe(409);
    const { state: late } = await start();
    clock.advance(61 * 60_000);
    expect((await call('finish-github-app', { code: 'code-3', state: late })).status).toBe(409);
    expect(github.manifestCodes.size).toBe(0);
  });
});
