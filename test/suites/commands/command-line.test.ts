/** The command line as an operator uses it, with and without a running service: real processes where starting, stopping or meeting matters. */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';
import {
  COMMAND,
  endProcesses,
  isRunning,
  PASSWORD,
  type ProcessOptions,
  postgresPid,
  runCountersign,
  type Service,
  startCountersign,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const EVENTS = '/api/v2/mcp-sessions/events';
const SESSION_ONLY = '/api/v2/api-keys';
const ADA = ['--email', 'ada@example.com'];
const SETUP = ['setup', '--organization', 'Acme', ...ADA, '--name', 'Ada Lovelace'];

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

interface Place {
  /** The folder that a command is run in. */
  cwd: string;
  env?: ProcessOptions['env'];
}

/** Runs commands in one place; `succeed` runs one that must succeed, and `start` runs it as a process of its own. */
function operatorOf(place: Place) {
  const run = (words: string[], options: ProcessOptions = {}) =>
    runInProcess(words, { ...place, ...options });
  const start = (words: string[], options: ProcessOptions = {}) =>
    runCountersign(words, { ...place, ...options });
  const succeedWith =
    (runner: typeof run) =>
    async (words: string[], options: ProcessOptions = {}) => {
      const ended = await runner(words, options);
      expect(ended, words.join(' ')).toMatchObject({ code: 0 });
      return ended.stdout;
    };
  const succeed = succeedWith(run);
  const startAndSucceed = succeedWith(start);
  const key = (name: string) => ['key', 'create', ...ADA, '--name', name];
  return {
    run,
    start,
    succeed,
    startAndSucceed,
    list: async (words: string[]) => JSON.parse(await succeed([...words, '--json'])),
    createKey: async (name: string) => (await succeed(key(name))).trim(),
    startToCreateKey: async (name: string) => (await startAndSucceed(key(name))).trim(),
  };
}

function sendEvent(url: string, key?: string): Promise<Response> {
  return fetch(url + EVENTS, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
    body: JSON.stringify({
      sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
      eventType: 'planner_tool_called',
    }),
  });
}

describe('help and usage errors', () => {
  it('prints the overview without a command, with help and with --help', async () => {
    for (const words of [[], ['help'], ['--help']]) {
      const { code, stdout, stderr } = await runInProcess(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Countersign: .*\n\nUsage: countersign <command>/);
      expect(stdout).toContain('key create');
    }
  });

  it('prints the version', async () => {
    const { code, stdout } = await runInProcess(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^countersign \d+\.\d+\.\d+\n$/);
  });

  it.runIf(process.platform === 'linux')('runs where there is no home, and none can be made', () => {
    // Creating a folder there fails as it does below an automounter, and Node would try again forever.
    const env = { PATH: process.env.PATH, HOME: '/proc/none', COUNTERSIGN_REEXECUTED: '1' };
    const program = COMMAND;
    const { status } = spawnSync(process.execPath, [program, '--version'], { env, timeout: 20_000 });
    expect(status).toBe(0);
  });

  it.each([
    [['kye', 'list'], 'did you mean key list?'],
    [['serve', '--prot', '5'], 'did you mean --port?'],
    [['key', 'create'], 'key create: missing required options --email, --name'],
    [['key', 'create', ...ADA, '--name', '  '], '--name must not be blank'],
    [['key', 'revoke', 'abc'], '--id must be a UUID'],
    [['\u001b[31mred'], 'unknown command: \u{fffd}[31mred'],
  ])('rejects %j with exit code 2 and a hint, on stderr only', async (words, hint) => {
    const { code, stdout, stderr } = await runInProcess(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });

  it('is the same as a process', async () => {
    const words = ['kye', 'list'];
    const ended = await runCountersign(words);
    expect(ended.code).toBe(2);
    expect(ended).toEqual(await runInProcess(words));
  });

  it('reports that the output cannot be written', () => {
    const full = openSync('/dev/full', 'w');
    const bin = COMMAND;
    const ended = spawnSync(process.execPath, [bin, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toMatch(/^countersign: cannot write the output: ENOSPC/);
  });

  it('ignores a closed pipe', async () => {
    const command = startCountersign(['--help']);
    command.child.stdout!.destroy();
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('while the service is not running', () => {
  const folder = temporaryFolder();
  const { list, run, startAndSucceed, startToCreateKey } = operatorOf({ cwd: folder });

  it('sets up once, with the password from standard input', async () => {
    for (const words of [
      ['key', 'create', ...ADA, '--name', 'x'],
      ['organization', 'list'],
    ]) {
      const { code, stderr, stdout } = await run(words);
      expect({ code, stdout }, 'in a folder without a database').toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(`there is no Countersign database in ${join(folder, 'data')}`);
      expect(stderr).toContain('DATA_DIR');
    }
    expect(await run(SETUP, { input: '' })).toMatchObject({ code: 3, stdout: '' });
    expect(await run(SETUP, { input: 'short\n' })).toMatchObject({ code: 3, stdout: '' });
    expect(await run(SETUP, { input: Buffer.alloc(12, 0xff) })).toMatchObject({ code: 3 });
    expect(existsSync(join(folder, 'data'))).toBe(false);
    expect(await startAndSucceed(SETUP, { input: `${PASSWORD}\n` })).toBe(
      'Created Acme, owned by ada@example.com.\n',
    );
    const again = await run(SETUP, { input: PASSWORD });
    expect(again).toMatchObject({ code: 3, stdout: '' });
    expect(again.stderr).toMatch(/has already been set up/);
  });

  it('concurrent commands wait for each other and leave no PostgreSQL running', async () => {
    const keys = await Promise.all([
      startToCreateKey('first'),
      startToCreateKey('second'),
      startAndSucceed(['user', 'list']),
    ]);
    expect(new Set(keys.slice(0, 2)).size).toBe(2);
    expect(postgresPid(join(folder, 'data'))).toBeUndefined();
    expect(existsSync(join(folder, 'data', 'service.json'))).toBe(false);
  });

  it('an interrupted command stops its PostgreSQL and releases the folder', async () => {
    const command = startCountersign(['user', 'reset-password', ...ADA], {
      cwd: folder,
      keepInputOpen: true,
    });
    await vi.waitUntil(() => postgresPid(join(folder, 'data')), { timeout: 30_000, interval: 5 });
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(postgresPid(join(folder, 'data'))).toBeUndefined();
    expect(await list(['organization', 'list'])).toHaveLength(1);
  });
});

describe('users and organizations', async () => {
  const cwd = temporaryFolder();
  const { list, run, succeed } = operatorOf({
    cwd,
    env: { DATABASE_URL: urlOf(await createTestDatabase()) },
  });

  beforeAll(() => succeed(SETUP, { input: PASSWORD }));

  it('adds, lists and deactivates users', async () => {
    const grace = ['--email', 'Grace@Example.com'];
    expect(await run(['user', 'add', ...grace])).toMatchObject({ code: 2 });
    const twoLines = await run(['user', 'add', ...grace, '--name', 'Grace\nHopper'], { input: PASSWORD });
    expect(twoLines).toMatchObject({ code: 2, stdout: '' });
    expect(twoLines.stderr).toContain('--name must not contain line breaks');
    await succeed(['user', 'add', ...grace, '--name', 'Grace Hopper', '--role', 'admin'], {
      input: PASSWORD,
    });
    const again = await run(['user', 'add', ...grace, '--name', 'Grace Hopper']);
    expect(again).toMatchObject({ code: 3, stdout: '' });
    expect(again.stderr).toContain('grace@example.com already has an account, named Grace Hopper.');
    const unknown = await run(['user', 'add', '--email', 'x@example.com', '--existing']);
    expect(unknown.stderr).toContain('no user with the email address x@example.com');
    const people = await list(['user', 'list']);
    expect(people).toMatchObject([
      { email: 'ada@example.com', role: 'owner', deactivatedAt: null },
      { email: 'grace@example.com', name: 'Grace Hopper', role: 'admin', deactivatedAt: null },
    ]);
    const table = await succeed(['user', 'list']);
    expect(table.split('\n')).toHaveLength(4);
    expect(table).toMatch(/^EMAIL +NAME +ROLE +CREATED AT +DEACTIVATED AT\n/);
    await succeed(['user', 'deactivate', ...grace]);
    expect((await list(['user', 'list']))[1].deactivatedAt).not.toBeNull();
    const last = await run(['user', 'deactivate', ...ADA]);
    expect(last).toMatchObject({ code: 3, stdout: '' });
    expect(last.stderr).toMatch(/last owner/);
  });

  it('asks which organization when there are several', async () => {
    const colored = ['organization', 'add', '--organization', 'Labs\u001b[31m', ...ADA];
    expect(await run(colored)).toMatchObject({ code: 2, stdout: '' });
    const addLabs = ['organization', 'add', '--organization', 'Labs', ...ADA];
    const refused = await run([...addLabs, '--name', 'Somebody']);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('ada@example.com already has an account, named Ada');
    expect(await run([...addLabs, '--existing', '--name', 'Somebody'])).toMatchObject({ code: 2 });
    await succeed([...addLabs, '--existing']);
    const several = await run(['user', 'list']);
    expect(several).toMatchObject({ code: 3, stdout: '' });
    expect(several.stderr).toMatch(/choose one with --organization:\n {2}\S+ {2}Acme\n {2}\S+ {2}Labs\n/);
    expect(await list(['user', 'list', '--organization', 'Labs'])).toMatchObject([{ role: 'owner' }]);
    expect(await run(['key', 'list', ...ADA, '--organization', 'No such'])).toMatchObject({
      code: 3,
      stdout: '',
    });
  });

  it('rejects an unknown address with exit code 3', async () => {
    for (const words of [
      ['key', 'list'],
      ['key', 'create', '--name', 'x'],
      ['user', 'deactivate'],
    ]) {
      const { code, stdout, stderr } = await run([...words, '--email', 'nobody@example.com']);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toBe(
        'countersign: no user with the email address nobody@example.com. To list users: countersign user list\n',
      );
    }
  });
});

describe('while the service is running', () => {
  const folder = temporaryFolder();
  const state = temporaryFolder();
  const { createKey, list, run, start, startAndSucceed, startToCreateKey, succeed } = operatorOf({
    cwd: folder,
  });
  let service: Service;

  beforeAll(async () => {
    // The first command runs while the service is still starting, and waits for it.
    chmodSync(state, 0o711);
    const starting = startService({ cwd: folder, env: { STATE_DIRECTORY: state } });
    await vi.waitUntil(() => existsSync(join(folder, 'data', 'service.json')), {
      timeout: 30_000,
      interval: 2,
    });
    await startAndSucceed(['organization', 'list']);
    service = await starting;
    await startAndSucceed(SETUP, { input: PASSWORD });
  });

  it('printed a setup link, because there was no user yet', () => {
    expect(service.stdout()).toMatch(
      /Set it up \(works once\): {2}http:\/\/127\.0\.0\.1:\d+\/setup#token=\S+/,
    );
  });

  it('reaches it by a socket in the folder that systemd gave it, not in its private /tmp', () => {
    const { database } = JSON.parse(readFileSync(join(folder, 'data', 'service.json'), 'utf8'));
    expect(database.host.startsWith(`${state}/`), database.host).toBe(true);
  });

  it('prints only the secret of a key on standard output', async () => {
    const { code, stdout, stderr } = await start(['key', 'create', ...ADA, '--name', 'CI']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^csk_[A-Za-z0-9]{20,}\n$/);
    expect(stderr).toMatch(/^Created API key CI \(csk_\S+\)\. .*\n$/);
    expect(stderr).not.toContain(stdout.trim());
  });

  it('204 with the key, 401 without, 403 where no key is accepted, 401 once it is revoked', async () => {
    const key = await createKey('curl');
    expect((await sendEvent(service.url, key)).status).toBe(204);
    expect((await sendEvent(service.url)).status).toBe(401);
    expect((await sendEvent(service.url, `${key.slice(0, -1)}x`)).status).toBe(401);
    const listing = await fetch(service.url + SESSION_ONLY, { headers: { 'x-api-key': key } });
    expect(listing.status).toBe(403);
    expect(await listing.json()).toMatchObject({ code: 'key_not_accepted' });
    expect(await succeed(['key', 'revoke', ...ADA, '--name', 'curl'])).toMatch(
      /^Revoked the key curl \(csk_\S+\)\.\n$/,
    );
    expect((await sendEvent(service.url, key)).status).toBe(401);
  });

  it('revokes by id, and lists revoked keys too', async () => {
    const key = await createKey('by id');
    const row = (await list(['key', 'list', ...ADA])).find(({ name }: { name: string }) => name === 'by id');
    expect(row).toMatchObject({ lastUsedAt: null, revokedAt: null });
    await succeed(['key', 'revoke', row.id]);
    expect((await sendEvent(service.url, key)).status).toBe(401);
    const rows = await list(['key', 'list', ...ADA]);
    expect(rows.find(({ id }: { id: string }) => id === row.id).revokedAt).not.toBeNull();
    expect(await run(['key', 'revoke', '0198c1f2-7a3b-7c4d-8e5f-0123456789ab'])).toMatchObject({
      code: 3,
      stdout: '',
    });
  });

  it('lists the matching keys when several have the same name', async () => {
    await createKey('twin');
    await createKey('twin');
    const { code, stderr } = await run(['key', 'revoke', ...ADA, '--name', 'twin']);
    expect(code).toBe(3);
    expect(stderr.match(/^ {2}[0-9a-f-]{36} {2}csk_/gm)).toHaveLength(2);
  });

  it('ends sessions when a password is reset, and keys when a user is deactivated', async () => {
    const grace = ['--email', 'grace@example.com'];
    await succeed(['user', 'add', ...grace, '--name', 'Grace'], { input: PASSWORD });
    const key = (await succeed(['key', 'create', ...grace, '--name', 'g'])).trim();
    const signIn = (password: string) =>
      fetch(`${service.url}/api/v2/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'grace@example.com', password }),
      });
    const signedIn = await signIn(PASSWORD);
    expect(signedIn.ok).toBe(true);
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    const whoAmI = () => fetch(`${service.url}/api/v2/session`, { headers: { cookie } });
    expect((await whoAmI()).status).toBe(200);
    await succeed(['user', 'reset-password', ...grace], { input: 'another long password' });
    expect((await whoAmI()).status).toBe(401);
    expect((await signIn('another long password')).ok).toBe(true);
    expect((await sendEvent(service.url, key)).status).toBe(204);
    await succeed(['user', 'deactivate', ...grace]);
    expect((await sendEvent(service.url, key)).status).toBe(401);
    expect((await signIn('another long password')).ok).toBe(false);
  });

  it('concurrent commands share the running PostgreSQL', async () => {
    const pid = postgresPid(join(folder, 'data'));
    const keys = await Promise.all(['a', 'b', 'c'].map(startToCreateKey));
    expect(new Set(keys).size).toBe(3);
    expect(postgresPid(join(folder, 'data'))).toBe(pid);
  });

  it('SIGTERM stops it with its PostgreSQL, and the next command works without it', async () => {
    const pid = postgresPid(join(folder, 'data'))!;
    expect(await service.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isRunning(pid)).toBe(false);
    expect(await list(['organization', 'list'])).toHaveLength(1);
  });
});

describe.concurrent('stopping during startup', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s: everything is stopped, with exit code 0',
    async (signal) => {
      const folder = temporaryFolder();
      const service = startCountersign(['serve'], { cwd: folder });
      await vi.waitUntil(() => existsSync(join(folder, 'data', 'postgres.new')), {
        timeout: 30_000,
        interval: 2,
      });
      service.child.kill(signal);
      const ended = await service.ended;
      expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(ended.stdout).not.toContain('ready');
      expect(postgresPid(join(folder, 'data'))).toBeUndefined();
      expect(existsSync(join(folder, 'data', 'service.json'))).toBe(false);
    },
  );
});
