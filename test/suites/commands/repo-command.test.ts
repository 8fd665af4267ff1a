/** `countersign repo` as an operator runs it, with and without a running service. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { type FixtureRepository, makeRepository } from '../../helpers/git/git-fixtures.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';
import {
  endProcesses,
  PASSWORD,
  type ProcessOptions,
  runCountersign,
  startCountersign,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { type GitServer, startGitServer } from '../../helpers/servers/git-server.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 4, onConnectionLost: () => undefined });
const { db } = database;
const folder = temporaryFolder();
const env = { DATABASE_URL: urlOf(connection), DATA_DIR: join(folder, 'data') };
const fixtures: FixtureRepository[] = [];
const servers: GitServer[] = [];

const set = ['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'];
expect((await runInProcess(set, { env, input: PASSWORD })).code).toBe(0);

afterEach(() => db.deleteFrom('repositories').execute());
afterAll(async () => {
  await endProcesses();
  await Promise.all([
    ...servers.map((server) => server.close()),
    ...fixtures.map((fixture) => fixture.remove()),
  ]);
  await database.close();
  await cleanUp();
});

const repo = (words: string[], options: ProcessOptions = {}) =>
  runInProcess(['repo', ...words], { ...options, env: { ...env, ...options.env } });
const startRepo = (words: string[], options: ProcessOptions = {}) =>
  runCountersign(['repo', ...words], { ...options, env });
async function origin(name = 'acme/api.git'): Promise<FixtureRepository> {
  const fixture = await makeRepository({ 'a.txt': 'a\n' }, { name });
  fixtures.push(fixture);
  return fixture;
}
async function serve(fixture: FixtureRepository, password?: string): Promise<GitServer> {
  const server = await startGitServer({ folder: fixture.parent, password });
  servers.push(server);
  return server;
}
const row = () => db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow();

describe('without a service', () => {
  it('adds a folder relative to the working directory, shows it, fetches it and removes it', async () => {
    const fixture = await origin();
    const head = await fixture.git('rev-parse', 'main');
    const added = await startRepo(['add', './api.git', '--name', 'acme/api'], {
      cwd: join(fixture.parent, 'acme'),
    });
    expect([added.code, added.stdout]).toEqual([
      0,
      `acme/api was added: main is at ${head.slice(0, 12)}; 1 branch, 0 tags.\n`,
    ]);
    expect(await row()).toMatchObject({
      url: fixture.folder,
      added_by_operator: true,
      state: 'ready',
      busy_until: null,
    });

    const listed = await repo(['list']);
    expect(listed.stdout).toMatch(/^NAME +STATE +DEFAULT BRANCH .*\nacme\/api +ready +main +1 +0 .*\n$/);
    expect(JSON.parse((await repo(['list', '--json'])).stdout)).toMatchObject([
      { name: 'acme/api', headCommit: head },
    ]);
    const status = await repo(['status', 'API']);
    expect(status.stdout).toContain(`Latest commit:  ${head}\n`);

    const next = await fixture.commit({ 'b.txt': 'b\n' });
    await fixture.git('tag', 'v1', 'main');
    const refreshed = await repo(['refresh', 'api', '--json']);
    expect(JSON.parse(refreshed.stdout)).toMatchObject({ headCommit: next, tagCount: 1 });

    const { id } = await row();
    expect(existsSync(join(env.DATA_DIR, 'repositories', id, 'mirror.git'))).toBe(true);
    const asked = await repo(['remove', 'api']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await startRepo(['remove', 'api', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Removed acme/api.\n',
    });
    expect(existsSync(join(env.DATA_DIR, 'repositories', id))).toBe(false);
    expect((await repo(['list'])).stdout).toContain('No repositories.');
    const actions = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_kind'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(actions).toEqual(
      ['added', 'refreshed', 'removed'].map((action) => ({
        action: `repository.${action}`,
        actor_kind: 'operator',
      })),
    );
  });

  it('reads a token from standard input and stores it', async () => {
    const fixture = await origin('acme/private.git');
    const server = await serve(fixture, 'a-token');
    const url = `${server.url}/acme/private.git`;
    const refused = await repo(['add', url]);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('acme/private could not be fetched. Authentication failed.');
    expect(await row()).toMatchObject({ state: 'failed', failures: 1 });
    await db.deleteFrom('repositories').execute();
    const added = await repo(['add', url, '--username', 'git', '--password-stdin'], { input: 'a-token\n' });
    expect([added.code, added.stderr.includes('a-token')]).toEqual([0, false]);
    expect(await repo(['refresh', 'private'])).toMatchObject({ code: 0 });
  });

  it('interrupted by Ctrl-C leaves a repository that is cloned later', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const reached = Promise.withResolvers<void>();
    server.intercept(() => {
      reached.resolve();
      return true;
    });
    const adding = startCountersign(['repo', 'add', `${server.url}/acme/api.git`], { env });
    await reached.promise;
    adding.child.kill('SIGINT');
    const ended = await adding.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('Stopped. acme/api was added.');
    expect(await row()).toMatchObject({ state: 'waiting', busy_until: null, activity: null, problem: null });
    server.intercept(null);
    expect(await repo(['refresh', 'acme/api'])).toMatchObject({ code: 0 });
  });

  it.each([
    [['add', '/no/such/folder'], 3, "The folder /no/such/folder doesn't exist"],
    [['add', 'ext::sh -c id'], 3, 'not allowed'],
    [['add', 'https://a:b@example.com/x/y'], 3, 'enter it as the credential'],
    [
      ['add', 'https://example.com/x', '--visibility', 'nobody'],
      2,
      '--visibility must be one of organization, members',
    ],
    [['add', 'https://example.com/x', '--username', 'x'], 2, '--username requires --password-stdin'],
    [['add', 'https://example.com/x', '--ssh-key-file', '/no/key'], 3, 'cannot read the key file'],
    [['status', 'nothing'], 3, 'no repository named nothing'],
  ])('repo %j explains the error', async (words, code, sentence) => {
    const ended = await repo(words);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(sentence);
  });

  it('asks for the full name when it is ambiguous, and refuses a duplicate name', async () => {
    const fixture = await origin();
    for (const name of ['a/same', 'b/same'])
      expect((await repo(['add', fixture.folder, '--name', name])).code).toBe(0);
    const ended = await repo(['status', 'same']);
    expect([ended.code, ended.stderr]).toEqual([
      3,
      expect.stringMatching(/Choose one:\n {2}a\/same\n {2}b\/same/),
    ]);
    expect(await repo(['add', fixture.folder, '--name', 'A/Same'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('A repository named A/Same already exists'),
    });
  });
});

describe('with a running service', () => {
  it('removes a repository; a web-only node deletes its copy too, and finishes interrupted removals', async () => {
    const fixture = await origin();
    expect(await repo(['add', fixture.folder])).toMatchObject({ code: 0 });
    const { id } = await row();
    const dataDir = join(folder, 'web-node');
    const leftover = join(dataDir, 'repositories', '.removed-by-a-killed-process');
    const copy = join(dataDir, 'repositories', id, 'mirror.git');
    for (const each of [leftover, copy]) mkdirSync(each, { recursive: true });
    const more = {
      DATA_DIR: dataDir,
      SECRET_FILE: join(env.DATA_DIR, 'secret.key'),
      ROLES: 'web',
      PORT: '0',
    };
    const service = await startService({ env: { ...env, ...more } });
    const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
    await eventually(() => expect(existsSync(leftover)).toBe(false));
    expect(existsSync(copy)).toBe(true);
    expect(await repo(['remove', 'api', '--yes'])).toMatchObject({ code: 0 });
    await eventually(() => expect(existsSync(copy)).toBe(false));
    await service.stop();
  });

  it('refuses to add its own data folder', async () => {
    mkdirSync(env.DATA_DIR, { recursive: true });
    const { code, stderr } = await repo(['add', env.DATA_DIR, '--name', 'acme/copy']);
    const refusal =
      'countersign: The data folder of the service contains only mirrors. Enter the address of the original repository.\n';
    expect([code, stderr]).toEqual([3, refusal]);
  });

  it('adds, and the service keeps it up to date', async () => {
    const often = { REPOSITORY_REFRESH_SECONDS: '10' };
    const service = await startService({ env: { ...env, ...often } });
    const fixture = await origin('acme/watched.git');
    expect(await repo(['add', fixture.folder], { env: often })).toMatchObject({ code: 0 });
    const next = await fixture.commit({ 'b.txt': 'b\n' });
    const statusOf = async () => JSON.parse((await repo(['status', 'watched', '--json'])).stdout);
    await vi.waitFor(async () => expect((await statusOf()).headCommit).toBe(next), {
      timeout: 60_000,
      interval: 500,
    });
    // This shell has no git: the service fetches, and no failure of the command is shown to everyone.
    const pushed = await fixture.commit({ 'c.txt': 'c\n' });
    const elsewhere = { ...env, PATH: '/nowhere' };
    const refreshed = await runCountersign(['repo', 'refresh', 'watched', '--json'], { env: elsewhere });
    expect(refreshed, refreshed.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(refreshed.stdout)).toMatchObject({ headCommit: pushed, problem: null });
    expect(await repo(['remove', 'watched', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    // The service doesn't stop with the command.
    const server = await serve(fixture);
    const reached = Promise.withResolvers<() => void>();
    server.intercept((_request, response) => {
      reached.resolve(() => response.destroy());
      return true;
    });
    const adding = startCountersign(['repo', 'add', `${server.url}/acme/watched.git`], { env });
    const letGo = await reached.promise;
    adding.child.kill('SIGINT');
    const ended = await adding.ended;
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toContain('The service continues to clone it');
    server.intercept(null);
    letGo();
    expect(await repo(['refresh', 'acme/watched'])).toMatchObject({ code: 0 });
    expect((await service.stop()).code).toBe(0);
  });

  it('refuses to start with another secret, and says which file to copy', async () => {
    const fixture = await origin();
    expect(await repo(['add', fixture.folder, '--name', 'acme/first'])).toMatchObject({ code: 0 });
    const other = temporaryFolder();
    for (const words of [['serve'], ['repo', 'add', fixture.folder]]) {
      const ended = await runInProcess(words, { env: { ...env, DATA_DIR: join(other, 'data') } });
      expect([ended.code, ended.stderr]).toEqual([
        20,
        expect.stringContaining(join(other, 'data', 'secret.key')),
      ]);
    }
    const same = { ...env, DATA_DIR: join(other, 'data'), SECRET_FILE: join(env.DATA_DIR, 'secret.key') };
    expect(await runInProcess(['repo', 'add', fixture.folder], { env: same })).toMatchObject({ code: 0 });
  });
});

it('shows the claim of a killed command no longer than it is valid', async () => {
  const fixture = await origin();
  const server = await serve(fixture);
  const reached = Promise.withResolvers<void>();
  server.intercept(() => {
    reached.resolve();
    return true;
  });
  const adding = startCountersign(['repo', 'add', `${server.url}/acme/api.git`], { env });
  await reached.promise;
  adding.child.kill('SIGKILL');
  await adding.ended;
  await sql`UPDATE repositories SET busy_until = clock_timestamp()`.execute(db);
  expect(JSON.parse((await repo(['status', 'api', '--json'])).stdout)).toMatchObject({
    state: 'waiting',
    activity: null,
  });
  server.intercept(null);
  expect(await repo(['refresh', 'api'])).toMatchObject({ code: 0 });
});
