/** A GitHub App: creating it, its installations and their tokens, check runs, signing in, and fetching with real git. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeModel } from '../../../../test/code-hosts/fake-model.ts';
import { type GitHubFake, startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { HEAD, testEnvironment } from '../../../../test/code-hosts/test-environment.ts';
import { fixtureEnvironment, makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { createCodeHosts } from '../create-code-hosts.ts';
import type { CodeHosts, Connection } from '../port.ts';
import { APP_PERMISSIONS } from './app-manifest.ts';
import { GITHUB_APP_EVENTS } from './webhooks.ts';

const git = promisify(execFile);
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const permissions = Object.fromEntries(
  Object.entries(APP_PERMISSIONS).map(([name, { access }]) => [name, access]),
);

let gitFolder: string;
let fake: GitHubFake;
let model: FakeModel;
let environment: ReturnType<typeof testEnvironment>;
let hosts: CodeHosts;
const connection = (): Connection => ({
  kind: 'github',
  url: fake.url,
  credential: { kind: 'app', appId: '77', privateKey },
});

beforeAll(async () => {
  gitFolder = await mkdtemp(join(tmpdir(), 'countersign-hosts-'));
  model = new FakeModel();
  fake = await startGitHubFake(model, { gitFolder });
});
afterAll(async () => {
  await fake.close();
  await rm(gitFolder, { recursive: true, force: true });
});
beforeEach(() => {
  model.repositories.length = 0;
  const installation = (id: number, login: string) => ({
    id,
    login,
    permissions: { ...permissions },
    suspended: false,
  });
  fake.app = {
    id: 77,
    slug: 'countersign',
    publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    permissions,
    installations: [
      installation(1, 'acme'),
      installation(2, 'globex'),
      { ...installation(3, 'initech'), suspended: true },
    ],
    hook: null,
  };
  for (const name of ['acme/api', 'acme/web', 'globex/core', 'initech/tps']) model.repository(name);
  model.account('countersign[bot]', { bot: true });
  environment = testEnvironment();
  hosts = createCodeHosts(environment);
  fake.requests.length = 0;
});
afterEach(() => {
  expect(fake.problems.splice(0)).toEqual([]);
});

const tokensAsked = () => fake.requests.filter(({ path }) => path.endsWith('/access_tokens')).length;

it('lists the repositories of all its installations, one after the other, and none of a suspended one', async () => {
  const host = hosts.open(connection());
  const names: string[] = [];
  for (let page: string | null | undefined; page !== null; ) {
    const read = await host.repositories(page);
    names.push(...read.items.map(({ fullName }) => fullName));
    page = read.next;
  }
  expect(names).toEqual(['acme/api', 'acme/web', 'globex/core']);
  await expect(host.repository('initech/tps')).rejects.toMatchObject({ code: 'not_found' });
  await expect(host.repository('umbrella/lab')).rejects.toMatchObject({ code: 'not_found' });
});

it('asks for a token once per installation until it expires, for all that use the credential', async () => {
  await Promise.all([hosts.open(connection()).repository('acme/api')]);
  await hosts.open(connection()).repository('acme/web');
  expect(tokensAsked()).toBe(1);
  await hosts.open(connection()).repository('globex/core');
  expect(tokensAsked()).toBe(2);
  environment.advance(56 * 60_000);
  await hosts.open(connection()).repository('acme/api');
  expect(tokensAsked()).toBe(3);
});

it('replaces a token that was revoked, and says unauthorized for a key that is not the App’s', async () => {
  const host = hosts.open(connection());
  await host.repository('acme/api');
  fake.tokens.clear();
  expect(await host.repository('acme/api')).toMatchObject({ fullName: 'acme/api', admin: true });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  for (const key of [other.toString(), 'not a key']) {
    const credential = { kind: 'app', appId: '77', privateKey: key } as const;
    const stranger = hosts.open({ kind: 'github', url: fake.url, credential });
    const error: unknown = await stranger.repository('acme/api').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect(String(error)).not.toContain('BEGIN');
  }
});

it('finds an account that installed it later', async () => {
  const host = hosts.open(connection());
  await host.repository('acme/api');
  fake.app!.installations[2]!.suspended = false;
  expect(await host.repository('initech/tps')).toMatchObject({ fullName: 'initech/tps' });
});

it('describes itself, with the permissions that an installation has not accepted yet', async () => {
  fake.app!.installations[1]!.permissions.checks = 'read';
  const description = await hosts.open(connection()).describe();
  expect(description).toMatchObject({
    account: { login: 'countersign[bot]', bot: true },
    missing: [{ permission: 'checks: write (the installation of globex)' }],
    can: { checks: true, resolve: true },
  });
  // An App that was created for an earlier version.
  fake.app!.events = GITHUB_APP_EVENTS.filter((event) => event !== 'status' && event !== 'check_run');
  fake.app!.installations[1]!.permissions.checks = 'write';
  expect((await hosts.open(connection()).describe()).missing).toEqual([
    { permission: 'webhook events of the App: status, check_run', neededFor: 'showing changes at once' },
  ]);
  delete fake.app!.events;
  fake.app!.installations = [];
  expect((await hosts.open(connection()).describe()).missing).toMatchObject([
    { permission: 'an installation' },
  ]);
});

it('shows a check run with its text, and updates it in place', async () => {
  const host = hosts.open(connection());
  const check = { name: 'Countersign', title: 'Looking', text: '**Details**', url: null } as const;
  await host.setCheck('acme/api', HEAD, { ...check, state: 'pending' });
  await host.setCheck('acme/api', HEAD, { ...check, state: 'neutral', title: 'Nothing to say' });
  expect(model.findRepository('acme/api')!.statuses).toEqual([
    {
      commit: HEAD,
      name: 'Countersign',
      state: 'neutral',
      title: 'Nothing to say',
      text: '**Details**',
      url: null,
    },
  ]);
  expect(fake.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

it('posts as its bot, reads its own threads, and needs no webhook of a repository', async () => {
  const host = hosts.open(connection());
  const repository = model.findRepository('acme/api')!;
  const diff = { 'a.ts': { new: [1], old: [] } };
  const pullRequest = model.openPullRequest(repository, { author: model.account('ada'), commit: HEAD, diff });
  const comment = { key: 'k', file: 'a.ts', side: 'new', startLine: 1, endLine: 1, body: 'Hm' } as const;
  const ref = { repository: 'acme/api', number: pullRequest.number };
  await host.publish(ref, { commit: HEAD, body: '', verdict: 'comment', comments: [comment] });
  const { threads } = await host.discussion(ref);
  expect(threads).toMatchObject([
    { comments: [{ author: { login: 'countersign[bot]', bot: true }, body: 'Hm' }] },
  ]);
  expect(await host.ensureWebhook('acme/api', { url: 'https://cs.example', secret: 's' })).toBe('not_needed');
  const summary = { commentId: null, marker: '<!-- m -->', body: 'Summary <!-- m -->' };
  expect(await host.setSummary(ref, summary)).toEqual(await host.setSummary(ref, summary));
});

it('fetches the heads of pull requests with real git and the installation’s token', async () => {
  const source = await makeRepository({ 'a.txt': 'one' }, { name: 'acme/api.git', parent: gitFolder });
  const commit = await source.commit({ 'a.txt': 'two' }, { branch: 'feature' });
  await source.git('update-ref', 'refs/pull/5/head', commit);
  await source.git('branch', '-D', 'feature');
  const { credential, expiresAt, refspecs, url } = await hosts.open(connection()).fetchAddress('acme/api');
  expect(expiresAt!.getTime()).toBeGreaterThan(Date.now());
  const target = await mkdtemp(join(gitFolder, 'clone-'));
  const address = new URL(url);
  address.username = credential!.username;
  address.password = credential!.password;
  const run = (...args: string[]) => git('git', args, { cwd: target, env: fixtureEnvironment() });
  await run('init', '--bare', '--quiet', '.');
  await run('fetch', '--quiet', address.href, ...refspecs);
  expect((await run('for-each-ref', '--format=%(refname) %(objectname)', 'refs/pull')).stdout.trim()).toBe(
    `refs/pull/5/head ${commit}`,
  );
  address.password = 'wrong';
  await expect(run('-c', 'credential.helper=', 'fetch', address.href)).rejects.toThrow(
    /Authentication failed|could not read/,
  );
});

it('is created by its manifest: one form, one code, once', async () => {
  const { action, manifest } = hosts.githubAppManifest({
    url: fake.url,
    organization: 'acme',
    name: 'A name that is longer than GitHub allows it',
    homeUrl: 'https://cs.example',
    redirectUrl: 'https://cs.example/created',
    signInUrl: 'https://cs.example/linked',
    webhookUrl: 'https://cs.example/webhooks/1',
    state: 'a b',
  });
  expect(action).toBe(`${fake.url}/organizations/acme/settings/apps/new?state=a%20b`);
  const parsed = JSON.parse(manifest) as Record<string, unknown>;
  expect(parsed).toMatchObject({
    name: 'A name that is longer than GitHub ',
    hook_attributes: { url: 'https://cs.example/webhooks/1' },
    default_permissions: { pull_requests: 'write', contents: 'read', checks: 'write', statuses: 'read' },
    default_events: expect.arrayContaining(['status', 'check_run', 'check_suite']),
    public: false,
  });
  fake.manifestCodes.set('code1', {
    id: 77,
    slug: 'countersign',
    pem: privateKey,
    webhook_secret: 'hook secret',
  });
  expect(await hosts.createdGitHubApp(fake.url, 'code1')).toMatchObject({
    appId: '77',
    slug: 'countersign',
    privateKey,
    webhookSecret: 'hook secret',
  });
  await expect(hosts.createdGitHubApp(fake.url, 'code1')).rejects.toMatchObject({ code: 'not_found' });
});

it('removes a pending review that an earlier attempt left behind', async () => {
  const host = hosts.open(connection());
  const repository = model.findRepository('acme/api')!;
  const diff = { 'a.ts': { new: [1], old: [] } };
  const pullRequest = model.openPullRequest(repository, { author: model.account('ada'), commit: HEAD, diff });
  const bot = model.account('countersign[bot]');
  const left = model.review(pullRequest, bot, { state: 'pending' });
  model.startThread(
    pullRequest,
    bot,
    { file: 'a.ts', side: 'new', startLine: 1, endLine: 1 },
    'old draft',
    left,
  );
  const comment = { key: 'k', file: 'a.ts', side: 'new', startLine: 9, endLine: 9, body: 'Hm' } as const;
  const ref = { repository: 'acme/api', number: pullRequest.number };
  expect((await host.discussion(ref)).threads).toEqual([]);
  const batch = { commit: HEAD, body: '', verdict: 'comment', comments: [comment] } as const;
  const { comments } = await host.publish(ref, { ...batch, comments: [comment] });
  expect(comments).toMatchObject([{ placed: 'file' }]);
  expect((await host.discussion(ref)).threads.map((one) => one.comments[0]!.body)).toEqual(['Hm']);
});
